// Limit of the room that a small file may make.
#pragma once

#include <cstdint>

namespace tocsin::io {

/// Triangles that any file may unfold to by using its meshes repeatedly, however small it is: a
/// house of 1,000 chairs. Beyond it, a file must have as many bytes as it makes triangles. Lower,
/// and honest houses are refused; higher, and a hostile file of some KB takes more than 1 GiB.
inline constexpr std::uint64_t kFreeTriangles = std::uint64_t{1} << 24U;

}  // namespace tocsin::io
