// The unit of a motion whose file does not say it: from the rest pose, from its frames and from its
// joints' names.
#pragma once

#include "io/unit.h"
#include "tocsin/motion.h"

namespace tocsin::io {

/// A person is found, in whatever unit, who stands upright in the rest pose: its height tells the
/// unit.
bool rest_height_tells(const Motion& motion);

/// `motion`: in the file's unit, Y up.
/// Of a person, in this order: the unit of the rest height, if it stands in the rest pose; the only
/// one in which it is as high as a person in the first frames, if it stands there and its bones
/// agree; the only one in which its bones are a person's; the one that a source with these joint
/// names writes, if bones and speeds agree. Heights of other bodies say nothing: of these, the one
/// that a source writes; the one in which flights fall as on Earth; metres, if it is 0.15 to 60 m
/// long in them and less than 0.05 m in all others (0.15 m in cmu, which is for persons). Errors
/// (kInput, without a file name): still not clear; it names the units that are left.
Result<UnitChoice> unit_of_motion(const Motion& motion);

}  // namespace tocsin::io
