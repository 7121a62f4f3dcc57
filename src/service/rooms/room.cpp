#include "service/rooms/room.h"

#include <array>

namespace tocsin::service {

EnvironmentInfo Room::info() const {
  EnvironmentInfo out;
  out.name = name;
  out.revision = revision;
  out.objects = environment.objects().size();
  out.triangles = environment.triangles().size();
  const std::array<Vec3f, 2> box = environment.bounds();
  const auto wide = [](const Vec3f& v) {
    return Vec3{static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
  };
  out.least = wide(box[0]);
  out.most = wide(box[1]);
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
