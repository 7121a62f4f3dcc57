#include "gpu/gl/visibility/device_room.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "gpu/gl/visibility/visibility_control.h"

namespace tocsin::gl {
namespace {

constexpr const char* kRoomVertices = "the room's vertices";
constexpr const char* kRoomTriangles = "the room's triangles";

/// Whether a buffer may be so large; `what`: kRoomVertices, kRoomTriangles.
Status fits(DeviceThread& device, std::uint64_t bytes, const char* what) {
  GLint64 most = 0;
  Status status = device.run([&most]() -> Status {
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
    return Nothing{};
  });
  if (!status || bytes <= static_cast<std::uint64_t>(most)) return status;
  return {ErrorCode::kResource, fmt::format("{} need {} bytes, and {} takes {} in one buffer", what,
                                            bytes, device.info().renderer, most)};
}

/// A buffer with these contents and what is the control's behind them.
template <class T>
Status upload_buffer(DeviceThread& device, std::span<const T> contents, std::span<const T> control,
                     const char* what, Buffer& out) {
  return device.run([&]() -> Status {
    Buffer made(contents.size_bytes() + control.size_bytes(), GL_DYNAMIC_STORAGE_BIT);
    made.write(contents);
    made.write(control, contents.size_bytes());
    if (Status status = check_device(what); !status) return status;
    out = std::move(made);
    return Nothing{};
  });
}

std::vector<TriangleIndices> in_order(const Environment& environment,
                                      const scene::Clusters& clusters) {
  std::vector<TriangleIndices> out;
  out.reserve(clusters.triangles().size());
  for (const std::uint32_t triangle : clusters.triangles()) {
    out.push_back(environment.triangles()[triangle]);
  }
  return out;
}

std::vector<TriangleRange> ranges_of(const scene::Clusters& clusters) {
  std::vector<TriangleRange> out;
  out.reserve(clusters.clusters().size());
  for (const scene::Cluster& cluster : clusters.clusters()) {
    out.push_back({.first = cluster.first, .count = cluster.count});
  }
  return out;
}

Result<std::shared_ptr<const DeviceRoom>> make_room(
    const std::shared_ptr<DeviceThread>& device, const Environment& environment,
    std::shared_ptr<const RoomTriangles> triangles) {
  static_assert(sizeof(Vec3f) == 3 * sizeof(float), "shaders read three floats a vertex");
  const std::span<const Vec3f> control = kControlTriangle;
  const std::size_t count = environment.vertices().size() + control.size();
  Status status = fits(*device, count * sizeof(Vec3f), kRoomVertices);
  Buffer vertices;
  if (status) {
    status = upload_buffer(*device, environment.vertices(), control, kRoomVertices, vertices);
  }
  if (!status) return status.error();
  return std::shared_ptr<const DeviceRoom>(
      std::make_shared<DeviceRoom>(device, std::move(vertices), std::move(triangles)));
}

}  // namespace

Result<std::shared_ptr<const DeviceRoom>> DeviceRoom::upload(
    const std::shared_ptr<DeviceThread>& device, const Environment& environment,
    const scene::Clusters& clusters) {
  static_assert(sizeof(TriangleIndices) == 3 * sizeof(std::uint32_t));
  const auto first = static_cast<std::uint32_t>(environment.vertices().size());
  const TriangleIndices control{first, first + 1, first + 2};
  // Before they are copied.
  const std::size_t count = clusters.triangles().size() + 1;
  Status status = fits(*device, count * sizeof(TriangleIndices), kRoomTriangles);
  Buffer corners;
  if (status) {
    const std::vector<TriangleIndices> order = in_order(environment, clusters);
    status =
        upload_buffer(*device, std::span(order), std::span(&control, 1), kRoomTriangles, corners);
  }
  if (!status) return status.error();
  return make_room(
      device, environment,
      std::make_shared<const RoomTriangles>(device, std::move(corners), ranges_of(clusters)));
}

Result<std::shared_ptr<const DeviceRoom>> DeviceRoom::with_vertices(
    const Environment& environment) const {
  return make_room(device_, environment, triangles_);
}

}  // namespace tocsin::gl
