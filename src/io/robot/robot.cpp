#include "io/robot/robot.h"

#include <cmath>

#include "core/vector/compose.h"
#include "core/vector/rotation.h"
#include "core/vector/vec.h"

namespace tocsin::io {
namespace {

Quat about_unit_axis(const Vec3& axis, double radians) {
  const core::SinCos half = core::sincos_degrees(0.5 * radians * core::kDegreesPerRadian);
  return {half.cos, half.sin * axis.x, half.sin * axis.y, half.sin * axis.z};
}

/// Where a planar joint has moved to, from its own origin.
Vec3 in_plane(const Vec3& normal, double x, double y) {
  constexpr double kAlmostOne = 0.999;  // the projection of x would lose digits
  const Vec3 along = std::fabs(normal.x) < kAlmostOne ? Vec3{1.0, 0.0, 0.0} : Vec3{0.0, 1.0, 0.0};
  const Vec3 across = along - core::dot(along, normal) * normal;
  const Vec3 u = (1.0 / core::norm(across)) * across;
  return x * u + y * core::cross(normal, u);
}

}  // namespace

std::vector<std::string> value_names(const RobotJoint& joint) {
  std::vector<std::string> out;
  const auto add = [&](std::initializer_list<const char*> parts) {
    for (const char* const part : parts) out.push_back(joint.name + part);
  };
  switch (joint.kind) {
    case RobotJointKind::kFixed:
      break;
    case RobotJointKind::kPlanar:
      add({"/x", "/y", "/theta"});
      break;
    case RobotJointKind::kFloating:
      add({"/trans_x", "/trans_y", "/trans_z", "/rot_x", "/rot_y", "/rot_z", "/rot_w"});
      break;
    default:
      add({""});
  }
  return out;
}

bool has_one_value(RobotJointKind kind) {
  return kind == RobotJointKind::kRevolute || kind == RobotJointKind::kContinuous ||
         kind == RobotJointKind::kPrismatic;
}

std::vector<double> zero_values(RobotJointKind kind) {
  if (kind == RobotJointKind::kFixed) return {};
  if (kind == RobotJointKind::kPlanar) return {0.0, 0.0, 0.0};
  if (kind == RobotJointKind::kFloating) return {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0};
  return {0.0};
}

Transform joint_transform(const RobotJoint& joint, std::span<const double> values) {
  Transform moved;
  switch (joint.kind) {
    case RobotJointKind::kFixed:
      return joint.origin;
    case RobotJointKind::kRevolute:
    case RobotJointKind::kContinuous:
      moved.rotation = about_unit_axis(joint.axis, values[0]);
      break;
    case RobotJointKind::kPrismatic:
      moved.translation = values[0] * joint.axis;
      break;
    case RobotJointKind::kPlanar:
      moved = {about_unit_axis(joint.axis, values[2]), in_plane(joint.axis, values[0], values[1])};
      break;
    case RobotJointKind::kFloating:
      moved = {core::normalized(Quat{values[6], values[3], values[4], values[5]}),
               {values[0], values[1], values[2]}};
      break;
  }
  // Of a joint that only turns, the place is the same in all rows, to the bit: it turns about its
  // axis and nothing else between two of them, too.
  if (moved.translation == Vec3{}) {
    return {joint.origin.rotation * moved.rotation, joint.origin.translation};
  }
  return core::compose(joint.origin, moved);
}

}  // namespace tocsin::io
