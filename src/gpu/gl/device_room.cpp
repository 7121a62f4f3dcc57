#include "gpu/gl/device_room.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace tocsin::gl {
namespace {

/// A buffer with these contents; `what` is "the room's vertices".
template <class T>
Status upload_buffer(DeviceThread& device, std::span<const T> contents, const char* what,
                     Buffer& out) {
  return device.run([&]() -> Status {
    GLint64 most = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
    if (contents.size_bytes() > static_cast<std::uint64_t>(most)) {
      return {ErrorCode::kResource,
              fmt::format("{} need {} bytes, and {} takes {} in one buffer", what,
                          contents.size_bytes(), device.info().renderer, most)};
    }
    Buffer made(contents);
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
  Buffer vertices;
  if (const Status status =
          upload_buffer(*device, environment.vertices(), "the room's vertices", vertices);
      !status) {
    return status.error();
  }
  return std::shared_ptr<const DeviceRoom>(
      std::make_shared<DeviceRoom>(device, std::move(vertices), std::move(triangles)));
}

}  // namespace

Result<std::shared_ptr<const DeviceRoom>> DeviceRoom::upload(
    const std::shared_ptr<DeviceThread>& device, const Environment& environment,
    const scene::Clusters& clusters) {
  static_assert(sizeof(TriangleIndices) == 3 * sizeof(std::uint32_t));
  const std::vector<TriangleIndices> order = in_order(environment, clusters);
  Buffer corners;
  if (const Status status = upload_buffer(*device, std::span<const TriangleIndices>(order),
                                          "the room's triangles", corners);
      !status) {
    return status.error();
  }
  return make_room(
      device, environment,
      std::make_shared<const RoomTriangles>(device, std::move(corners), ranges_of(clusters)));
}

Result<std::shared_ptr<const DeviceRoom>> DeviceRoom::with_vertices(
    const Environment& environment) const {
  return make_room(device_, environment, triangles_);
}

}  // namespace tocsin::gl
