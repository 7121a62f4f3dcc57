// A room in the memory of an OpenGL device. docs/gl.md, "The room".
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gpu/gl/context/device_thread.h"
#include "gpu/gl/context/objects.h"
#include "gpu/gl/visibility/visibility_chunk.h"
#include "scene/tree/clusters.h"
#include "tocsin/environment.h"
#include "tocsin/result.h"

namespace tocsin::gl {

/// Which corners form which triangle, in order of clusters. Shared by all versions of a room.
class RoomTriangles {
 public:
  RoomTriangles(std::shared_ptr<DeviceThread> device, Buffer corners,
                std::vector<TriangleRange> clusters)
      : device_(std::move(device)), corners_(std::move(corners)), clusters_(std::move(clusters)) {}
  RoomTriangles(const RoomTriangles&) = delete;
  RoomTriangles& operator=(const RoomTriangles&) = delete;
  ~RoomTriangles() { let_go(*device_, std::move(corners_)); }

  [[nodiscard]] const Buffer& corners() const { return corners_; }
  [[nodiscard]] std::span<const TriangleRange> clusters() const { return clusters_; }
  /// The triangle of the control (visibility_control.h): the last one. Where DeviceRoom uploaded.
  [[nodiscard]] std::uint32_t control() const {
    return static_cast<std::uint32_t>(corners_.bytes() / sizeof(TriangleIndices)) - 1;
  }

 private:
  std::shared_ptr<DeviceThread> device_;
  Buffer corners_;
  std::vector<TriangleRange> clusters_;
};

/// A room in the device's memory: vertices and, in order of clusters, triangles. Immutable.
class DeviceRoom {
 public:
  DeviceRoom(std::shared_ptr<DeviceThread> device, Buffer vertices,
             std::shared_ptr<const RoomTriangles> triangles)
      : device_(std::move(device)),
        vertices_(std::move(vertices)),
        triangles_(std::move(triangles)) {}
  DeviceRoom(const DeviceRoom&) = delete;
  DeviceRoom& operator=(const DeviceRoom&) = delete;
  ~DeviceRoom() { let_go(*device_, std::move(vertices_)); }

  /// Uploads, with the control's triangle behind all others. Errors (kResource): memory; a room of
  /// more bytes than the device takes in one buffer.
  static Result<std::shared_ptr<const DeviceRoom>> upload(
      const std::shared_ptr<DeviceThread>& device, const Environment& environment,
      const scene::Clusters& clusters);
  /// With the triangles of this one. Errors as above.
  [[nodiscard]] Result<std::shared_ptr<const DeviceRoom>> with_vertices(
      const Environment& environment) const;

  [[nodiscard]] const Buffer& vertices() const { return vertices_; }
  [[nodiscard]] const RoomTriangles& triangles() const { return *triangles_; }

 private:
  std::shared_ptr<DeviceThread> device_;
  Buffer vertices_;
  std::shared_ptr<const RoomTriangles> triangles_;
};

}  // namespace tocsin::gl
