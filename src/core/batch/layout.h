// A batch: many avatars, one step each, in one room, laid out in a few plain arrays that a device
// can read. docs/cuda.md, "What a batch is".
//
// Links of all steps are numbered through: those of step s are first_link + 0, 1, ...; so are
// joints. Indices are 32 bits: a batch has less than 2^32 links, joints and transforms.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/bounds/box.h"
#include "core/motion/joint_motion.h"
#include "core/motion/link_motion.h"
#include "core/motion/surroundings.h"
#include "core/vector/hd.h"
#include "core/vector/vec.h"
#include "tocsin/types.h"

namespace tocsin::core {
struct HullNode;
}

namespace tocsin::core::batch {

/// No index.
inline constexpr std::uint32_t kNone = 0xFFFFFFFFU;

/// A link of a model.
struct ModelLink {
  std::int32_t joint = 0;         ///< of the model's joints
  std::uint32_t chain_begin = 0;  ///< into View::chains: the joints from the root to `joint`
  std::int32_t chain_length = 0;
  Vec3 a;  ///< joint's frame, metres
  Vec3 b;
  double radius = 0.0;  ///< metres, without the margin
  /// Into View::shapes. kNone: a line swept sphere. Else a and b are the axis of one that holds it.
  std::uint32_t shape = kNone;
};

/// A shape: a tree of features. Its parts begin there in the View's arrays.
struct BatchShape {
  std::uint32_t first_corner = 0;
  std::uint32_t first_feature = 0;
  std::uint32_t first_node = 0;
  double radius = 0.0;   ///< metres, without the margin
  double longest = 0.0;  ///< as HullTree
  double reach = 0.0;
};

/// Links bound to a skeleton. Avatars of a batch that have the same ones share a model.
struct Model {
  std::uint32_t first_joint = 0;  ///< of the models' joints
  std::uint32_t joint_count = 0;
  std::uint32_t first_link = 0;  ///< into View::links
  std::uint32_t link_count = 0;
};

/// One avatar's step.
struct BatchStep {
  std::uint32_t model = 0;
  std::uint32_t pose0 = 0;  ///< into View::poses: the first of the model's joint_count transforms
  std::uint32_t pose1 = 0;
  std::uint32_t first_link = 0;   ///< of the batch's links
  std::uint32_t first_joint = 0;  ///< of the batch's joints
  std::uint32_t group = 0;        ///< avatars of one group meet each other
  std::uint32_t mask = kNone;     ///< into View::masks; kNone: every pair is active
  InBetween in_between = InBetween::kScrew;
};

/// A group: the box around the refs of all its links, to which their boxes must reach.
struct Group {
  Box refs;
};

/// A batch as kernels see it. All pointers are the device's.
struct View {
  const Model* models = nullptr;
  const ModelLink* links = nullptr;
  const std::int32_t* chains = nullptr;  ///< joints of the model
  const Transform* poses = nullptr;      ///< joint to parent
  const BatchStep* steps = nullptr;
  const Group* groups = nullptr;
  const std::uint32_t* step_of_link = nullptr;   ///< per link of the batch
  const std::uint32_t* step_of_joint = nullptr;  ///< per joint of the batch
  /// One table after the other: per link and object 1 if the pair is off.
  const std::uint8_t* masks = nullptr;
  const BatchShape* shapes = nullptr;
  const Vec3* shape_corners = nullptr;            ///< joint's frame, metres
  const std::uint32_t* shape_features = nullptr;  ///< three corners of the shape each
  const HullNode* shape_nodes = nullptr;
  /// Per link of the batch: by how much the line swept sphere of a shape is larger, metres, so that
  /// what is free of it is free of the shape for certify_hulls as well. Null: there are no shapes.
  const double* extra = nullptr;
  JointMotion* motions = nullptr;  ///< per joint of the batch; those above no link are not set
  std::uint32_t step_count = 0;
  std::uint32_t link_count = 0;
  std::uint32_t joint_count = 0;
  std::uint32_t group_count = 0;  ///< BatchStep::group is below
  double margin = 0.0;            ///< added to every radius, metres
};

/// The room as kernels see it.
struct RoomView {
  const Vec3f* vertices = nullptr;                ///< world, metres
  const std::uint32_t* corners = nullptr;         ///< three vertices a triangle
  const std::uint32_t* object_of = nullptr;       ///< per triangle
  const std::uint32_t* first_triangle = nullptr;  ///< per object
  std::uint32_t triangle_count = 0;
  std::uint32_t object_count = 0;
  Box bounds;             ///< of all triangles
  double farthest = 0.0;  ///< greatest |coordinate| of a triangle, metres
};

/// A triangle's corners.
struct Corners {
  Vec3f a;
  Vec3f b;
  Vec3f c;
};
TOCSIN_HD inline Corners corners_of(const RoomView& room, std::uint32_t triangle) {
  const std::uint32_t* const v = room.corners + 3 * static_cast<std::size_t>(triangle);
  return {room.vertices[v[0]], room.vertices[v[1]], room.vertices[v[2]]};
}

/// A triangle that a link may touch.
struct Candidate {
  std::uint32_t near = 0;  ///< index among the near links
  std::uint32_t triangle = 0;
};

/// Two links of the batch, first < second.
struct LinkPair {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  friend constexpr bool operator==(const LinkPair&, const LinkPair&) = default;
};

/// Work done for one step, for StepCounters.
struct StepTally {
  std::uint64_t near_links = 0;
  std::uint64_t candidates = 0;
  std::uint64_t evaluations = 0;
  std::uint64_t volume_tests = 0;
  std::uint64_t primitive_tests = 0;
  std::uint64_t link_pairs = 0;
  std::uint64_t given_up = 0;  ///< searches of shapes: the step is not answered
};

/// A contact, with the fields of tocsin::Contact.
struct ContactRecord {
  std::uint32_t link = 0;       ///< of the batch
  std::uint32_t other = kNone;  ///< of the batch; kNone: the contact is with the room
  std::uint32_t object = 0;
  std::uint32_t triangle = 0;  ///< within the object
  std::uint8_t status = 0;     ///< 0 overlap, 1 hit, 2 graze: as ContactStatus
  std::uint8_t limited = 0;
  std::uint8_t has_normal = 0;
  std::uint32_t link_feature = kNone;   ///< of a shape; kNone: the link has none
  std::uint32_t other_feature = kNone;  ///< likewise
  double lo = 0.0;
  double hi = 0.0;
  double place_time = 0.0;  ///< PairContact::place_time()
  Vec3 point;
  Vec3 normal;
};

/// A link of the batch as its model has it.
TOCSIN_HD inline const ModelLink& model_link(const View& v, std::uint32_t link) {
  const BatchStep& step = v.steps[v.step_of_link[link]];
  return v.links[v.models[step.model].first_link + (link - step.first_link)];
}

/// The motion of a link of the batch, the bits of scene::StepMotion::motion(), but for the radius
/// of a link with a shape. Precondition: the motions of its chain are set. `ref` is pose0's root,
/// rounded to floats.
TOCSIN_HD inline LinkMotion link_motion(const View& v, std::uint32_t link) {
  const BatchStep& step = v.steps[v.step_of_link[link]];
  const ModelLink& from = model_link(v, link);
  LinkMotion m;
  m.joints = v.motions + step.first_joint;
  m.chain = v.chains + from.chain_begin;
  m.chain_length = from.chain_length;
  m.kind = step.in_between;
  m.a = from.a;
  m.b = from.b;
  m.radius = from.radius + v.margin;
  if (v.extra != nullptr) m.radius += v.extra[link];
  const auto root = static_cast<std::uint32_t>(m.chain[0]);
  m.ref = reference_point(v.poses[step.pose0 + root].translation);
  ChainBounds bounds;
  for (std::int32_t k = 0; k < m.chain_length; ++k) {
    bounds = extend(bounds, m.joints[m.chain[k]], m.kind, m.ref);
  }
  set_bounds(m, bounds);
  return m;
}

}  // namespace tocsin::core::batch
