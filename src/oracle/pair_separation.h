// Distance between two segments, as two bounds that are proved separately: two feasible points (no
// more than), and a pair of parallel supporting planes (no less than).
//
// The points minimise the convex quadratic |y(s) - x(f)|^2 over the unit square by enumerating its
// nine faces (inside, four edges, four corners) and taking the least of those of their stationary
// points that lie on them. A segment of zero length has no inside. For parallel segments the
// minimum is also attained on an edge of the square. So neither needs a special case.
#pragma once

#include "oracle/kinematics.h"
#include "oracle/number.h"
#include "oracle/separation.h"

namespace tocsin::oracle {

/// Both bounds, without slack (bounds.h, rounding_slack). The axes are relative to one origin; y =
/// axis.a + s (axis.b - axis.a), x likewise on `other`, at other_s.
Separation separation(const Axis<Real>& axis, const Axis<Real>& other);

}  // namespace tocsin::oracle
