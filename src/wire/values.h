// Rooms, and options of sessions, on the wire.
#pragma once

#include <cmath>

#include "tocsin/result.h"
#include "tocsin/track.h"
#include "tocsin/types.h"
#include "tocsin/v1/collision.pb.h"

namespace tocsin::wire {

inline bool is_finite(const Vec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

inline Vec3 from_wire(const v1::Vec3& v) { return {v.x(), v.y(), v.z()}; }
inline Quat from_wire(const v1::Quaternion& q) { return {q.w(), q.x(), q.y(), q.z()}; }
void to_wire(const Vec3& v, v1::Vec3& out);
void to_wire(const Quat& q, v1::Quaternion& out);

v1::UpAxis to_wire(UpAxis up);
/// Errors (kInput): a value unknown to this version.
Status from_wire(v1::UpAxis up, UpAxis& out);

void to_wire(const EnvironmentInfo& room, v1::Environment& out);
EnvironmentInfo from_wire(const v1::Environment& room);

void to_wire(const TrackOptions& options, v1::Open& out);
/// Errors (kInput), naming the field: numbers that are not finite or out of range, enumerators that
/// are unknown, too many or too long patterns, a skeleton or model that is none.
Result<TrackOptions> from_wire(const v1::Open& open);

}  // namespace tocsin::wire
