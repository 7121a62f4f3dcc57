// The contacts between avatars at a tick, seen from the side of each.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "service/meeting/member_card.h"
#include "service/meeting/turn.h"
#include "tocsin/avatar.h"
#include "tocsin/detector.h"
#include "tocsin/motion.h"

namespace tocsin::service {

/// The contact seen from the other side. `first`: the link that reported it, at contact.toc[0]:
/// world positions of its axis' ends, metres. `radius`: its radius with the margin; `other_radius`:
/// the other's. The line between the axes' nearest points is the same from both sides. `normal` is
/// reversed, and `point` is where the line leaves the first link's surface instead of the other's.
/// If the axes meet there is no such line, and the point stays. The caller sets link indices.
struct AxisAt {
  Vec3 a;
  Vec3 b;
};
Contact from_other_side(const Contact& contact, const AxisAt& first, double radius,
                        double other_radius);

/// The contacts of each member that was checked together (Detector::check_batch, in an empty room):
/// entry i is members[i]'s, whose card is cards[i]. `reports` is consumed. Every contact of two
/// avatars is in two entries, with the same times in both, bit for bit.
std::vector<TickResult> contacts_of_each(std::span<const Member> members,
                                         std::span<const Step> steps,
                                         std::span<const std::shared_ptr<const MemberCard>> cards,
                                         std::vector<StepReport> reports);

/// Adds the contacts with others to the report about the room and the avatar itself, in order. With
/// Contacts::kFirst one contact stays.
void add_meeting_contacts(const TickResult& result, Contacts wanted, StepReport& report);

/// The same for a report that is not complete: those that begin before its checked_until. With
/// Contacts::kFirst none: which is the first is not known.
void add_known_meeting_contacts(const TickResult& result, Contacts wanted, StepReport& report);

}  // namespace tocsin::service
