// Poses on the wire: PoseCodec (wire/reports.h).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "wire/limits.h"
#include "wire/reports.h"

namespace tocsin::wire {
namespace {

bool same_bits(const Vec3& a, const Vec3& b) {
  const auto same = [](double u, double v) {
    return std::bit_cast<std::uint64_t>(u) == std::bit_cast<std::uint64_t>(v);
  };
  return same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z);
}

double* put(double* to, const Vec3& v) {
  to[0] = v.x;
  to[1] = v.y;
  to[2] = v.z;
  return to + 3;
}

double* put(double* to, const Quat& q) {
  to[0] = q.w;
  to[1] = q.x;
  to[2] = q.y;
  to[3] = q.z;
  return to + 4;
}

/// Room for `count` numbers more, which the caller must write.
double* added(google::protobuf::RepeatedField<double>& field, std::size_t count) {
  const int least = field.size() + static_cast<int>(count);
  if (field.Capacity() < least) field.Reserve(std::max(least, 2 * field.Capacity()));
  return field.AddNAlreadyReserved(static_cast<int>(count));
}

Vec3 vector_at(const double* from) { return {from[0], from[1], from[2]}; }

}  // namespace

PoseCodec::PoseCodec(const Skeleton& skeleton) {
  rest_.reserve(static_cast<std::size_t>(skeleton.size()));
  for (const Joint& joint : skeleton.joints()) {
    if (joint.parent < 0) roots_.push_back(static_cast<int>(rest_.size()));
    rest_.push_back(joint.rest.translation);
  }
}

void PoseCodec::to_wire(std::span<const Transform> pose, v1::Pose& out) const {
  out.clear_rotations();
  out.clear_translations();
  add(pose, is_at_rest(pose), *out.mutable_rotations(), *out.mutable_translations());
}

void PoseCodec::append(std::span<const Transform> pose, bool roots_only,
                       v1::SlotFrames& out) const {
  add(pose, roots_only, *out.mutable_rotations(), *out.mutable_translations());
}

void PoseCodec::append(const TrackFrame& frame, bool roots_only, v1::SlotFrames& out) const {
  append(frame.pose, roots_only, out);
  if (frame.ahead.empty()) return;
  add(frame.ahead, roots_only, *out.mutable_ahead_rotations(), *out.mutable_ahead_translations());
}

void PoseCodec::add(std::span<const Transform> pose, bool roots_only, Numbers& rotations,
                    Numbers& translations) const {
  double* rotation = added(rotations, 4 * pose.size());
  for (const Transform& joint : pose) rotation = put(rotation, joint.rotation);
  double* to = added(translations, 3 * (roots_only ? roots_.size() : pose.size()));
  if (roots_only) {
    for (const int i : roots_) to = put(to, pose[static_cast<std::size_t>(i)].translation);
  } else {
    for (const Transform& joint : pose) to = put(to, joint.translation);
  }
}

bool PoseCodec::is_at_rest(const TrackFrame& frame) const {
  return is_at_rest(frame.pose) && (frame.ahead.empty() || is_at_rest(frame.ahead));
}

bool PoseCodec::is_at_rest(std::span<const Transform> pose) const {
  if (pose.size() != rest_.size()) return false;
  std::size_t root = 0;  // the next of roots_, which are in order
  for (std::size_t i = 0; i < pose.size(); ++i) {
    if (root < roots_.size() && static_cast<std::size_t>(roots_[root]) == i) {
      ++root;
    } else if (!same_bits(pose[i].translation, rest_[i])) {
      return false;
    }
  }
  return true;
}

Status PoseCodec::from_wire(const v1::Pose& pose, std::vector<Transform>& out) const {
  const auto size = [](const auto& list) { return static_cast<std::size_t>(list.size()); };
  return from_wire({pose.rotations().data(), size(pose.rotations())},
                   {pose.translations().data(), size(pose.translations())}, out);
}

Status PoseCodec::from_wire(std::span<const double> rotations, std::span<const double> translations,
                            std::vector<Transform>& out) const {
  const std::size_t joints = rest_.size();
  if (rotations.size() != 4 * joints) {
    return {ErrorCode::kInput,
            fmt::format("{} numbers for rotations; the skeleton's {} joints need {}",
                        rotations.size(), joints, 4 * joints)};
  }
  const bool roots_only = translations.size() == 3 * roots_.size();
  if (!roots_only && translations.size() != 3 * joints) {
    return {ErrorCode::kInput,
            fmt::format("{} numbers for translations; the skeleton's {} joints need {}, its {} "
                        "without a parent alone {}",
                        translations.size(), joints, 3 * joints, roots_.size(), 3 * roots_.size())};
  }
  out.resize(joints);
  const double* rotation = rotations.data();
  const double* translation = translations.data();
  for (std::size_t i = 0; i < joints; ++i, rotation += 4) {
    out[i].rotation = {rotation[0], rotation[1], rotation[2], rotation[3]};
    out[i].translation = roots_only ? rest_[i] : vector_at(translation + 3 * i);
  }
  if (roots_only) {
    for (std::size_t k = 0; k < roots_.size(); ++k) {
      out[static_cast<std::size_t>(roots_[k])].translation = vector_at(translation + 3 * k);
    }
  }
  return Nothing{};
}

Status PoseCodec::from_wire(const v1::Frame& frame, TrackFrame& out) const {
  if (frame.id() >= kIdLimit) {
    return {ErrorCode::kInput, fmt::format("frame {}: ids lie below 2^53", frame.id())};
  }
  out.id = frame.id();
  out.capture_time = frame.capture_time();
  if (const Status pose = from_wire(frame.pose(), out.pose); !pose) {
    return {ErrorCode::kInput, fmt::format("frame {}: {}", frame.id(), pose.error().message)};
  }
  out.ahead.clear();
  if (!frame.has_ahead()) return Nothing{};
  if (const Status ahead = from_wire(frame.ahead(), out.ahead); !ahead) {
    return {ErrorCode::kInput,
            fmt::format("frame {}: ahead: {}", frame.id(), ahead.error().message)};
  }
  return Nothing{};
}

void PoseCodec::to_wire(const TrackFrame& frame, v1::Frame& out) const {
  out.set_id(frame.id);
  out.set_capture_time(frame.capture_time);
  to_wire(frame.pose, *out.mutable_pose());
  if (frame.ahead.empty()) return out.clear_ahead();
  to_wire(frame.ahead, *out.mutable_ahead());
}

}  // namespace tocsin::wire
