#include "tocsin/certify.h"

#include <fmt/format.h>

#include <algorithm>

#include "cpu/kernels/kernels.h"
#include "detect/crowd/link_contact.h"
#include "detect/shapes/shape_contacts.h"
#include "detect/step/contact_at.h"
#include "detect/step/moving_links.h"
#include "detect/step/step_problem.h"
#include "scene/room/coordinate_limit.h"
#include "scene/tree/may_touch.h"

namespace tocsin {

namespace {

std::optional<Error> problem_with(const MovingLink& moving, const CertifyOptions& options) {
  if (auto problem = detect::problem_with(options.margin, options.tolerance)) return problem;
  if (auto problem = detect::problem_with(moving.avatar, moving.step)) return problem;
  const std::size_t links = moving.avatar.links().size();
  if (moving.link >= 0 && static_cast<std::size_t>(moving.link) < links) return std::nullopt;
  return Error{ErrorCode::kUsage,
               fmt::format("the avatar has {} links: there is no link {}", links, moving.link)};
}

/// certify of a link that has a shape.
Result<std::optional<Contact>> certify_shape(const MovingLink& moving,
                                             const std::array<Vec3f, 3>& triangle,
                                             const CertifyOptions& options) {
  const Environment room =
      Environment::create({{"", {triangle.begin(), triangle.end()}, {{0, 1, 2}}}}).value();
  const std::array<std::uint32_t, 1> all{0};
  detect::MovingLinks links;
  links.begin(moving.avatar, moving.step, options.margin, scene::box_of_corners(triangle));
  StepCounters counters;
  return detect::ShapeContacts().with_room(links, static_cast<std::size_t>(moving.link),
                                           {room, 0, all},
                                           {options.tolerance, core::kToEnd, nullptr}, counters);
}

}  // namespace

Result<std::optional<Contact>> certify(const MovingLink& moving,
                                       const std::array<Vec3f, 3>& triangle,
                                       const CertifyOptions& options) {
  if (auto problem = problem_with(moving, options)) return *std::move(problem);
  if (!std::all_of(triangle.begin(), triangle.end(), scene::within_reach<Vec3f>)) {
    return {ErrorCode::kUsage, "a triangle's coordinates must be finite and at most 1e6 metres"};
  }
  if (!moving.avatar.links()[static_cast<std::size_t>(moving.link)].shape.empty()) {
    return certify_shape(moving, triangle, options);
  }
  const core::Box bounds = scene::box_of_corners(triangle);
  scene::StepMotion motion;
  motion.begin(moving.avatar, moving.step, options.margin, bounds);
  const scene::SweptLink& swept = motion.link(static_cast<std::size_t>(moving.link));
  const core::AxisState at0 = cpu::evaluate(swept.motion, 0.0);
  const core::Triangle seen =
      core::triangle_seen_from(swept.motion.ref, triangle[0], triangle[1], triangle[2]);
  const core::Certificate c =
      cpu::certify(swept.motion, at0, seen, options.tolerance, core::kToEnd);
  detect::PairContact pair;
  if (c.outcome != core::Outcome::kGraze ||
      scene::may_graze(swept, triangle, scene::farthest_coordinate(bounds))) {
    pair.add(0, c);
  }
  if (!pair.any()) return std::optional<Contact>();
  Contact out;
  out.link = moving.link;
  pair.set(out);
  const core::AxisState axis = pair.lo() > 0.0 ? cpu::evaluate(swept.motion, pair.lo()) : at0;
  detect::set_place(out, core::contact_point(swept.motion, axis, seen));
  return std::optional(out);
}

Result<std::optional<Contact>> certify(const MovingLink& moving, const MovingLink& other,
                                       const CertifyOptions& options) {
  if (auto problem = problem_with(moving, options)) return *std::move(problem);
  if (auto problem = problem_with(other, options)) return *std::move(problem);
  detect::MovingLinks first;
  detect::MovingLinks second;
  first.begin(moving.avatar, moving.step, options.margin, {});
  second.begin(other.avatar, other.step, options.margin, {});
  StepCounters counters;
  return detect::contact_of_links(
      first, second, {static_cast<std::size_t>(moving.link), static_cast<std::size_t>(other.link)},
      {1, other.link}, {options.tolerance, core::kToEnd, nullptr}, counters);
}

}  // namespace tocsin
