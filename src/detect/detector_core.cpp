#include "detect/detector_core.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "core/certify.h"
#include "detect/clearance.h"

namespace tocsin::detail {

namespace {

/// Contacts::kFirst: the pair before which the least of the step is proved free.
auto order_of_first(const Contact& c) {
  return std::tuple(c.toc[0], c.toc[1], c.link, c.object, c.triangle);
}

}  // namespace

DetectorCore::DetectorCore(Environment environment, const DetectorOptions& options)
    : environment_(std::move(environment)), options_(options), tree_(environment_) {}

core::Triangle DetectorCore::triangle_of(std::uint32_t triangle, const Vec3& ref) const {
  const std::array<Vec3f, 3> v = environment_.corners(triangle);
  return {{core::to_double(v[0]) - ref, core::to_double(v[1]) - ref, core::to_double(v[2]) - ref}};
}

Contact DetectorCore::contact_of(std::int32_t link, std::uint32_t object,
                                 const core::LinkMotion& motion,
                                 const detect::PairContact& pair) const {
  const std::uint32_t first = environment_.objects()[object].first_triangle;
  const core::Triangle triangle = triangle_of(first + pair.triangle(), motion.ref);
  const core::AxisState axis = core::evaluate(motion, pair.lo());
  const core::Closest c = core::closest_points(axis.a, axis.b, triangle);
  const double distance = std::sqrt(c.squared);
  Contact out{link, object, pair.triangle(), pair.status(), {pair.lo(), pair.hi()},
              {},   {},     pair.limited()};
  out.point = motion.ref + c.x;
  // Nearer than eta the direction is rounding: the axis meets the triangle as far as anyone can
  // tell.
  const double reach =
      std::max({core::norm(triangle.v[0]), core::norm(triangle.v[1]), core::norm(triangle.v[2])});
  if (distance > core::rounding_margin(motion, reach)) out.normal = (1.0 / distance) * (c.y - c.x);
  return out;
}

detect::PairContact DetectorCore::check_pair(const core::LinkMotion& motion,
                                             const core::AxisState& at0,
                                             std::span<const std::uint32_t> triangles,
                                             std::uint32_t object, double stop_after,
                                             StepCounters& counters) const {
  const std::uint32_t first = environment_.objects()[object].first_triangle;
  detect::PairContact pair;
  for (const std::uint32_t triangle : triangles) {
    const core::Certificate c =
        core::certify(motion, at0, triangle_of(triangle, motion.ref), options_.tolerance,
                      std::min(pair.stop_after(), stop_after));
    ++counters.candidates;
    counters.evaluations += static_cast<std::uint64_t>(c.evaluations);
    pair.add(triangle - first, c);
  }
  return pair;
}

void DetectorCore::check_link(std::int32_t link, const ActivePairs& active, Workspace& work,
                              StepReport& report, double& first_hi) const {
  const scene::SweptLink& swept = work.motion.links()[static_cast<std::size_t>(link)];
  cull(swept, work);
  if (work.candidates.empty()) return;
  const core::AxisState at0 = core::evaluate(swept.motion, 0.0);
  for (std::size_t begin = 0; begin < work.candidates.size();) {
    const std::uint32_t object = environment_.object_of(work.candidates[begin]);
    const std::span<const std::uint32_t> triangles = same_object(work, begin, object);
    begin += triangles.size();
    if (!active.active(link, object)) continue;
    const detect::PairContact pair =
        check_pair(swept.motion, at0, triangles, object, first_hi, report.counters);
    if (!pair.any()) continue;
    report.contacts.push_back(contact_of(link, object, swept.motion, pair));
    if (options_.contacts == Contacts::kFirst) first_hi = std::min(first_hi, pair.stop_after());
  }
}

void DetectorCore::cull(const scene::SweptLink& swept, Workspace& work) const {
  work.candidates.clear();
  tree_.cull(swept, work.candidates);
  std::sort(work.candidates.begin(), work.candidates.end());  // groups them by object
}

std::span<const std::uint32_t> DetectorCore::same_object(const Workspace& work, std::size_t begin,
                                                         std::uint32_t object) const {
  const Object& run = environment_.objects()[object];
  const std::uint32_t end = run.first_triangle + run.triangle_count;
  const auto first = work.candidates.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, std::lower_bound(first, work.candidates.end(), end)};
}

detect::PairContact DetectorCore::ask_again(const Contact& contact, Workspace& work,
                                            StepReport& report) const {
  const scene::SweptLink& swept = work.motion.links()[static_cast<std::size_t>(contact.link)];
  cull(swept, work);
  const auto at = std::lower_bound(work.candidates.begin(), work.candidates.end(),
                                   environment_.objects()[contact.object].first_triangle);
  const auto begin = static_cast<std::size_t>(at - work.candidates.begin());
  return check_pair(swept.motion, core::evaluate(swept.motion, 0.0),
                    same_object(work, begin, contact.object), contact.object, core::kToEnd,
                    report.counters);
}

void DetectorCore::keep_first(Workspace& work, StepReport& report) const {
  if (report.contacts.empty()) return;
  // What ends a graze may have been pruned because another pair touches earlier. The grazes that
  // could be first are asked again without, or the answer would depend on the order of the links.
  for (Contact& c : report.contacts) {
    if (c.status != ContactStatus::kGraze || c.toc[0] > report.safe_until) continue;
    const core::LinkMotion& motion = work.motion.links()[static_cast<std::size_t>(c.link)].motion;
    c = contact_of(c.link, c.object, motion, ask_again(c, work, report));
  }
  report.contacts = {*std::min_element(
      report.contacts.begin(), report.contacts.end(),
      [](const Contact& p, const Contact& q) { return order_of_first(p) < order_of_first(q); })};
}

void DetectorCore::check(const Avatar& avatar, const Step& step, const ActivePairs& active,
                         Workspace& work, StepReport& report) const {
  work.motion.set(avatar, step, options_.margin, tree_.bounds());
  double first_hi = core::kToEnd;
  // Paper 004, section 5: the avatar's box first. Most steps of most avatars end here.
  core::Box whole;
  for (const scene::SweptLink& link : work.motion.links()) whole = join(whole, link.box);
  if (!tree_.clear_of(whole)) {
    for (std::size_t i = 0; i < work.motion.links().size(); ++i) {
      check_link(static_cast<std::int32_t>(i), active, work, report, first_hi);
    }
  }
  report.safe_until = 1.0;
  for (const Contact& c : report.contacts) {
    report.safe_until = std::min(report.safe_until, c.toc[0]);
  }
  if (options_.clearance) add_clearances(active, work, report);
  if (options_.contacts == Contacts::kFirst) keep_first(work, report);
}

void DetectorCore::add_clearances(const ActivePairs& active, Workspace& work,
                                  StepReport& report) const {
  const auto links = work.motion.links();
  report.clearances.assign(links.size(), HUGE_VAL);
  for (const Contact& c : report.contacts) {
    report.clearances[static_cast<std::size_t>(c.link)] = 0.0;
  }
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (!(report.clearances[i] > 0.0)) continue;
    const auto link = static_cast<std::int32_t>(i);
    report.clearances[i] =
        detect::proved_clearance(links[i].motion, tree_, [&](std::uint32_t triangle) {
          return active.active(link, environment_.object_of(triangle));
        });
  }
}

}  // namespace tocsin::detail
