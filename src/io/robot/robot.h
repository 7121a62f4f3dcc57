// A robot as a URDF describes it: links on joints, without meshes' triangles.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tocsin/types.h"

namespace tocsin::io {

enum class RobotJointKind : std::uint8_t {
  kFixed,
  kRevolute,
  kContinuous,
  kPrismatic,
  kPlanar,
  kFloating
};

/// A joint whose value is `multiplier` times that of another link's joint, plus `offset`.
struct RobotMimic {
  std::size_t link = 0;
  double multiplier = 1.0;
  double offset = 0.0;  ///< rad or m
};

/// What a link moves by in its parent link's frame.
struct RobotJoint {
  std::string name;  ///< empty: of the root link, which does not move
  RobotJointKind kind = RobotJointKind::kFixed;
  Transform origin;          ///< the link's frame in its parent's where the values are 0, metres
  Vec3 axis{1.0, 0.0, 0.0};  ///< unit, in the link's frame
  std::optional<std::array<double, 2>> limits;  ///< lowest and highest value, rad or m
  double velocity = 0.0;                        ///< rad/s or m/s; 0: no limit
  std::optional<RobotMimic> mimic;              ///< of a joint with one value
};

enum class RobotGeometry : std::uint8_t { kBox, kSphere, kCylinder, kMesh };

/// One collision element.
struct RobotCollision {
  RobotGeometry kind = RobotGeometry::kBox;
  /// Edges of a box; (radius, 0, 0) of a sphere; (radius, length, 0) of a cylinder, whose axis is
  /// z; metres. A mesh's scale.
  Vec3 size;
  std::string mesh;       ///< its file's name, as the URDF has it
  Transform origin;       ///< in the link's frame, metres
  std::int64_t line = 0;  ///< in the URDF
};

struct RobotLink {
  std::string name;
  int parent = -1;  ///< index of a link before it; -1: the root
  RobotJoint joint;
  std::vector<RobotCollision> collisions;
};

struct Robot {
  std::string name;
  std::string file;
  std::vector<RobotLink> links;  ///< parents before children; the first is the root; names differ
};

/// A joint's values in a plan: their names, in the order that joint_transform() takes them.
/// One value: the joint's name. Planar: NAME/x, NAME/y, NAME/theta. Floating: NAME/trans_x, _y, _z,
/// NAME/rot_x, _y, _z, _w. Fixed: none.
std::vector<std::string> value_names(const RobotJoint& joint);

/// The values that a joint without a column has: 0, and no turn.
std::vector<double> zero_values(RobotJointKind kind);

/// True if the joint turns or slides along one axis.
bool has_one_value(RobotJointKind kind);

/// The link's frame in its parent's. Values in radians and metres, in the order of value_names(). A
/// planar joint moves in the plane across its axis: theta about the axis, x along the joint's own x
/// axis projected into the plane (along its y axis where x is the axis), y across both,
/// right-handed. Precondition: as many values as value_names(); a quaternion that is not zero.
Transform joint_transform(const RobotJoint& joint, std::span<const double> values);

}  // namespace tocsin::io
