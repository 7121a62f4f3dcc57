// How near links are to objects of a scene that move or deform, where these are at one time.
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "detect/nearest/link_distances.h"
#include "detect/nearest/nearest_triangle.h"
#include "detect/shapes/nearest_feature.h"
#include "scene/shape/shape_data.h"
#include "scene/solid/solids.h"

namespace tocsin::detect {

namespace {

/// Points of a link that tell whether an object holds it, in its joint's frame: the start of the
/// axis; of a shape, a corner of each part.
std::span<const Vec3> starts_of(const Link& link) {
  if (link.shape.empty()) return {&link.a, 1};
  return scene::data_of(link.shape).components;
}

/// A link at the time of a question.
struct LinkThen {
  LinkThen(const NearQuestion& of, MovingLinks& links, std::size_t number)
      : question(of),
        source(links.source(number)),
        link(static_cast<std::int32_t>(number)),
        ref(links.motion(number).ref),
        features(store.of_link(links, number)),
        state(core::evaluate(core::frame_motion(links.motion(number)), of.time)) {
    const core::AxisState axis = core::evaluate(links.motion(number), of.time);
    const double slack = kNearSlack * (core::norm(ref) + core::norm(state.origin) + features.reach);
    near = core::grown_box(ref + axis.a, ref + axis.b,
                           of.within + features.radius + source.radius + slack);
  }
  LinkThen(const LinkThen&) = delete;
  LinkThen& operator=(const LinkThen&) = delete;

  [[nodiscard]] bool shaped() const { return !source.shape.empty(); }
  [[nodiscard]] bool active(std::uint32_t object) const {
    return question.active.active(link, object);
  }
  /// Where a point of its frame is, relative to ref.
  [[nodiscard]] Vec3 at(const Vec3& point) const { return core::position_of(state, point); }

  const NearQuestion& question;
  const Link& source;
  std::int32_t link;
  Vec3 ref;
  FeatureStore store;
  Features features;
  core::FrameState state;
  core::Box near;  ///< what is within the distance is in it
};

/// The nearest of an object's triangles, and which of the link's features; places are relative to
/// the link's ref.
struct Nearest {
  NearestFeatures features;
  std::uint32_t triangle = 0;
  std::optional<std::uint32_t> link_feature;
  double slack = 0.0;
};

void add(const LinkThen& link, std::uint32_t object, const Nearest& nearest, bool inside,
         std::vector<LinkDistance>& out) {
  LinkDistance one;
  one.link = link.link;
  one.nearest = {object, nearest.triangle};
  one.link_feature = nearest.link_feature;
  set_place(one, {link.ref, nearest.features.own, nearest.features.point, nearest.features.distance,
                  link.features.radius, nearest.slack, inside});
  if (one.distance <= link.question.within) out.push_back(one);
}

/// Adds a pair. all(inside): the nearest of all features; none: they are farther than the question
/// asks, and not inside. from_point(l): that of a point of the link's frame. holds(l): whether the
/// object holds it. Of a shape the deepest of its points counts, as in Detector::depth.
template <class All, class FromPoint, class Holds>
void add_pair(const LinkThen& link, std::uint32_t object, const All& all,
              const FromPoint& from_point, const Holds& holds, std::vector<LinkDistance>& out) {
  std::optional<Nearest> deepest;
  if (link.question.exact.solid().is_solid(object)) {
    for (const Vec3& point : starts_of(link.source)) {
      if (!holds(point)) continue;
      const std::optional<Nearest> one = link.shaped() ? from_point(point) : all(true);
      if (!one) continue;
      if (!deepest || one->features.distance > deepest->features.distance) deepest = one;
    }
  }
  if (deepest) return add(link, object, *deepest, true, out);
  if (const std::optional<Nearest> nearest = all(false)) add(link, object, *nearest, false, out);
}

/// An object that moves, at the time of the question.
class MoverThen {
 public:
  MoverThen(const LinkThen& link, const Movers& movers, std::size_t mover)
      : link_(link), object_(movers[mover].object) {
    thread_local MovingLinks body;
    body.begin(movers[mover].body, movers.step(mover), 0.0, {});
    features_ = store_.of_link(body, 0);
    const core::FrameMotion frame = core::frame_motion(body.motion(0));
    state_ = core::evaluate(frame, link.question.time);
    start_ = core::evaluate(frame, 0.0);
    ref_ = frame.ref;
    shift_ = frame.ref - link.ref;
  }

  [[nodiscard]] std::optional<Nearest> from(const Features& features) const {
    thread_local FeatureDistance measure;
    Nearest out;
    out.slack = kNearSlack * (core::norm(shift_) + core::norm(link_.state.origin) + features.reach +
                              core::norm(state_.origin) + features_.reach);
    measure.nearest({link_.state, state_, shift_}, features, features_, out.slack, out.features);
    out.triangle = second_of(out.features.pair);
    return out;
  }
  /// Whether it holds a point of the link's frame: where the point would be if the object were
  /// still where it starts, whose surface is known.
  [[nodiscard]] bool holds(const Vec3& point) const {
    const Vec3 from = link_.at(point) - (shift_ + state_.origin);
    const Vec3 own{core::dot(from, state_.x), core::dot(from, state_.y), core::dot(from, state_.z)};
    return link_.question.exact.solid().holds(object_, ref_ + core::position_of(start_, own));
  }

 private:
  const LinkThen& link_;
  std::uint32_t object_;
  FeatureStore store_;
  Features features_;
  core::FrameState state_;
  core::FrameState start_;
  Vec3 ref_;
  Vec3 shift_;
};

void add_mover(const LinkThen& link, const Movers& movers, std::size_t mover,
               std::vector<LinkDistance>& out) {
  const MoverThen other(link, movers, mover);
  const auto all = [&](bool /*inside*/) {
    std::optional<Nearest> nearest = other.from(link.features);
    if (link.shaped()) nearest->link_feature = first_of(nearest->features.pair);
    return nearest;
  };
  const auto from_point = [&](const Vec3& point) {
    FeatureStore store;
    return other.from(store.of_point(point));
  };
  const auto holds = [&](const Vec3& point) { return other.holds(point); };
  add_pair(link, movers[mover].object, all, from_point, holds, out);
}

/// A mesh whose corners are where they are at a local time, in the world, rounded to floats, facing
/// outward if it does.
Environment mesh_then(const Deformer& of, double time) {
  ObjectMesh mesh;
  const std::span<const Vec3f> before = of.before->alone.vertices();
  const std::span<const Vec3f> after = of.after->alone.vertices();
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Vec3 from = core::to_double(of.at.place(before[i]));
    const Vec3 to = core::to_double(of.to.place(after[i]));
    const Vec3 then = from + time * (to - from);
    mesh.vertices.push_back(
        {static_cast<float>(then.x), static_cast<float>(then.y), static_cast<float>(then.z)});
  }
  const std::span<const TriangleIndices> triangles = of.before->alone.triangles();
  mesh.triangles.assign(triangles.begin(), triangles.end());
  if (of.at.mirrors) {
    for (TriangleIndices& t : mesh.triangles) std::swap(t[1], t[2]);
  }
  auto room = Environment::create({std::move(mesh)});
  return room ? std::move(room).value() : Environment();
}

/// An object that deforms, at the time of the question.
class DeformerThen {
 public:
  DeformerThen(const LinkThen& link, const Deformers& deformers, std::size_t deformer)
      : link_(link), deformers_(deformers), deformer_(deformer) {}

  /// Of the triangles that are somewhere in `box` during the step, and no farther than `limit`.
  [[nodiscard]] std::optional<Nearest> from(const Features& features, const core::Box& box,
                                            double limit) const {
    thread_local NearestFeature nearest;
    thread_local std::vector<MovingTriangle> near;
    const double time = link_.question.time;
    const double slack = kNearSlack * (core::norm(link_.ref) + core::norm(link_.state.origin) +
                                       features.reach + core::farthest_corner(link_.ref, of().box));
    nearest.begin(features, link_.state, link_.ref, slack, limit);
    deformers_.find_near(deformer_, box, near);
    FeatureStore store;
    std::size_t least = 0;
    for (std::size_t i = 0; i < near.size(); ++i) {
      nearest.look_at(near[i].triangle, store.of_triangle_at(near[i], time, link_.ref));
      if (nearest.any() && nearest.triangle() == near[i].triangle) least = i;
    }
    if (!nearest.any()) return std::nullopt;
    Nearest out;
    out.features = nearest.answer(store.of_triangle_at(near[least], time, link_.ref));
    out.triangle = nearest.triangle();
    out.slack = slack;
    return out;
  }
  [[nodiscard]] bool holds(const Vec3& point) const {
    const Vec3 at = link_.ref + link_.at(point);
    const double time = link_.question.time;
    if (time == 0.0) return link_.question.exact.solid().holds(of().object, at);
    if (!core::overlap(of().box, core::grown_box(at, at, 0.0))) return false;
    const Environment room = mesh_then(of(), time);
    bool found = false;
    scene::Solids(room).for_each_around(room, at, [&](std::uint32_t /*object*/) { found = true; });
    return found;
  }
  [[nodiscard]] const Deformer& of() const { return deformers_[deformer_]; }

 private:
  const LinkThen& link_;
  const Deformers& deformers_;
  std::size_t deformer_;
};

void add_deformer(const LinkThen& link, const Deformers& deformers, std::size_t deformer,
                  std::vector<LinkDistance>& out) {
  const DeformerThen other(link, deformers, deformer);
  const auto all = [&](bool inside) {
    std::optional<Nearest> nearest =
        inside ? other.from(link.features, other.of().box, HUGE_VAL)
               : other.from(link.features, link.near, link.question.within + link.features.radius);
    if (nearest && link.shaped()) nearest->link_feature = first_of(nearest->features.pair);
    return nearest;
  };
  const auto from_point = [&](const Vec3& point) {
    FeatureStore store;
    return other.from(store.of_point(point), other.of().box, HUGE_VAL);
  };
  const auto holds = [&](const Vec3& point) { return other.holds(point); };
  add_pair(link, other.of().object, all, from_point, holds, out);
}

}  // namespace

void add_in_motion(const NearQuestion& question, const SceneView& scene, MovingLinks& links,
                   std::size_t link, std::vector<LinkDistance>& out) {
  if (scene.in_motion() == 0) return;
  const LinkThen then(question, links, link);
  for (std::size_t m = 0; m < scene.movers().size(); ++m) {
    if (!core::overlap(then.near, scene.movers().box(m))) continue;
    if (!then.active(scene.movers()[m].object)) continue;
    go_on(question.stop);
    add_mover(then, scene.movers(), m, out);
  }
  for (std::size_t d = 0; d < scene.deformers().size(); ++d) {
    if (!core::overlap(then.near, scene.deformers()[d].box)) continue;
    if (!then.active(scene.deformers()[d].object)) continue;
    go_on(question.stop);
    add_deformer(then, scene.deformers(), d, out);
  }
}

}  // namespace tocsin::detect
