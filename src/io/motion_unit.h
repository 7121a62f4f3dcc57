// The unit of a motion whose rest pose does not tell it: from its frames and from its joints'
// names.
#pragma once

#include <optional>

#include "io/unit.h"
#include "tocsin/motion.h"

namespace tocsin::io {

/// `motion`: in the file's unit, Y up. In this order: the only unit in which the body is as high as
/// a person in the first frames, and in which its bones are a person's; the only one in which the
/// bones of a person found by shape are; the one that a source with these joint names writes, if
/// bones and speeds agree. None: still not clear.
std::optional<UnitChoice> unit_of_motion(const Motion& motion);

}  // namespace tocsin::io
