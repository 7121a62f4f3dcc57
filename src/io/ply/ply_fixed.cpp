#include "io/ply/ply_fixed.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstring>

#include "io/ply/ply_source.h"
#include "io/up_axis.h"
#include "scene/room/coordinate_limit.h"

namespace tocsin::io {
namespace {

/// Elements that are read into a buffer before they are appended. The buffer stays in the first
/// cache, and the vector's memory is written once (resizing it first would write zeros).
constexpr std::size_t kBatch = 1024;

/// Bytes of the scalar properties before number `end`.
std::size_t bytes_before(const PlyElement& element, std::size_t end) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < end; ++i) bytes += element.properties[i].least_size();
  return bytes;
}

/// Where x, y, z lie in a vertex, and how far it is to the next.
struct VertexLayout {
  std::array<std::size_t, 3> at{};
  std::size_t stride = 0;
  std::size_t count = 0;
};

template <class T, bool kReversed>
std::size_t read_vertices(const char* from, const VertexLayout& layout,
                          const EnvironmentOptions& options, std::vector<Vec3f>& vertices) {
  std::array<Vec3f, kBatch> batch;
  for (std::size_t done = 0; done < layout.count;) {
    const std::size_t wanted = std::min(kBatch, layout.count - done);
    std::size_t got = 0;
    for (; got < wanted; ++got, from += layout.stride) {
      const auto coordinate = [&](std::size_t axis) {
        return static_cast<double>(load_number<T, kReversed>(from + layout.at[axis]));
      };
      const auto v = ply_vertex({coordinate(0), coordinate(1), coordinate(2)}, options);
      if (!v) break;
      batch[got] = *v;
    }
    vertices.insert(vertices.end(), batch.begin(),
                    batch.begin() + static_cast<std::ptrdiff_t>(got));
    done += got;
    if (got < wanted) return done;
  }
  return layout.count;
}

/// Where a face has its length and its indices, and how far it is to the next.
struct FaceLayout {
  std::string_view length;    ///< bytes that every face must have there
  std::size_t length_at = 0;  ///< the indices follow
  std::size_t corners = 0;
  std::size_t stride = 0;
  std::size_t count = 0;
};

/// Appends the triangles of one face to `batch`; false if an index is out of range.
template <class T, bool kReversed>
bool read_fan(const char* from, std::size_t corners, std::uint64_t vertex_count,
              TriangleIndices* batch) {
  const auto index = [from](std::size_t corner) {
    // Negative ones become larger than any count.
    return static_cast<std::uint64_t>(load_number<T, kReversed>(from + corner * sizeof(T)));
  };
  std::array<std::uint64_t, 3> fan{index(0), index(1), 0};
  std::uint64_t greatest = std::max(fan[0], fan[1]);
  for (std::size_t corner = 2; corner < corners; ++corner, fan[1] = fan[2]) {
    fan[2] = index(corner);
    greatest = std::max(greatest, fan[2]);
    *batch++ = {static_cast<std::uint32_t>(fan[0]), static_cast<std::uint32_t>(fan[1]),
                static_cast<std::uint32_t>(fan[2])};
  }
  return greatest < vertex_count;
}

template <class T, bool kReversed>
std::size_t read_faces(const char* from, const FaceLayout& layout, std::uint64_t vertex_count,
                       std::vector<TriangleIndices>& triangles) {
  std::array<TriangleIndices, kBatch> batch;
  const std::size_t fan = layout.corners - 2;
  const std::size_t faces_a_batch = kBatch / fan;
  for (std::size_t done = 0; done < layout.count;) {
    const std::size_t wanted = std::min(faces_a_batch, layout.count - done);
    std::size_t got = 0;
    for (; got < wanted; ++got, from += layout.stride) {
      const char* const length = from + layout.length_at;
      if (std::memcmp(length, layout.length.data(), layout.length.size()) != 0) break;
      if (!read_fan<T, kReversed>(length + layout.length.size(), layout.corners, vertex_count,
                                  batch.data() + got * fan)) {
        break;
      }
    }
    triangles.insert(triangles.end(), batch.begin(),
                     batch.begin() + static_cast<std::ptrdiff_t>(got * fan));
    done += got;
    if (got < wanted) return done;
  }
  return layout.count;
}

/// The layout of the first face; a count of 0 if faces cannot all have one layout.
FaceLayout face_layout(const PlyRole& role, std::string_view bytes, bool reversed) {
  FaceLayout layout;
  const std::vector<PlyProperty>& properties = role.element->properties;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    if (properties[i].count_type && i != role.indices) return layout;
  }
  const PlyProperty& indices = properties[role.indices];
  const PlyType count_type = *indices.count_type;
  layout.length_at = bytes_before(*role.element, role.indices);
  if (bytes.size() < layout.length_at + size_of(count_type)) return layout;
  layout.length = bytes.substr(layout.length_at, size_of(count_type));
  const auto corners = with_type(count_type, [&](auto t) {
    using T = decltype(t);
    const char* const from = layout.length.data();
    return static_cast<double>(reversed ? load_number<T, true>(from) : load_number<T, false>(from));
  });
  if (corners < 3 || corners > kBatch) return layout;
  layout.corners = static_cast<std::size_t>(corners);
  layout.stride =
      bytes_before(*role.element, properties.size()) + layout.corners * size_of(indices.type);
  layout.count = std::min<std::size_t>(role.element->count, bytes.size() / layout.stride);
  return layout;
}

}  // namespace

std::optional<Vec3f> ply_vertex(const Vec3& raw, const EnvironmentOptions& options) {
  const Vec3 metres{raw.x * options.scale, raw.y * options.scale, raw.z * options.scale};
  // Environment::create would refuse it too, but without naming a place in the file.
  if (!scene::within_reach(metres)) return std::nullopt;
  const Vec3 p = turned_up(metres, options.up);
  return Vec3f{static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
}

PlyRun read_fixed_vertices(const PlyRole& role, std::string_view bytes, bool reversed,
                           const EnvironmentOptions& options, std::vector<Vec3f>& vertices) {
  const PlyElement& element = *role.element;
  if (!element.is_fixed()) return {};
  const auto [x, y, z] = role.xyz;
  const PlyType type = element.properties[x].type;
  if (element.properties[y].type != type || element.properties[z].type != type) return {};
  VertexLayout layout;
  layout.at = {bytes_before(element, x), bytes_before(element, y), bytes_before(element, z)};
  layout.stride = bytes_before(element, element.properties.size());
  layout.count = std::min<std::size_t>(element.count, bytes.size() / layout.stride);
  const std::size_t read = with_type(type, [&](auto t) {
    using T = decltype(t);
    return reversed ? read_vertices<T, true>(bytes.data(), layout, options, vertices)
                    : read_vertices<T, false>(bytes.data(), layout, options, vertices);
  });
  return {read, read * layout.stride};
}

PlyRun read_uniform_faces(const PlyRole& role, std::string_view bytes, bool reversed,
                          std::uint64_t vertex_count, std::vector<TriangleIndices>& triangles) {
  const FaceLayout layout = face_layout(role, bytes, reversed);
  if (layout.count == 0) return {};
  const PlyType type = role.element->properties[role.indices].type;
  const std::size_t read = with_type(type, [&](auto t) -> std::size_t {
    using T = decltype(t);
    if constexpr (std::integral<T>) {
      return reversed ? read_faces<T, true>(bytes.data(), layout, vertex_count, triangles)
                      : read_faces<T, false>(bytes.data(), layout, vertex_count, triangles);
    }
    return 0;
  });
  return {read, read * layout.stride};
}

}  // namespace tocsin::io
