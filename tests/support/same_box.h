// Whether two boxes are the same, bit for bit but for the sign of a zero.
#pragma once

#include "core/bounds/box.h"

namespace tocsin::test {

inline bool same(const core::Box& p, const core::Box& q) { return p.lo == q.lo && p.hi == q.hi; }

}  // namespace tocsin::test
