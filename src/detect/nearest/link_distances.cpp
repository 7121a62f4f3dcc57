#include "detect/nearest/link_distances.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>
#include <span>
#include <tuple>
#include <utility>

#include "cpu/kernels/kernels.h"
#include "detect/backends/detector_core.h"
#include "detect/nearest/nearest_triangle.h"
#include "detect/shapes/nearest_feature.h"
#include "detect/shapes/shape_depth.h"
#include "detect/step/depth.h"
#include "detect/step/step_problem.h"
#include "scene/room/coordinate_limit.h"
#include "scene/shape/shape_data.h"

namespace tocsin::detect {

namespace {

/// One link among the objects of a room that stand.
class StandingSearch {
 public:
  StandingSearch(const NearQuestion& question, MovingLinks& links, std::size_t link,
                 std::vector<LinkDistance>& out)
      : question_(question),
        environment_(question.exact.environment()),
        tree_(question.exact.tree()),
        links_(links),
        link_(link),
        motion_(links.motion(link)),
        axis_(cpu::evaluate(motion_, question.time)),
        slack_(slack_around(motion_.ref, axis_, tree_.bounds())),
        out_(out) {}

  void run() {
    if (links_.shape(link_).empty()) {
      find_around(motion_.ref + axis_.a);
      look_at_axis();
      for (const std::uint32_t object : around_) add_axis_inside(object);
    } else {
      core::LinkMotion corner = motion_;
      for (const Vec3& at : scene::data_of(links_.shape(link_)).components) {
        corner.a = at;
        corner.b = at;
        find_around(corner.ref + core::evaluate(corner, question_.time).a);
      }
      look_at_shape();
      for (const std::uint32_t object : around_) add_shape_inside(object);
    }
  }

 private:
  [[nodiscard]] std::int32_t number() const { return static_cast<std::int32_t>(link_); }
  [[nodiscard]] SolidRoom room() const { return {environment_, tree_, question_.exact.solid()}; }

  /// Notes the solid objects that hold a point.
  void find_around(const Vec3& point) {
    const SceneView* const scene = question_.exact.scene();
    question_.exact.solid().for_each_around(point, [&](std::uint32_t object) {
      if (scene != nullptr && !scene->stands(object)) return;
      if (!question_.active.active(number(), object) || is_around(object)) return;
      around_.push_back(object);
    });
  }
  [[nodiscard]] bool is_around(std::uint32_t object) const {
    return std::find(around_.begin(), around_.end(), object) != around_.end();
  }

  /// Calls look(object, triangles) for all active objects around which nothing is known yet, with
  /// those of their triangles, in order, whose boxes are within `reach` of the axis's box.
  template <class Look>
  void for_each_object(double reach, const Look& look) {
    thread_local std::vector<std::uint32_t> near;
    near.clear();
    static_cast<void>(tree_.nearest(motion_.ref + axis_.a, motion_.ref + axis_.b, reach,
                                    [&](std::uint32_t triangle) {
                                      near.push_back(triangle);
                                      return false;
                                    }));
    std::sort(near.begin(), near.end());
    for (auto begin = near.cbegin(); begin != near.cend();) {
      go_on(question_.stop);
      const std::uint32_t object = environment_.object_of(*begin);
      const Object& of = environment_.objects()[object];
      const auto end = std::lower_bound(begin, near.cend(), of.first_triangle + of.triangle_count);
      if (question_.active.active(number(), object) && !is_around(object)) {
        look(object, std::span(begin, end));
      }
      begin = end;
    }
  }

  void look_at_axis() {
    const double limit = question_.within + motion_.radius + slack_;
    for_each_object(limit, [&](std::uint32_t object, std::span<const std::uint32_t> triangles) {
      NearestTriangle nearest(environment_, motion_.ref, axis_, slack_, limit);
      for (const std::uint32_t triangle : triangles) nearest.look_at(triangle);
      if (!nearest.any()) return;
      add(object, nearest.triangle(), std::nullopt,
          {motion_.ref, nearest.closest().y, nearest.closest().x, nearest.distance(),
           motion_.radius, slack_, false});
    });
  }

  void look_at_shape() {
    thread_local NearestFeature nearest;
    nearest.begin(links_, link_, question_.time, tree_.bounds(), HUGE_VAL);
    const double limit = question_.within + nearest.radius() + nearest.slack();
    const double reach = limit + nearest.capsule().radius + slack_;
    for_each_object(reach, [&](std::uint32_t object, std::span<const std::uint32_t> triangles) {
      nearest.begin_again(limit);
      for (const std::uint32_t triangle : triangles) nearest.look_at(environment_, triangle);
      if (!nearest.any()) return;
      const NearestFeatures found = nearest.answer(environment_);
      add(object, nearest.triangle(), first_of(found.pair),
          {nearest.ref(), found.own, found.point, found.distance, nearest.radius(), nearest.slack(),
           false});
    });
  }

  void add_axis_inside(std::uint32_t object) {
    const Depth depth = depth_in(tree_, environment_, object, motion_, axis_, true);
    const std::uint32_t triangle = environment_.objects()[object].first_triangle + depth.triangle;
    const core::Closest c =
        core::closest_points(axis_.a, axis_.b, triangle_of(environment_, triangle, motion_.ref));
    add(object, triangle, std::nullopt,
        {motion_.ref, c.y, c.x, depth.distance, motion_.radius, slack_, true});
  }

  void add_shape_inside(std::uint32_t object) {
    const auto corner = deepest_corner(room(), object, links_, link_, question_.time);
    if (!corner) return;  // cannot be: it was there before
    const double radius = links_.shape(link_).radius() + links_.margin();
    const std::uint32_t first = environment_.objects()[object].first_triangle;
    add(object, first + corner->depth.triangle, std::nullopt,
        {motion_.ref, corner->at, corner->depth.point - motion_.ref, corner->depth.distance, radius,
         slack_, true});
  }

  void add(std::uint32_t object, std::uint32_t triangle, std::optional<std::uint32_t> feature,
           const NearPlace& at) {
    LinkDistance one;
    one.link = number();
    one.nearest = {object, triangle - environment_.objects()[object].first_triangle};
    one.link_feature = feature;
    set_place(one, at);
    if (one.distance <= question_.within) out_.push_back(one);
  }

  const NearQuestion& question_;
  const Environment& environment_;
  const cpu::TreeCuller& tree_;
  MovingLinks& links_;
  std::size_t link_;
  const core::LinkMotion& motion_;
  core::AxisState axis_;
  double slack_;
  std::vector<std::uint32_t> around_;
  std::vector<LinkDistance>& out_;
};

std::vector<LinkDistance> link_distances(const NearQuestion& question, const Avatar& avatar,
                                         const Step& step) {
  thread_local MovingLinks links;
  const ExactStep& exact = question.exact;
  links.begin(avatar, step, exact.options().margin, exact.tree().bounds());
  std::vector<LinkDistance> out;
  for (std::size_t link = 0; link < links.count(); ++link) {
    go_on(question.stop);
    add_standing(question, links, link, out);
    if (exact.scene() != nullptr) add_in_motion(question, *exact.scene(), links, link, out);
  }
  std::sort(out.begin(), out.end(), [](const LinkDistance& p, const LinkDistance& q) {
    return std::tuple(p.distance, p.link, p.nearest.object) <
           std::tuple(q.distance, q.link, q.nearest.object);
  });
  return out;
}

std::optional<Error> problem_with_nearest(double time, double within) {
  if (!(time >= 0.0 && time <= 1.0)) {
    return Error{ErrorCode::kUsage, "a step's time must be between 0 and 1"};
  }
  if (!(within >= 0.0 && within <= scene::kMaxCoordinate)) {
    return Error{ErrorCode::kUsage, "a distance to look within must be between 0 and 1e6 metres"};
  }
  return std::nullopt;
}

}  // namespace

void set_place(LinkDistance& out, const NearPlace& at) {
  out.inside = at.inside;
  out.distance = at.inside ? -(at.radius + at.distance) : at.distance - at.radius;
  out.point = at.ref + at.point;
  // Nearer than that the direction is rounding.
  if (!(at.distance > at.slack)) {
    out.own = at.ref + at.on_link;
    return;
  }
  const Vec3 normal = (1.0 / at.distance) * (at.on_link - at.point);
  out.own = at.ref + (at.on_link + (at.inside ? at.radius : -at.radius) * normal);
}

void add_standing(const NearQuestion& question, MovingLinks& links, std::size_t link,
                  std::vector<LinkDistance>& out) {
  StandingSearch(question, links, link, out).run();
}

}  // namespace tocsin::detect

namespace tocsin {

Result<std::vector<LinkDistance>> Detector::nearest(const Member& member, const Step& step,
                                                    double time, double within,
                                                    const std::stop_token& stop) const {
  if (auto problem = detect::problem_with(member, step, environment_)) return *std::move(problem);
  if (auto problem = detect::problem_with_nearest(time, within)) return *std::move(problem);
  const detect::ExactStep& exact = core_->exact();
  try {
    const ActivePairs active =
        exact.scene() != nullptr ? exact.scene()->active(member, {}) : member.active;
    return detect::link_distances({exact, active, time, within, &stop}, member.avatar, step);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, "out of memory while distances were measured"};
  } catch (const detect::Stopped&) {
    return {ErrorCode::kCancelled, "stopped while distances were measured"};
  }
}

}  // namespace tocsin
