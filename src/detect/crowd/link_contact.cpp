#include "detect/crowd/link_contact.h"

#include "core/query/contact_point.h"
#include "core/query/link_pair.h"
#include "cpu/kernels/kernels.h"
#include "detect/shapes/shape_clearance.h"
#include "detect/shapes/shape_contacts.h"
#include "detect/step/clearance.h"
#include "detect/step/contact_at.h"
#include "detect/step/pair_contact.h"

namespace tocsin::detect {

std::optional<Contact> contact_of_links(MovingLinks& a, MovingLinks& b, const NearLinks& pair,
                                        const OtherLink& other, const SearchLimits& limits,
                                        StepCounters& counters) {
  thread_local ShapeContacts shapes;
  return contact_of_links(a, b, pair, other, limits, shapes, counters);
}

std::optional<Contact> contact_of_links(MovingLinks& a, MovingLinks& b, const NearLinks& pair,
                                        const OtherLink& other, const SearchLimits& limits,
                                        ShapeContacts& shapes, StepCounters& counters) {
  if (!a.shape(pair.link).empty() || !b.shape(pair.other).empty()) {
    return shapes.with_link(a, b, pair, other, limits, counters);
  }
  const core::LinkMotion& link = a.motion(pair.link);
  const core::LinkMotion& second = b.motion(pair.other);
  const core::AxisState& a0 = a.at0(pair.link);
  const core::AxisState& b0 = b.at0(pair.other);
  const core::Certificate c =
      core::certify_pair<cpu::evaluate>(link, a0, second, b0, limits.tolerance, limits.stop_after);
  counters.evaluations += static_cast<std::uint64_t>(c.evaluations);
  // What no touch was proved of, and volumes around both motions prove free, depends on no
  // broadphase.
  if (c.outcome == core::Outcome::kGraze && !core::may_graze(link, second)) return std::nullopt;
  PairContact answer;
  answer.add(0, c);
  if (!answer.any()) return std::nullopt;
  Contact out;
  out.link = static_cast<std::int32_t>(pair.link);
  out.touched = other;
  answer.set(out);
  if (const double t = answer.place_time(); t > 0.0) {
    set_place(out,
              core::contact_point(link, cpu::evaluate(link, t), second, cpu::evaluate(second, t)));
  } else {
    set_place(out, core::contact_point(link, a0, second, b0));
  }
  return out;
}

double clearance_of_links(MovingLinks& a, std::size_t link, MovingLinks& b, std::size_t other,
                          const std::stop_token* stop) {
  if (!a.shape(link).empty() || !b.shape(other).empty()) {
    return shape_clearance(a, link, b, other, stop);
  }
  return proved_clearance(a.motion(link), b.motion(other));
}

}  // namespace tocsin::detect
