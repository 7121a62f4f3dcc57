// Joint names that are alike: another order, case or separator, or one letter more, less or other.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tocsin/skeleton.h"

namespace tocsin::scene {

/// What a joint's name says, however it is written: `LeftUpperArm`, `upper_arm.L` and
/// `rig:UpperArm_l` are one.
struct NameKey {
  char side = ' ';      ///< 'l', 'r' or ' '
  std::string letters;  ///< without the side, in lower case
  std::string digits;   ///< without leading zeros of a number
  friend auto operator<=>(const NameKey&, const NameKey&) = default;
};

NameKey name_key(std::string_view name);

/// Finds joints by names that are alike. Not thread-safe: it remembers what it was asked.
class AlikeNames {
 public:
  explicit AlikeNames(const Skeleton& skeleton);

  /// The joint whose name says the same as the first of `names` that any does; -1: none does, or
  /// more than one.
  [[nodiscard]] int find_same(std::span<const std::string> names) const;

  /// The only joint whose name differs by one letter from one of `names`: same side, same digits,
  /// same first letter, at least four letters. -1: none, more than one, or it is in `taken`.
  [[nodiscard]] int find_near(std::span<const std::string> names, const std::set<int>& taken) const;

 private:
  /// name_key(). Models and their namings share most names, and each is asked for twice.
  [[nodiscard]] const NameKey& key_of(std::string_view name) const;

  std::vector<NameKey> keys_;      ///< of each joint
  std::map<NameKey, int> by_key_;  ///< -1: of several joints
  mutable std::unordered_map<std::string, NameKey> asked_;
};

}  // namespace tocsin::scene
