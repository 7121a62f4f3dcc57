#include "service/meeting/meeting_contacts.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "core/motion/frame_motion.h"
#include "core/motion/link_motion.h"
#include "core/query/hull.h"
#include "core/query/hull_distance.h"
#include "core/vector/vec.h"
#include "detect/step/contact_at.h"
#include "scene/shape/shape_data.h"
#include "scene/swept/step_motion.h"

namespace tocsin::service {
namespace {

/// The point of a segment that is nearest to p.
Vec3 nearest_on(const AxisAt& axis, const Vec3& p) {
  const Vec3 d = axis.b - axis.a;
  const double squared = core::dot(d, d);
  const double along = squared > 0.0 ? core::dot(p - axis.a, d) / squared : 0.0;
  return axis.a + std::clamp(along, 0.0, 1.0) * d;
}

auto order_of(const Contact& c) { return std::tuple(c.link, c.touched); }
bool contacts_in_order(const Contact& p, const Contact& q) { return order_of(p) < order_of(q); }

/// Motions of the avatars that report contacts, made on first use.
class Motions {
 public:
  Motions(std::span<const Member> members, std::span<const Step> steps)
      : members_(members), steps_(steps) {}

  AxisAt axis(std::size_t member, std::int32_t link, double t) {
    take(member);
    const core::LinkMotion& m = motion_.links()[static_cast<std::size_t>(link)].motion;
    const core::AxisState at = core::evaluate(m, t);
    return {m.ref + at.a, m.ref + at.b};
  }
  /// Of a link with a shape: its rounding.
  [[nodiscard]] double radius(std::size_t member, std::int32_t link) const {
    const Link& of = link_of(member, link);
    return of.shape.empty() ? of.radius : of.shape.radius();
  }
  [[nodiscard]] bool shaped(std::size_t member, std::int32_t link) const {
    return !link_of(member, link).shape.empty();
  }
  /// The point of a link's feature, or of its axis, that is nearest to p.
  Vec3 nearest(std::size_t member, std::int32_t link, std::optional<std::uint32_t> feature,
               double t, const Vec3& p) {
    take(member);
    const core::LinkMotion& m = motion_.links()[static_cast<std::size_t>(link)].motion;
    const Link& of = link_of(member, link);
    core::Hull hull{{of.a, of.b, of.b}, 2, 0.0};
    if (feature) hull = scene::hull_of(of.shape.corners(), of.shape.features()[*feature]);
    core::HullPart point;
    point.corners = 1;
    point.p[0] = p - m.ref;
    const core::FrameState now = core::evaluate(core::frame_motion(m), t);
    return m.ref + core::closest_points(core::part_at(hull, now, {}, {}), point).y;
  }

 private:
  [[nodiscard]] const Link& link_of(std::size_t member, std::int32_t link) const {
    return members_[member].avatar.links()[static_cast<std::size_t>(link)];
  }
  void take(std::size_t member) {
    if (now_ == member) return;
    motion_.set_motions(members_[member].avatar, steps_[member], 0.0);
    now_ = member;
  }

  std::span<const Member> members_;
  std::span<const Step> steps_;
  scene::StepMotion motion_;
  std::size_t now_ = static_cast<std::size_t>(-1);
};

/// The cards of the other avatars in the contacts. `cards`: those of all, in order of number.
MemberCards cards_of(const std::vector<Contact>& contacts,
                     std::span<const std::shared_ptr<const MemberCard>> cards) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(contacts.size());
  for (const Contact& contact : contacts) {
    numbers.push_back(static_cast<std::uint32_t>(contact.other()->avatar));
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  MemberCards out;
  out.reserve(numbers.size());
  for (const auto& card : cards) {
    if (std::binary_search(numbers.begin(), numbers.end(), card->number)) out.push_back(card);
  }
  return out;
}

/// A contact of link (i, contact.link) with link (j, other) as the latter has it.
Contact mirrored(Motions& motions, const Contact& contact, std::size_t i, std::size_t j,
                 std::int32_t other) {
  const double radius = motions.radius(i, contact.link);
  const double other_radius = motions.radius(j, other);
  if (!motions.shaped(i, contact.link) && !motions.shaped(j, other)) {
    return from_other_side(contact, motions.axis(i, contact.link, contact.toc[0]), radius,
                           other_radius);
  }
  Contact out = contact;
  std::swap(out.link_feature, out.other_feature);
  if (!contact.normal) return out;
  const Vec3 on_other = contact.point - other_radius * *contact.normal;
  out.point =
      motions.nearest(i, contact.link, contact.link_feature, contact.place_time(), on_other) -
      radius * *contact.normal;
  out.normal = -1.0 * *contact.normal;
  return out;
}

}  // namespace

Contact from_other_side(const Contact& contact, const AxisAt& first, double radius,
                        double other_radius) {
  Contact out = contact;
  if (!contact.normal) return out;
  const Vec3 n = *contact.normal;
  const Vec3 on_other_axis = contact.point - other_radius * n;
  out.point = nearest_on(first, on_other_axis) - radius * n;
  out.normal = -1.0 * n;
  return out;
}

std::vector<TickResult> contacts_of_each(std::span<const Member> members,
                                         std::span<const Step> steps,
                                         std::span<const std::shared_ptr<const MemberCard>> cards,
                                         std::vector<StepReport> reports) {
  std::vector<TickResult> out(members.size());
  Motions motions(members, steps);
  for (std::size_t i = 0; i < members.size(); ++i) {
    out[i].members = static_cast<std::uint32_t>(members.size());
    out[i].safe_until = reports[i].safe_until;
    if (reports[i].error) out[i].problem = Problem{Refusal::kFailed, reports[i].error->message};
    for (Contact& contact : reports[i].contacts) {
      const OtherLink other = *contact.other();
      const auto j = static_cast<std::size_t>(other.avatar);
      Contact back = mirrored(motions, contact, i, j, other.link);
      back.link = other.link;
      back.touched = OtherLink{static_cast<std::int32_t>(cards[i]->number), contact.link};
      contact.other()->avatar = static_cast<std::int32_t>(cards[j]->number);
      out[j].contacts.push_back(back);
      out[i].contacts.push_back(contact);
    }
    reports[i].contacts = {};
  }
  for (TickResult& result : out) {
    std::sort(result.contacts.begin(), result.contacts.end(), contacts_in_order);
    result.others = cards_of(result.contacts, cards);
  }
  return out;
}

void add_meeting_contacts(const TickResult& result, Contacts wanted, StepReport& report) {
  report.safe_until = std::min(report.safe_until, result.safe_until);
  if (result.contacts.empty()) return;
  std::vector<Contact>& own = report.contacts;
  std::vector<Contact> both;
  both.reserve(own.size() + result.contacts.size());
  // Objects' contacts of one link are in order already, and stay so: merging is stable.
  std::merge(own.begin(), own.end(), result.contacts.begin(), result.contacts.end(),
             std::back_inserter(both), contacts_in_order);
  own = std::move(both);
  if (wanted != Contacts::kFirst) return;
  const auto first =
      std::min_element(own.begin(), own.end(), [](const Contact& p, const Contact& q) {
        return detect::order_of_first(p) < detect::order_of_first(q);
      });
  own = {*first};
}

void add_known_meeting_contacts(const TickResult& result, Contacts wanted, StepReport& report) {
  if (wanted == Contacts::kFirst) {
    report.safe_until = std::min(result.safe_until, report.safe_until);
    return;
  }
  add_meeting_contacts(result, wanted, report);
  std::erase_if(report.contacts,
                [&](const Contact& c) { return c.toc[0] >= report.checked_until; });
}

}  // namespace tocsin::service
