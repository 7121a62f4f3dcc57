// The elements of a PLY file that describe a room.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "io/ply/ply_header.h"

namespace tocsin::io {

enum class PlyMeaning : std::uint8_t { kVertices, kFaces, kStrips, kEdges, kOther };

/// An element, and the places of its relevant properties.
struct PlyRole {
  const PlyElement* element = nullptr;
  PlyMeaning meaning = PlyMeaning::kOther;
  std::array<std::size_t, 3> xyz{};  ///< numbers of the properties; kVertices
  std::size_t indices = 0;           ///< number of the property; kFaces, kStrips
};

struct PlyRoles {
  std::vector<PlyRole> roles;  ///< one an element, in file order
  std::uint64_t vertices = 0;
};

/// Errors (kInput), `line N: cause`: an element that comes twice, a property that is missing, that
/// comes twice or is of a wrong type.
Result<PlyRoles> ply_roles(const PlyHeader& header);

}  // namespace tocsin::io
