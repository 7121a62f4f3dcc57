// A room in a device's memory.
#pragma once

#include <cstdint>
#include <memory>

#include "core/batch/layout.h"
#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device.h"
#include "tocsin/environment.h"

namespace tocsin::cuda {

/// Functions throw Failure.
class DeviceRoom {
 public:
  DeviceRoom(std::shared_ptr<Device> device, const Environment& environment);
  /// The same triangles and objects, other vertices (Environment::with_vertices). If it throws, the
  /// room is not to be used any more.
  void move(const Environment& environment);
  /// bounds: the box that the CPU's trees have, empty if there are no triangles; farthest:
  /// core::farthest_coordinate of it.
  [[nodiscard]] const core::batch::RoomView& view() const { return view_; }
  /// Per object the box of its triangles, empty if it has none. Device memory.
  [[nodiscard]] const core::Box* object_boxes() const { return object_boxes_.data(); }

 private:
  std::shared_ptr<Device> device_;
  Array<Vec3f> vertices_;
  Array<std::uint32_t> corners_;
  Array<std::uint32_t> object_of_;
  Array<std::uint32_t> first_triangle_;
  Array<core::Box> object_boxes_;
  core::batch::RoomView view_;
};

}  // namespace tocsin::cuda
