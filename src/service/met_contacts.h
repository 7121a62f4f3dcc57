// What a tick found between avatars, told to each from its own side.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "service/member_card.h"
#include "service/turn.h"
#include "tocsin/avatar.h"
#include "tocsin/detector.h"
#include "tocsin/motion.h"

namespace tocsin::service {

/// The contact as the other's side has it. `first`: the link that told it, at contact.toc[0]: world
/// positions of its axis' ends, metres, and its radius (with the margin); `other_radius`: the
/// other's. The line between the axes' nearest points is the same from both ends: `normal` is
/// turned round, and `point` is where it leaves the first link's surface instead of the other's.
/// Where the axes meet there is no such line, and the point stays. Link indices are left to the
/// caller.
struct AxisAt {
  Vec3 a;
  Vec3 b;
};
Contact from_other_side(const Contact& contact, const AxisAt& first, double radius,
                        double other_radius);

/// Of members that were checked together (Detector::check_batch, in a room without anything), what
/// each is told: entry i is members[i]'s, whose card is cards[i]. `reports`: used up. Every contact
/// of two avatars is in two entries, its times in both to the bit.
std::vector<Met> told_to_each(std::span<const Member> members, std::span<const Step> steps,
                              std::span<const std::shared_ptr<const MemberCard>> cards,
                              std::vector<StepReport> reports);

/// Adds what was met to the report about the room and the avatar itself, in order; of
/// Contacts::kFirst one contact stays.
void add_met(const Met& met, Contacts wanted, StepReport& report);

}  // namespace tocsin::service
