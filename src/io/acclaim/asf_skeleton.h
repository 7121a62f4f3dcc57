// The skeleton of an ASF file: the tree of bones that an AMC motion moves.
//
// A bone is a line segment from its parent's end; the root is a point. Bones without descendants
// are leaves. Lengths and directions are in the file's unit and axes (the world's, at rest).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tocsin/types.h"

namespace tocsin::io {

/// What one number of an AMC line sets: a rotation, a translation, or the bone's length.
enum class AsfDof : std::uint8_t { kRx, kRy, kRz, kTx, kTy, kTz, kLength };

struct AsfBone {
  std::string name;          ///< the root is "root"
  std::int32_t parent = -1;  ///< index of the bone at whose end it starts; -1: this is the root
  bool leaf = false;         ///< a bone at whose end no other starts
  Vec3 direction;            ///< of the segment at rest, as written; zero for the root
  double length = 0.0;       ///< the segment at rest is length * direction
  /// The axes that the dofs turn about and move along, at rest: `axis`. Of the root: `orientation`,
  /// which turns the whole skeleton.
  Quat axis;
  std::vector<AsfDof> dofs;  ///< in the order of an AMC line's numbers
};

/// Which bone has a name. Case does not count, as the format has it.
class AsfNames {
 public:
  /// False if the name is taken.
  bool add(std::string_view name, std::int32_t index);
  /// -1 if there is none.
  [[nodiscard]] std::int32_t find(std::string_view name) const;

 private:
  std::unordered_map<std::string, std::int32_t> by_name_;
};

struct AsfSkeleton {
  std::string file;            ///< as given
  std::vector<AsfBone> bones;  ///< [0] is the root; each followed by all that hangs on it
  AsfNames names;
  Vec3 position;                      ///< of the root
  bool radians = false;               ///< `:units angle`
  std::optional<double> length_unit;  ///< `:units length`, above 0; none if the file does not say
  std::vector<std::string> warnings;  ///< with file and line
};

}  // namespace tocsin::io
