#include "io/acclaim/amc_joints.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/pose_parts.h"

namespace tocsin::io {
namespace {

bool stretches(const AsfBone& bone) {
  return std::find(bone.dofs.begin(), bone.dofs.end(), AsfDof::kLength) != bone.dofs.end();
}

/// NAME_end, or the first of NAME_end2, NAME_end3, ... that no bone bears.
std::string end_name(const AsfSkeleton& asf, const std::string& bone) {
  std::string name = bone + "_end";
  for (int i = 2; asf.names.find(name) >= 0; ++i) name = fmt::format("{}_end{}", bone, i);
  return name;
}

/// The joints in the file's unit and axes.
std::vector<Joint> joints_of(const AsfSkeleton& asf, AmcJoints& out) {
  std::vector<Joint> joints;
  out.of.resize(asf.bones.size());
  out.at_end.resize(asf.bones.size());
  const auto at_end_of = [&](std::int32_t bone, std::string name) {
    const AsfBone& from = asf.bones[static_cast<std::size_t>(bone)];
    const auto joint = static_cast<std::int32_t>(joints.size());
    if (stretches(from)) out.at_end[static_cast<std::size_t>(bone)].push_back(joint);
    joints.push_back({std::move(name), out.of[static_cast<std::size_t>(bone)],
                      Transform{{}, from.length * from.direction}});
    return joint;
  };
  joints.push_back({asf.bones.front().name, -1, {asf.bones.front().axis, asf.position}});
  for (std::size_t b = 1; b < asf.bones.size(); ++b) {
    const AsfBone& bone = asf.bones[b];
    out.of[b] = at_end_of(bone.parent, bone.name);
    if (bone.leaf) at_end_of(static_cast<std::int32_t>(b), end_name(asf, bone.name));
  }
  return joints;
}

/// Says so if the file's own unit makes no person, but another one does.
std::string doubt(const AsfSkeleton& asf, double rest_height, double metres) {
  const double height = rest_height * metres;
  if (height >= kMinRestHeight && height <= kMaxRestHeight) return {};
  const std::vector<NamedUnit> fitting = fitting_units(rest_height);
  if (fitting.size() != 1) return {};
  return fmt::format(
      "{}: length {} (inches) makes the rest skeleton {:.3g} m high; in {} it would "
      "be {:.3g} m: --motion-unit {} reads it so",
      asf.file, *asf.length_unit, height, fitting.front().name,
      rest_height * fitting.front().metres, fitting.front().name);
}

Result<UnitChoice> unit_of(const AsfSkeleton& asf, double rest_height,
                           const MotionOptions& options) {
  if (options.unit_metres || !asf.length_unit) {
    return choose_unit(options.unit_metres, rest_height);
  }
  return UnitChoice{0.0254 / *asf.length_unit,
                    fmt::format("the .asf says length {} (inches)", *asf.length_unit)};
}

}  // namespace

Result<AmcJoints> make_amc_joints(const AsfSkeleton& asf, const MotionOptions& options,
                                  const UnitChoice* given) {
  const auto in_file = [&](const Error& error) {
    if (error.code != ErrorCode::kInput) return error;
    return Error{error.code, fmt::format("{}: {}", asf.file, error.message)};
  };
  AmcJoints out;
  Result<Skeleton> as_written = Skeleton::create(joints_of(asf, out));
  if (!as_written.ok()) return in_file(as_written.error());
  const double height = as_written->rest_height(options.up);
  Result<UnitChoice> unit =
      given != nullptr ? Result<UnitChoice>(*given) : unit_of(asf, height, options);
  if (!unit.ok()) return in_file(unit.error());
  out.unit = std::move(unit).value();
  if (!out.unit.warning.empty()) {
    out.warning = fmt::format("{}: {}", asf.file, out.unit.warning);
  }
  if (!options.unit_metres && asf.length_unit) out.warning = doubt(asf, height, out.unit.metres);

  std::vector<Joint> scaled(as_written->joints().begin(), as_written->joints().end());
  for (Joint& joint : scaled) {
    joint.rest.translation = out.unit.metres * joint.rest.translation;
    out.rest.push_back(joint.rest);
    if (joint.parent < 0) joint.rest = turned_up_root(joint.rest, options.up);
  }
  Result<Skeleton> skeleton = Skeleton::create(std::move(scaled));
  if (!skeleton.ok()) return in_file(skeleton.error());
  out.skeleton = std::move(skeleton).value();
  return out;
}

}  // namespace tocsin::io
