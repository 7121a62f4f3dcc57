// Where and when a link first touches an object, or another link, in a step.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "tocsin/types.h"

namespace tocsin {

/// What is proved about a pair over a step. docs/exact.md, "Outcomes".
enum class ContactStatus : std::uint8_t {
  kOverlap,  ///< touching at t = 0; toc = [0, 0]
  kHit,      ///< free on [0, lo), touching at hi
  kGraze,    ///< free outside [lo, hi]; neither touch nor freedom could be proved inside
};

/// A link of another avatar, or another link of the same.
struct OtherLink {
  std::int32_t avatar = 0;  ///< index into the avatars that are checked together
  std::int32_t link = 0;    ///< index into its links
  friend bool operator==(const OtherLink&, const OtherLink&) = default;
};

/// Where a link and an object, or two links, first touch in a step.
struct Contact {
  std::int32_t link = 0;       ///< index into the avatar's links
  std::uint32_t object = 0;    ///< index into the environment's objects; 0 if `other` is set
  std::uint32_t triangle = 0;  ///< index within the object, from 0; 0 if `other` is set
  ContactStatus status = ContactStatus::kHit;
  std::array<double, 2> toc{};  ///< bracket of the time of collision, step-local, 0 to 1
  /// On the triangle, nearest to the link's axis at toc[0]; world, metres. Of two links: on the
  /// other's surface, where the line between the axes' nearest points at toc[0] leaves it (on both
  /// axes where they meet).
  Vec3 point;
  /// Unit vector from `point` to the link's axis at toc[0]; none where the axis meets the triangle.
  /// Of two links: from the other's axis to this one's; none where they meet.
  std::optional<Vec3> normal;
  bool limited = false;  ///< an iteration limit was reached: kGraze is only what was proved so far
  /// Set: the contact is one of two links, told once, by the link that comes first in order of
  /// (avatar, link).
  std::optional<OtherLink> other = std::nullopt;
  friend bool operator==(const Contact&, const Contact&) = default;
};

}  // namespace tocsin
