#include "service/rooms/room.h"

#include <algorithm>
#include <array>
#include <span>

namespace tocsin::service {

namespace {

Vec3 wide(const Vec3f& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

void set_bounds(std::span<const Vec3> corners, EnvironmentInfo& out) {
  out.least = out.most = corners.front();
  for (const Vec3& p : corners) {
    out.least = {std::min(out.least.x, p.x), std::min(out.least.y, p.y),
                 std::min(out.least.z, p.z)};
    out.most = {std::max(out.most.x, p.x), std::max(out.most.y, p.y), std::max(out.most.z, p.z)};
  }
}

}  // namespace

EnvironmentInfo Room::info() const {
  EnvironmentInfo out;
  out.name = name;
  out.revision = revision;
  out.objects = environment.objects().size();
  out.triangles = environment.triangles().size();
  if (shape.empty()) {
    std::array<Vec3f, 2> box = environment.bounds();
    if (scene) {
      out.changeable = true;
      out.version = scene->version();
      out.objects = scene->objects();
      out.triangles = scene->triangles();
      if (auto now = scene->bounds(); now) box = now.value();
    }
    out.least = wide(box[0]);
    out.most = wide(box[1]);
  } else {
    out.shape = true;
    out.triangles = shape.features().size();
    set_bounds(shape.corners(), out);
  }
  out.sessions = sessions;
  for (const RoomFile& file : files) {
    if (!file.referenced) out.files.push_back(file.shown);
  }
  const bool on_device = device && device->works();
  out.backend = on_device ? device->backend() : backend;
  out.device = on_device ? device->name() : device_name;
  if (device) out.fallback = device->fallback();
  return out;
}

}  // namespace tocsin::service
