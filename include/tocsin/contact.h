// Where and when a link first touches an object, or another link, in a step.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <variant>

#include "tocsin/types.h"

namespace tocsin {

/// What is proved about a pair over a step. docs/exact.md, "Outcomes".
enum class ContactStatus : std::uint8_t {
  kOverlap,  ///< touching at t = 0; toc = [0, 0]
  kHit,      ///< free on [0, lo), touching at hi
  kGraze,    ///< free outside [lo, hi]; neither touch nor freedom could be proved inside
};

/// A triangle of the environment.
struct RoomTriangle {
  std::uint32_t object = 0;    ///< index into the environment's objects
  std::uint32_t triangle = 0;  ///< index within the object, from 0
  friend auto operator<=>(const RoomTriangle&, const RoomTriangle&) = default;
};

/// A link of another avatar, or another link of the same.
struct OtherLink {
  std::int32_t avatar = 0;  ///< index into the avatars that are checked together
  std::int32_t link = 0;    ///< index into its links
  friend auto operator<=>(const OtherLink&, const OtherLink&) = default;
};

/// What a link touches. In order of kind, then of index.
using Touched = std::variant<RoomTriangle, OtherLink>;

/// Where a link and an object, or two links, first touch in a step.
struct Contact {
  std::int32_t link = 0;  ///< index into the avatar's links
  /// A contact of two links is reported once, by the link that is first in order of (avatar, link).
  Touched touched = RoomTriangle{};
  ContactStatus status = ContactStatus::kHit;
  std::array<double, 2> toc{};  ///< bracket of the time of collision, step-local, 0 to 1
  /// Of a hit before which the pair was undecided for a while (it began in a graze): the bracket of
  /// the touch itself. No touch could be proved at its start, which is later than toc[0] and need
  /// not be free; toc[1] is its end. None: toc is that bracket.
  std::optional<std::array<double, 2>> touching;
  /// On the triangle, nearest to the link's axis at place_time(); world, metres. Of two links: on
  /// the other's surface, where the line between the axes' nearest points then leaves it (on both
  /// axes where they meet).
  Vec3 point;
  /// Unit vector from `point` to the link's axis at place_time(); none where the axis meets the
  /// triangle. Of two links: from the other's axis to this one's; none where they meet.
  std::optional<Vec3> normal;
  /// The link's axis is inside a solid object at t = 0 (docs/exact.md, "Solids"), and no touch of
  /// its surface is proved then: kOverlap, with the nearest triangle, and the depth. Of an object
  /// that moves (ObjectReport) also: it holds the other, one of whose corners is `point`.
  bool inside = false;
  /// Of `inside`: the radius and the axis's distance from the surface at t = 0, metres. None where
  /// an object holds another.
  std::optional<double> depth;
  bool limited = false;  ///< an iteration limit was reached: kGraze is only what was proved so far
  /// Of a link that has a shape: the feature that touches, an index into Shape::features().
  std::optional<std::uint32_t> link_feature;
  /// The same of the other link.
  std::optional<std::uint32_t> other_feature;

  /// The time of `point` and `normal`: the start of the touch's own bracket.
  [[nodiscard]] double place_time() const noexcept {
    return touching ? touching->front() : toc.front();
  }
  /// What is touched, by its kind; null if it is of the other kind.
  [[nodiscard]] const RoomTriangle* room() const noexcept {
    return std::get_if<RoomTriangle>(&touched);
  }
  [[nodiscard]] RoomTriangle* room() noexcept { return std::get_if<RoomTriangle>(&touched); }
  [[nodiscard]] const OtherLink* other() const noexcept { return std::get_if<OtherLink>(&touched); }
  [[nodiscard]] OtherLink* other() noexcept { return std::get_if<OtherLink>(&touched); }
  /// What is touched, without the triangle: the object, or the other link. Contacts of one link
  /// with equal parties are contacts of one pair.
  [[nodiscard]] Touched party() const {
    if (const RoomTriangle* const at = room()) return RoomTriangle{at->object, 0};
    return touched;
  }

  friend bool operator==(const Contact&, const Contact&) = default;
};

}  // namespace tocsin
