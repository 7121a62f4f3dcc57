// Lookahead: how a motion goes on after its newest pose, and what it would touch then.
// docs/lookahead.md.
#pragma once

#include <span>
#include <vector>

#include "tocsin/contact.h"
#include "tocsin/motion.h"
#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin {

/// The step after `step`, of `seconds`, if every joint goes on in its parent's frame with the
/// velocities that it had in it: along its screw, or with its rotation and its translation
/// (Step::in_between). A joint turns by 3 radians at most. One that would leave the world (1e6 m),
/// and all joints of a step that lasts no time, stay as they are. Check it as any step: what is
/// found is proved about this motion, and no more. Its local time 0 is the end of `step`, and 1 is
/// `seconds` later; its index is step.frames()[1]. Errors: kUsage: an empty step; `seconds` that
/// are not above 0, or above 1e6.
[[nodiscard]] Result<Step> step_ahead(const Step& step, double seconds);

/// The same to a pose that the caller predicts: one joint-to-parent transform a joint, metres,
/// placed as the step is. Errors also (kInput), naming the joint: as Motion::create.
[[nodiscard]] Result<Step> step_ahead(const Step& step, double seconds,
                                      std::vector<Transform> pose);

/// Of the contacts of a step ahead, those that begin in it, the earliest first (toc[0]); those of
/// one time stay in their order. The others touch at its start, or may (an overlap, or a graze from
/// 0 on): they are there already.
[[nodiscard]] std::vector<Contact> contacts_ahead(std::span<const Contact> contacts);

}  // namespace tocsin
