#include "meeting_scenes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "core/motion/joint_motion.h"
#include "core/vector/vec.h"
#include "oracle/prove_pair.h"
#include "random.h"
#include "shapes/small_shapes.h"

namespace tocsin::oracle::test {
namespace {

constexpr std::array<std::string_view, kSceneKinds> kNames = {
    "crowd", "far",   "clones", "together", "thin",    "half_turns",
    "still", "sizes", "points", "chains",   "brushing"};

constexpr int kFrames = 4;

struct Body {
  Avatar avatar;
  std::vector<Transform> poses;  // kFrames of them, about the origin
};

double radius_of(SceneKind kind, Random& random) {
  return kind == SceneKind::kThin ? random.magnitude(1e-6, 1e-4) : random.between(0.02, 0.1);
}

Quat turn(SceneKind kind, double most, Random& random) {
  if (kind == SceneKind::kHalfTurns && random.chance(0.3)) {
    const Vec3 u = random.direction();
    return {random.chance(0.5) ? 0.0 : random.magnitude(1e-16, 1e-3), u.x, u.y, u.z};
  }
  return random.rotation_by(random.between(0.0, most));
}

Body make_body(SceneKind kind, bool still, Random& random) {
  const int joints = kind == SceneKind::kChains ? 11 : 7 + random.below(5);
  const double size = kind == SceneKind::kSizes ? random.magnitude(0.01, 10.0) : 1.0;
  std::vector<Joint> tree;
  for (int j = 0; j < joints; ++j) {
    const int parent = j == 0 ? -1 : kind == SceneKind::kChains ? j - 1 : random.below(j);
    tree.push_back({"joint" + std::to_string(j), parent, {{}, random.vector(0.1, 0.4)}});
    tree.back().rest.translation = size * tree.back().rest.translation;
  }
  const Skeleton skeleton = *Skeleton::create(tree);
  std::vector<Link> links;
  for (int j = 1; j < joints; ++j) {
    const Joint& joint = tree[static_cast<std::size_t>(j)];
    Link link{"link" + std::to_string(j),
              joint.parent,
              {},
              joint.rest.translation,
              size * radius_of(kind, random)};
    if (kind == SceneKind::kPoints && random.chance(0.7)) {
      link.a = link.b;
      if (random.chance(0.5)) link.b = link.b + random.vector(1e-6, 1e-6);
    }
    link.radius = std::max(link.radius, 1e-6);
    links.push_back(link);
  }
  Body out;
  out.avatar = *Avatar::create("body", skeleton, links);
  const double most = random.chance(0.5) ? 0.15 : 0.8;
  const double travel = random.chance(0.5) ? 0.05 : 0.4;
  std::vector<Transform> pose;
  pose.reserve(tree.size());
  for (const Joint& joint : tree) {
    pose.push_back({core::normalized(random.rotation()), joint.rest.translation});
  }
  for (int f = 0; f < kFrames; ++f) {
    out.poses.insert(out.poses.end(), pose.begin(), pose.end());
    if (still) continue;
    for (Transform& t : pose) t.rotation = core::normalized(turn(kind, most, random) * t.rotation);
    pose[0].translation = pose[0].translation + size * random.vector(0.0, travel);
  }
  return out;
}

// Moves a body as a whole: to `at`, and by `drift` from each frame to the next.
void place(Body& body, const Vec3& at, const Vec3& drift) {
  const std::size_t joints = body.poses.size() / kFrames;
  for (std::size_t f = 0; f < kFrames; ++f) {
    Vec3& root = body.poses[f * joints].translation;
    root = root + (at + static_cast<double>(f) * drift);
  }
}

StepList steps_of(const Body& body, InBetween kind) {
  return Motion::create(body.avatar.skeleton(), 1.0 / 60, body.poses)
      .value()
      .steps({.in_between = kind})
      .value();
}

ObjectMesh random_object(Random& random, const Vec3& centre) {
  ObjectMesh mesh;
  mesh.name = "cloud";
  for (std::uint32_t t = 0; t < 8; ++t) {
    const Vec3 at = centre + random.vector(0.0, 1.5);
    for (int k = 0; k < 3; ++k) {
      const Vec3 p = at + random.vector(0.0, 0.3);
      mesh.vertices.push_back(
          {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    }
    mesh.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
  }
  return mesh;
}

LinkPath path_of(const Avatar& avatar, const Step& step, const Link& link) {
  std::vector<core::JointMotion> chain;
  for (int j = link.joint; j >= 0;
       j = avatar.skeleton().joints()[static_cast<std::size_t>(j)].parent) {
    const auto k = static_cast<std::size_t>(j);
    chain.insert(chain.begin(),
                 core::joint_motion(step.pose0()[k], step.pose1()[k], step.in_between()));
  }
  return {chain, step.in_between(), link.a, link.b};
}

// The least gap, over both bodies' links and sampled times of the first step, metres.
double least_gap(const Body& a, InBetween kind_a, const Body& b, InBetween kind_b) {
  const Step step_a = steps_of(a, kind_a)[0];
  const Step step_b = steps_of(b, kind_b)[0];
  double least = 1e300;
  for (const Link& p : a.avatar.links()) {
    const LinkPath path = path_of(a.avatar, step_a, p);
    for (const Link& q : b.avatar.links()) {
      const LinkPath other = path_of(b.avatar, step_b, q);
      PairProver prover(path, other, p.radius + q.radius);
      for (int i = 0; i <= 8; ++i) {
        const auto apart = static_cast<double>(prover.distance(i / 8.0L).most - prover.radius());
        least = std::min(least, apart);
      }
    }
  }
  return least;
}

// Brings the second nearer to the first, along m, until they are a hair apart, or overlap by one.
void brush(const Body& first, InBetween kind_a, Body& second, InBetween kind_b, Random& random) {
  const Vec3 m = random.direction();
  const double wanted = random.offset(1e-12, 1e-3);
  place(second, 6.0 * m, {});
  double far = 0.0;   // moved back by this much they are farther apart than wanted
  double near = 6.0;  // and by this much nearer
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (far + near);
    Body tried = second;
    place(tried, -middle * m, {});
    (least_gap(first, kind_a, tried, kind_b) > wanted ? far : near) = middle;
  }
  place(second, -near * m, {});
}

// A shape about the link's axis, rounded or not.
Link shaped_link(const Link& link, Random& random) {
  UnitShape unit = unit_shape(static_cast<ShapeKind>(random.below(kShapeKinds)), random);
  const double length = core::norm(link.b - link.a);
  const double size = std::max({0.5 * length, link.radius, 1e-3}) * random.between(0.5, 1.0);
  const Quat turn = core::normalized(random.rotation());
  for (Vec3& p : unit.corners) p = 0.5 * (link.a + link.b) + size * core::rotate(turn, p);
  const double radius = random.chance(0.5) ? 0.0 : random.unit() * link.radius;
  return link_of_shape(link.name, link.joint,
                       Shape::mesh(unit.corners, unit.features, radius).value());
}

ObjectMesh closed_box(const Vec3& centre, double half) {
  const Shape box = Shape::box({half, half, half}).value();
  ObjectMesh mesh;
  mesh.name = "crate";
  for (const Vec3& p : box.corners()) {
    const Vec3 at = centre + p;
    mesh.vertices.push_back(
        {static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)});
  }
  mesh.triangles.assign(box.features().begin(), box.features().end());
  return mesh;
}

}  // namespace

std::string_view name_of(SceneKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

MeetingScene make_scene(SceneKind kind, std::uint64_t seed, std::uint64_t number) {
  // Streams from 200: the queries of pairs have those below.
  Random random(seed, 200 + static_cast<std::uint64_t>(kind), number);
  const bool brushing = kind == SceneKind::kBrushing;
  const int avatars = brushing ? 2 : 2 + random.below(3);
  Vec3 centre;
  if (kind == SceneKind::kFar) {
    const double far = random.magnitude(100.0, 1e4);
    centre = random.vector(far, far);
  }
  Vec3 drift;
  if (kind == SceneKind::kTogether) drift = random.log_vector(1.0, 30.0);
  std::vector<Body> bodies;
  std::vector<InBetween> kinds;
  for (int i = 0; i < avatars; ++i) {
    const bool still = kind == SceneKind::kStill && (i > 0 || random.chance(0.3));
    const bool clone = kind == SceneKind::kClones && i > 0;
    const Body fresh = make_body(kind, still, random);
    bodies.push_back(clone ? bodies.front() : fresh);
    Vec3 at = centre + random.vector(0.0, 0.6);
    if (clone)
      at = random.chance(0.15) ? Vec3{} : random.log_vector(random.chance(0.3) ? 1e-9 : 0.1, 2.0);
    const bool own_kind = clone && random.chance(0.5);
    kinds.push_back(own_kind             ? kinds.front()
                    : random.chance(0.5) ? InBetween::kScrew
                                         : InBetween::kTranslateRotate);
    if (brushing) continue;
    place(bodies.back(), at, clone ? Vec3{} : drift);
  }
  if (brushing) brush(bodies[0], kinds[0], bodies[1], kinds[1], random);
  MeetingScene scene;
  const std::vector<ObjectMesh> objects{random_object(random, centre)};
  scene.room = *Environment::create(objects);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    scene.members.push_back({bodies[i].avatar, {}, LinkPairs::of(bodies[i].avatar)});
    scene.steps.push_back(steps_of(bodies[i], kinds[i]));
  }
  return scene;
}

MeetingScene make_shaped_scene(SceneKind kind, std::uint64_t seed, std::uint64_t number) {
  MeetingScene scene = make_scene(kind, seed, number);
  Random random(seed, 250 + static_cast<std::uint64_t>(kind), number);
  for (Member& member : scene.members) {
    const Avatar& avatar = member.avatar;
    std::vector<Link> links(avatar.links().begin(), avatar.links().end());
    for (Link& link : links) {
      if (random.chance(0.6)) link = shaped_link(link, random);
    }
    member.avatar = Avatar::create(avatar.name(), avatar.skeleton(), links).value();
    member.self = LinkPairs::of(member.avatar);
  }
  ObjectMesh cloud;
  cloud.name = "cloud";
  cloud.vertices.assign(scene.room.vertices().begin(), scene.room.vertices().end());
  cloud.triangles.assign(scene.room.triangles().begin(), scene.room.triangles().end());
  const Vec3 first = scene.steps.front()[0].pose0()[0].translation;
  const std::vector<ObjectMesh> objects{
      cloud, closed_box(first + random.vector(0.0, 0.5), random.between(0.15, 0.8))};
  scene.room = Environment::create(objects).value();
  return scene;
}

}  // namespace tocsin::oracle::test
