// Finds a skeleton's joint by its name.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tocsin/skeleton.h"

namespace tocsin::scene {

/// A joint name without differences between exporters: no prefix up to the last ':', ASCII letters
/// in lower case (`mixamorig:LeftArm` gives `leftarm`).
std::string folded_joint_name(std::string_view name);

/// A name by which JointNames finds a joint of any name. No file can hold it: it begins with a
/// control character.
std::string indexed_name(int joint);

/// Finds joints by name.
class JointNames {
 public:
  explicit JointNames(const Skeleton& skeleton);

  /// Tries each name in turn, exactly and then folded; index of the first joint that has it, or -1.
  /// An indexed_name() gives that joint.
  [[nodiscard]] int find(std::span<const std::string> names) const;

  /// The joint whose name looks most like `name`, or empty if none is close.
  [[nodiscard]] std::string closest(std::string_view name) const;

  /// All joint names, wrapped to lines of at most `width` characters, each begun with `indent`; a
  /// very long list is cut and says so.
  [[nodiscard]] std::string listing(std::string_view indent, std::size_t width = 100) const;

 private:
  std::vector<std::string> names_;   ///< as in the skeleton
  std::vector<std::string> folded_;  ///< the same, folded
  /// First joint of each name.
  std::unordered_map<std::string, int> by_name_;
  std::unordered_map<std::string, int> by_folded_;
};

}  // namespace tocsin::scene
