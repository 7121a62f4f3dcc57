// Poses as trackers have them: their axes and units, in the world or local. docs/trackers.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tocsin/types.h"

namespace tocsin {

/// Along which of Tocsin's axes one of a source's points: 0 to 2 are x, y, z, and 3 to 5 the same
/// turned round.
enum class AxisAlong : std::uint8_t { kX, kY, kZ, kMinusX, kMinusY, kMinusZ };

/// A source's axes x, y, z, each along another one of Tocsin's. Places and turns are mapped
/// exactly: numbers change places and signs, and are multiplied by a unit that is not 1.
class Axes {
 public:
  constexpr Axes() = default;
  /// Precondition: are_axes(). `unit`: metres in a unit of places.
  constexpr Axes(AxisAlong x, AxisAlong y, AxisAlong z, double unit = 1.0)
      : along_{static_cast<std::size_t>(x), static_cast<std::size_t>(y),
               static_cast<std::size_t>(z)},
        unit_(unit) {}

  /// True if each is along another of Tocsin's.
  static constexpr bool are_axes(AxisAlong x, AxisAlong y, AxisAlong z) {
    const auto of = [](AxisAlong axis) { return static_cast<unsigned>(axis) % 3U; };
    return of(x) != of(y) && of(y) != of(z) && of(x) != of(z);
  }

  /// True if numbers stay as they are.
  [[nodiscard]] constexpr bool are_ours() const {
    return along_[0] == 0 && along_[1] == 1 && along_[2] == 2 && unit_ == 1.0;
  }
  [[nodiscard]] constexpr bool are_left_handed() const { return sign() < 0.0; }
  /// Where its axis 0, 1 or 2 points.
  [[nodiscard]] constexpr AxisAlong along(std::size_t axis) const {
    return static_cast<AxisAlong>(along_[axis]);
  }
  [[nodiscard]] constexpr double unit() const { return unit_; }
  friend constexpr bool operator==(const Axes&, const Axes&) = default;

  [[nodiscard]] constexpr Vec3 place(const Vec3& of) const {
    const Vec3 turned = direction(of);
    if (unit_ == 1.0) return turned;
    return {unit_ * turned.x, unit_ * turned.y, unit_ * turned.z};
  }
  /// A turn about an axis is one about the mapped axis. Where handedness changes, the other way
  /// round.
  [[nodiscard]] constexpr Quat turn(const Quat& of) const {
    const Vec3 axis = direction({of.x, of.y, of.z});
    if (are_left_handed()) return {of.w, -axis.x, -axis.y, -axis.z};
    return {of.w, axis.x, axis.y, axis.z};
  }
  [[nodiscard]] constexpr Transform operator()(const Transform& of) const {
    return {turn(of.rotation), place(of.translation)};
  }

 private:
  [[nodiscard]] constexpr Vec3 direction(const Vec3& of) const {
    const std::array<double, 3> from{of.x, of.y, of.z};
    std::array<double, 3> to{};
    for (std::size_t i = 0; i < 3; ++i) to[along_[i] % 3] = along_[i] < 3 ? from[i] : -from[i];
    return {to[0], to[1], to[2]};
  }
  /// Of the determinant.
  [[nodiscard]] constexpr double sign() const {
    const bool even = (along_[1] % 3) == (along_[0] % 3 + 1) % 3;
    int turned = 0;
    for (const std::size_t axis : along_) turned += axis < 3 ? 0 : 1;
    return (even ? 1.0 : -1.0) * (turned % 2 == 0 ? 1.0 : -1.0);
  }

  std::array<std::size_t, 3> along_{0, 1, 2};
  double unit_ = 1.0;
};

/// Unity's: left-handed, Y up, Z ahead. Its X is turned round.
inline constexpr Axes kUnityAxes{AxisAlong::kMinusX, AxisAlong::kY, AxisAlong::kZ};

/// How a client's poses are meant, where they are not Tocsin's own: local, right-handed, Y up, in
/// metres. docs/trackers.md.
struct TrackerPoses {
  /// Each joint's transform is its place in the world, not in its parent's frame.
  bool world = false;
  Axes axes = {};  ///< of the skeleton's rest transforms and of poses
  /// A joint whose quaternion is all zeros is missing: it keeps its last place in its parent's
  /// frame, and reports name it (TrackReport::held). False: its frame is bad.
  bool hold_missing = false;
  friend bool operator==(const TrackerPoses&, const TrackerPoses&) = default;
};

}  // namespace tocsin
