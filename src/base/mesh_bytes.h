// A mesh as the bytes of a .shape file: docs/reference/avatar-model.md, "Meshes with all their
// digits".
#pragma once

#include <bit>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/packed.h"
#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin::base {

/// What the file begins with, before the number of corners, that of triangles and a line end.
inline constexpr std::string_view kMeshBytesBegin = "tocsin.shape.v1 ";

struct MeshBytes {
  std::vector<Vec3> corners;  ///< metres
  std::vector<TriangleIndices> triangles;
};

namespace detail {

inline constexpr std::size_t kCornerBytes = 24;
inline constexpr std::size_t kTriangleBytes = 12;

inline void append_packed(std::string& text, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  base::append_packed(text, static_cast<std::uint32_t>(bits));
  base::append_packed(text, static_cast<std::uint32_t>(bits >> 32U));
}

inline double get_double(const char* from) {
  const std::uint64_t low = get_packed(from);
  const std::uint64_t high = get_packed(from + 4);
  return std::bit_cast<double>(low | high << 32U);
}

/// Two numbers with one blank between; none: it is something else.
inline std::optional<std::pair<std::uint32_t, std::uint32_t>> two_counts(std::string_view text) {
  std::pair<std::uint32_t, std::uint32_t> out;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, out.first);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ' ') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, out.second);
  if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
  return out;
}

}  // namespace detail

/// The bytes of a mesh: x, y, z of every corner as doubles, then three indices of every triangle as
/// 32-bit numbers, the least significant byte first.
inline std::string mesh_bytes(std::span<const Vec3> corners,
                              std::span<const TriangleIndices> triangles) {
  std::string out(kMeshBytesBegin);
  out += std::to_string(corners.size()) + ' ' + std::to_string(triangles.size()) + '\n';
  out.reserve(out.size() + detail::kCornerBytes * corners.size() +
              detail::kTriangleBytes * triangles.size());
  for (const Vec3& p : corners) {
    for (const double x : {p.x, p.y, p.z}) detail::append_packed(out, x);
  }
  for (const TriangleIndices& triangle : triangles) {
    for (const std::uint32_t corner : triangle) append_packed(out, corner);
  }
  return out;
}

/// The mesh that mesh_bytes() wrote. Nothing is allocated before the announced sizes are found to
/// be the text's. Errors (kInput), without the file's name: another beginning; a size that is not
/// the announced one. Neither coordinates nor indices are checked.
inline Result<MeshBytes> read_mesh_bytes(std::string_view text) {
  constexpr std::size_t kLongestHead = 64;
  const std::size_t line = text.substr(0, kLongestHead).find('\n');
  const auto counts = text.starts_with(kMeshBytesBegin) && line != std::string_view::npos
                          ? detail::two_counts(text.substr(0, line).substr(kMeshBytesBegin.size()))
                          : std::nullopt;
  if (!counts) {
    return {ErrorCode::kInput,
            "does not begin with \"tocsin.shape.v1 CORNERS TRIANGLES\" and a line end"};
  }
  const auto [corners, triangles] = *counts;
  const std::uint64_t need = detail::kCornerBytes * std::uint64_t{corners} +
                             detail::kTriangleBytes * std::uint64_t{triangles};
  const std::size_t have = text.size() - line - 1;
  if (have != need) {
    return {ErrorCode::kInput, "announces " + std::to_string(corners) + " corners and " +
                                   std::to_string(triangles) + " triangles, which are " +
                                   std::to_string(need) + " bytes, and has " +
                                   std::to_string(have)};
  }
  MeshBytes out;
  out.corners.reserve(corners);
  out.triangles.reserve(triangles);
  const char* at = text.data() + line + 1;
  for (std::uint32_t i = 0; i < corners; ++i, at += detail::kCornerBytes) {
    out.corners.push_back(
        {detail::get_double(at), detail::get_double(at + 8), detail::get_double(at + 16)});
  }
  for (std::uint32_t i = 0; i < triangles; ++i, at += detail::kTriangleBytes) {
    out.triangles.push_back({get_packed(at), get_packed(at + 4), get_packed(at + 8)});
  }
  return out;
}

}  // namespace tocsin::base
