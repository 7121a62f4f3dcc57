#include "gpu/cuda/stages/device_room.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "core/bounds/box.h"
#include "core/bounds/may_touch.h"

namespace tocsin::cuda {

namespace {

core::Box box_of(const Environment& environment, const Object& object) {
  core::Box box;
  for (std::uint32_t i = 0; i < object.triangle_count; ++i) {
    for (const Vec3f& corner : environment.corners(object.first_triangle + i)) {
      box = join(box, core::box_of(corner));
    }
  }
  return box;
}

std::vector<std::uint32_t> corners_of(const Environment& environment) {
  std::vector<std::uint32_t> corners;
  corners.reserve(3 * environment.triangles().size());
  for (const TriangleIndices& t : environment.triangles()) {
    corners.insert(corners.end(), t.begin(), t.end());
  }
  return corners;
}

}  // namespace

DeviceRoom::DeviceRoom(std::shared_ptr<Device> device, const Environment& environment)
    : device_(std::move(device)),
      vertices_(device_),
      corners_(device_),
      object_of_(device_),
      first_triangle_(device_),
      object_boxes_(device_) {
  const std::span<const Object> objects = environment.objects();
  std::vector<std::uint32_t> first_triangle;
  std::vector<std::uint32_t> object_of;
  object_of.reserve(environment.triangles().size());
  for (std::size_t i = 0; i < objects.size(); ++i) {
    first_triangle.push_back(objects[i].first_triangle);
    object_of.insert(object_of.end(), objects[i].triangle_count, static_cast<std::uint32_t>(i));
  }
  corners_.upload(corners_of(environment));
  object_of_.upload(object_of);
  first_triangle_.upload(first_triangle);
  view_.corners = corners_.data();
  view_.object_of = object_of_.data();
  view_.first_triangle = first_triangle_.data();
  view_.triangle_count = static_cast<std::uint32_t>(environment.triangles().size());
  view_.object_count = static_cast<std::uint32_t>(objects.size());
  move(environment);
}

void DeviceRoom::move(const Environment& environment) {
  vertices_.upload(environment.vertices());
  std::vector<core::Box> boxes;
  for (const Object& object : environment.objects()) boxes.push_back(box_of(environment, object));
  object_boxes_.upload(boxes);
  view_.vertices = vertices_.data();
  view_.bounds = core::Box();
  if (view_.triangle_count != 0) {
    view_.bounds = {environment.bounds()[0], environment.bounds()[1]};
  }
  view_.farthest = core::farthest_coordinate(view_.bounds);
}

}  // namespace tocsin::cuda
