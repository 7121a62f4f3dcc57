#include "wire/values.h"

#include <fmt/format.h>

#include "wire/text.h"

namespace tocsin::wire {

void to_wire(const Vec3& v, v1::Vec3& out) {
  out.set_x(v.x);
  out.set_y(v.y);
  out.set_z(v.z);
}

void to_wire(const Quat& q, v1::Quaternion& out) {
  out.set_w(q.w);
  out.set_x(q.x);
  out.set_y(q.y);
  out.set_z(q.z);
}

v1::UpAxis to_wire(UpAxis up) {
  switch (up) {
    case UpAxis::kX:
      return v1::UP_AXIS_X;
    case UpAxis::kZ:
      return v1::UP_AXIS_Z;
    case UpAxis::kY:
      break;
  }
  return v1::UP_AXIS_Y;
}

Status from_wire(v1::UpAxis up, UpAxis& out) {
  // A proto3 message keeps an unknown enumerator as its number.
  switch (static_cast<int>(up)) {
    case v1::UP_AXIS_Y:
      out = UpAxis::kY;
      return Nothing{};
    case v1::UP_AXIS_Z:
      out = UpAxis::kZ;
      return Nothing{};
    case v1::UP_AXIS_X:
      out = UpAxis::kX;
      return Nothing{};
    default:
      return {ErrorCode::kInput,
              fmt::format("up: {} is none of UP_AXIS_Y (0), UP_AXIS_Z (1), UP_AXIS_X (2)",
                          static_cast<int>(up))};
  }
}

void to_wire(const EnvironmentInfo& room, v1::Environment& out) {
  out.Clear();
  put_text(room.name, *out.mutable_name());
  out.set_revision(room.revision);
  out.set_objects(room.objects);
  out.set_triangles(room.triangles);
  to_wire(room.least, *out.mutable_least());
  to_wire(room.most, *out.mutable_most());
  out.set_sessions(room.sessions);
  for (const std::string& file : room.files) put_text(file, *out.add_files());
  put_text(room.backend, *out.mutable_backend());
  put_text(room.device, *out.mutable_device());
  put_text(room.fallback, *out.mutable_fallback());
  out.set_shape(room.shape);
  out.set_changeable(room.changeable);
  out.set_version(room.version);
}

EnvironmentInfo from_wire(const v1::Environment& room) {
  EnvironmentInfo out;
  out.name = room.name();
  out.revision = room.revision();
  out.objects = room.objects();
  out.triangles = room.triangles();
  out.least = from_wire(room.least());
  out.most = from_wire(room.most());
  out.sessions = room.sessions();
  out.files.assign(room.files().begin(), room.files().end());
  out.backend = room.backend();
  out.device = room.device();
  out.fallback = room.fallback();
  out.shape = room.shape();
  out.changeable = room.changeable();
  out.version = room.version();
  return out;
}

}  // namespace tocsin::wire
