#include "app/send/send_tracker.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "app/cli/options.h"
#include "base/quoted.h"
#include "core/vector/vec.h"
#include "make/random.h"
#include "scene/motion/joint_places.h"

namespace tocsin::app {
namespace {

using core::operator*;

constexpr std::array<std::string_view, 6> kAxisNames{"x", "y", "z", "-x", "-y", "-z"};
constexpr Quat kMissing{0.0, 0.0, 0.0, 0.0};

struct NamedAxes {
  std::string_view name;
  Axes axes;
};
constexpr std::array<NamedAxes, 3> kNamedAxes{
    {{"unity", kUnityAxes},
     {"unreal", {AxisAlong::kZ, AxisAlong::kMinusX, AxisAlong::kY, 0.01}},
     {"z-up", {AxisAlong::kX, AxisAlong::kMinusZ, AxisAlong::kY}}}};

std::optional<AxisAlong> axis_named(std::string_view text) {
  const auto* const at = std::find(kAxisNames.begin(), kAxisNames.end(), text);
  if (at == kAxisNames.end()) return std::nullopt;
  return static_cast<AxisAlong>(at - kAxisNames.begin());
}

/// Axes::operator() turned round.
Transform on_axes(const Axes& axes, const Transform& ours) {
  const auto direction = [&](const Vec3& of) {
    const std::array<double, 3> from{of.x, of.y, of.z};
    std::array<double, 3> to{};
    for (std::size_t i = 0; i < 3; ++i) {
      const auto along = static_cast<std::size_t>(axes.along(i));
      to[i] = along < 3 ? from[along] : -from[along - 3];
    }
    return Vec3{to[0], to[1], to[2]};
  };
  const Quat& turn = ours.rotation;
  Vec3 about = direction({turn.x, turn.y, turn.z});
  if (axes.are_left_handed()) about = {-about.x, -about.y, -about.z};
  Vec3 place = direction(ours.translation);
  const double unit = axes.unit();
  if (unit != 1.0) place = {place.x / unit, place.y / unit, place.z / unit};
  return {{turn.w, about.x, about.y, about.z}, place};
}

}  // namespace

Axes parse_axes(std::string_view option, const std::string& text) {
  constexpr double kLeastMetres = 1e-6;
  constexpr double kMostMetres = 1e6;
  for (const NamedAxes& one : kNamedAxes) {
    if (one.name == text) return one.axes;
  }
  const std::vector<std::string_view> parts = split(text, ',');
  const auto axis = [&](std::size_t i) {
    return i < parts.size() ? axis_named(parts[i]) : std::nullopt;
  };
  const auto x = axis(0);
  const auto y = axis(1);
  const auto z = axis(2);
  if (!x || !y || !z || parts.size() > 4 || !Axes::are_axes(*x, *y, *z)) {
    throw UsageError{fmt::format(
        "{}: expected unity, unreal, z-up, or X,Y,Z[,METRES], each along another axis, as in "
        "-x,y,z, found {}",
        option, base::in_quotes(text))};
  }
  const double unit = parts.size() < 4 ? 1.0
                                       : parse_number_in(option, parts[3], kLeastMetres,
                                                         kMostMetres, "from 1e-6 to 1e6 (metres)");
  return {*x, *y, *z, unit};
}

void parse_missing(std::string_view option, const std::string& text, TrackerForm& out) {
  const std::vector<std::string_view> parts = split(text, ',');
  const std::string_view how = parts.size() > 1 ? parts[1] : "held";
  if (parts.size() > 2 || (how != "held" && how != "bad")) {
    throw UsageError{
        fmt::format("{}: expected P, P,held or P,bad, found {}", option, base::in_quotes(text))};
  }
  out.missing = parse_number_in(option, parts[0], 0.0, 1.0, "from 0 to 1");
  out.poses.hold_missing = how == "held";
}

std::string axes_text(const Axes& axes) {
  for (const NamedAxes& one : kNamedAxes) {
    if (one.axes == axes) return std::string(one.name);
  }
  std::string out;
  for (std::size_t i = 0; i < 3; ++i) {
    out += fmt::format("{}{}", i == 0 ? "" : ",",
                       kAxisNames.at(static_cast<std::size_t>(axes.along(i))));
  }
  return axes.unit() == 1.0 ? out : fmt::format("{},{}", out, axes.unit());
}

SendTracker::SendTracker(const TrackerForm& form, const Skeleton& skeleton, std::uint64_t seed)
    : form_(form), skeleton_(skeleton), seed_(seed) {}

Result<Skeleton> SendTracker::skeleton() const {
  std::vector<Joint> joints(skeleton_.joints().begin(), skeleton_.joints().end());
  for (Joint& joint : joints) joint.rest = on_axes(form_.poses.axes, joint.rest);
  return Skeleton::create(std::move(joints));
}

void SendTracker::turn(std::uint64_t frame, std::vector<Transform>& pose) const {
  if (!form_.asked()) return;
  if (form_.poses.world) pose = scene::joint_places(skeleton_, pose);
  const bool turned = !form_.poses.axes.are_ours();
  make::Random random(seed_, frame);
  for (Transform& joint : pose) {
    if (turned) joint = on_axes(form_.poses.axes, joint);
    if (form_.missing > 0.0 && random.chance(form_.missing)) joint = {kMissing, {}};
  }
}

void SendTracker::forgive(std::vector<Transform>& pose) const {
  if (!form_.poses.hold_missing) return;
  for (Transform& joint : pose) {
    if (joint.rotation == kMissing) joint.rotation = {};
  }
}

}  // namespace tocsin::app
