// Poses on the wire: PoseCodec (wire/reports.h).
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
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

template <class Number>
Number* put(Number* to, const Vec3& v) {
  to[0] = static_cast<Number>(v.x);
  to[1] = static_cast<Number>(v.y);
  to[2] = static_cast<Number>(v.z);
  return to + 3;
}

template <class Number>
Number* put(Number* to, const Quat& q) {
  to[0] = static_cast<Number>(q.w);
  to[1] = static_cast<Number>(q.x);
  to[2] = static_cast<Number>(q.y);
  to[3] = static_cast<Number>(q.z);
  return to + 4;
}

/// Room for `count` numbers more, which the caller must write.
template <class Number>
Number* added(google::protobuf::RepeatedField<Number>& field, std::size_t count) {
  const int least = field.size() + static_cast<int>(count);
  if (field.Capacity() < least) field.Reserve(std::max(least, 2 * field.Capacity()));
  return field.AddNAlreadyReserved(static_cast<int>(count));
}

// A float becomes the double of the same value.
template <class Number>
Vec3 vector_at(const Number* from) {
  return {static_cast<double>(from[0]), static_cast<double>(from[1]), static_cast<double>(from[2])};
}

template <class Number>
Quat rotation_at(const Number* from) {
  return {static_cast<double>(from[0]), static_cast<double>(from[1]), static_cast<double>(from[2]),
          static_cast<double>(from[3])};
}

template <class Pose>
auto numbers_of(const Pose& pose) {
  using Number = std::remove_cvref_t<decltype(*pose.rotations().data())>;
  const auto span_of = [](const auto& list) {
    return std::span<const Number>(list.data(), static_cast<std::size_t>(list.size()));
  };
  return PoseNumbers<Number>{span_of(pose.rotations()), span_of(pose.translations())};
}

}  // namespace

PoseCodec::PoseCodec(const Skeleton& skeleton, std::span<const std::uint32_t> linked) {
  rest_.reserve(static_cast<std::size_t>(skeleton.size()));
  for (const Joint& joint : skeleton.joints()) {
    if (joint.parent < 0) roots_.push_back(static_cast<int>(rest_.size()));
    is_root_.push_back(joint.parent < 0);
    rest_.push_back(joint.rest);
  }
  set_linked(linked);
}

void PoseCodec::set_linked(std::span<const std::uint32_t> linked) {
  linked_.clear();
  linked_roots_ = 0;
  for (const std::uint32_t joint : linked) {
    const bool in_order = linked_.empty() || static_cast<int>(joint) > linked_.back();
    if (joint >= rest_.size() || !in_order) {
      linked_.clear();
      linked_roots_ = 0;
      return;
    }
    linked_.push_back(static_cast<int>(joint));
    linked_roots_ += is_root_[joint] ? 1 : 0;
  }
}

void PoseCodec::set_tracker(const TrackerPoses& tracker) { tracker_ = tracker; }

bool PoseCodec::is_like(const PoseCodec& other) const {
  const auto same = [](const Transform& p, const Transform& q) {
    const Quat& r = p.rotation;
    const Quat& s = q.rotation;
    return same_bits({r.w, r.x, r.y}, {s.w, s.x, s.y}) &&
           same_bits({r.z, 0.0, 0.0}, {s.z, 0.0, 0.0}) && same_bits(p.translation, q.translation);
  };
  return roots_ == other.roots_ && linked_ == other.linked_ && tracker_ == other.tracker_ &&
         std::equal(rest_.begin(), rest_.end(), other.rest_.begin(), other.rest_.end(), same);
}

bool PoseCodec::needs_all(const PoseForm& form) const {
  return tracker_.world && (form.linked_only || (form.roots_only && roots_.size() < joints()));
}

// ---- To the wire

void PoseCodec::to_wire(std::span<const Transform> pose, v1::Pose& out) const {
  out.clear_rotations();
  out.clear_translations();
  add(pose, {is_at_rest(pose), false}, *out.mutable_rotations(), *out.mutable_translations());
}

void PoseCodec::append(std::span<const Transform> pose, bool roots_only,
                       v1::SlotFrames& out) const {
  add(pose, {roots_only, false}, *out.mutable_rotations(), *out.mutable_translations());
}

template <class Columns>
void PoseCodec::append(const TrackFrame& frame, const PoseForm& form, Columns& out) const {
  add(frame.pose, form, *out.mutable_rotations(), *out.mutable_translations());
  if (frame.ahead.empty()) return;
  add(frame.ahead, form, *out.mutable_ahead_rotations(), *out.mutable_ahead_translations());
}
template void PoseCodec::append(const TrackFrame&, const PoseForm&, v1::SlotFrames&) const;
template void PoseCodec::append(const TrackFrame&, const PoseForm&, v1::SlotFramesF&) const;

template <class Number>
void PoseCodec::add(std::span<const Transform> pose, const PoseForm& form,
                    Numbers<Number>& rotations, Numbers<Number>& translations) const {
  Number* rotation = added(rotations, 4 * turned(form));
  Number* to = added(translations, 3 * moved(form));
  const auto add_joint = [&](std::size_t i) {
    rotation = put(rotation, pose[i].rotation);
    if (!form.roots_only || is_root_[i]) to = put(to, pose[i].translation);
  };
  if (form.linked_only) {
    for (const int i : linked_) add_joint(static_cast<std::size_t>(i));
  } else {
    for (std::size_t i = 0; i < pose.size(); ++i) add_joint(i);
  }
}

bool PoseCodec::is_at_rest(std::span<const Transform> pose) const {
  if (pose.size() != rest_.size()) return false;
  for (std::size_t i = 0; i < pose.size(); ++i) {
    if (!is_root_[i] && !same_bits(pose[i].translation, rest_[i].translation)) return false;
  }
  return true;
}

bool PoseCodec::is_at_rest(const TrackFrame& frame, bool linked_only) const {
  if (!linked_only) {
    return is_at_rest(frame.pose) && (frame.ahead.empty() || is_at_rest(frame.ahead));
  }
  return std::all_of(linked_.begin(), linked_.end(), [&](int joint) {
    const auto i = static_cast<std::size_t>(joint);
    const auto rests = [&](const std::vector<Transform>& pose) {
      return same_bits(pose[i].translation, rest_[i].translation);
    };
    return is_root_[i] || (rests(frame.pose) && (frame.ahead.empty() || rests(frame.ahead)));
  });
}

PoseForm PoseCodec::form_of(const TrackFrame& frame) const {
  const bool linked_only = frame.linked_only && !linked_.empty();
  return {is_at_rest(frame, linked_only), linked_only};
}

template <class Frame>
void PoseCodec::write_frame(const TrackFrame& frame, Frame& out) const {
  out.set_id(frame.id);
  out.set_capture_time(frame.capture_time);
  const PoseForm form = form_of(frame);
  const auto write = [&](std::span<const Transform> pose, auto& to) {
    to.clear_rotations();
    to.clear_translations();
    add(pose, form, *to.mutable_rotations(), *to.mutable_translations());
  };
  write(frame.pose, *out.mutable_pose());
  if (frame.ahead.empty()) return out.clear_ahead();
  write(frame.ahead, *out.mutable_ahead());
}

void PoseCodec::to_wire(const TrackFrame& frame, v1::Frame& out) const { write_frame(frame, out); }
void PoseCodec::to_wire(const TrackFrame& frame, v1::FrameF& out) const { write_frame(frame, out); }

// ---- From the wire

template <class Number>
void PoseCodec::take_all(const Number* rotations, const Number* translations, bool roots_only,
                         std::span<Transform> out) const {
  const std::size_t joints = out.size();
  if (!roots_only) {
    for (std::size_t i = 0; i < joints; ++i) {
      out[i] = {rotation_at(rotations + 4 * i), vector_at(translations + 3 * i)};
    }
    return;
  }
  const Transform* const rest = rest_.data();
  for (std::size_t i = 0; i < joints; ++i) {
    out[i] = {rotation_at(rotations + 4 * i), rest[i].translation};
  }
  for (const int root : roots_) {
    out[static_cast<std::size_t>(root)].translation = vector_at(translations);
    translations += 3;
  }
}

template <class Number>
void PoseCodec::take(const PoseNumbers<Number>& pose, const PoseForm& form,
                     std::vector<Transform>& out) const {
  const Number* rotation = pose.rotations.data();
  const Number* translation = pose.translations.data();
  const bool ours = tracker_.axes.are_ours();
  if (ours && !form.linked_only) {  // of nearly all
    out.resize(rest_.size());
    take_all(rotation, translation, form.roots_only, out);
    return;
  }
  const auto take_joint = [&](std::size_t i) {
    const bool moves = !form.roots_only || is_root_[i];
    const Quat turned = rotation_at(rotation);
    const Vec3 moved = moves ? vector_at(translation) : Vec3{};
    out[i].rotation = ours ? turned : tracker_.axes.turn(turned);
    out[i].translation = !moves ? rest_[i].translation : ours ? moved : tracker_.axes.place(moved);
    rotation += 4;
    if (moves) translation += 3;
  };
  if (form.linked_only) {
    out = rest_;
    for (const int i : linked_) take_joint(static_cast<std::size_t>(i));
  } else {
    out.resize(rest_.size());
    for (std::size_t i = 0; i < out.size(); ++i) take_joint(i);
  }
}
template void PoseCodec::take(const PoseNumbers<double>&, const PoseForm&,
                              std::vector<Transform>&) const;
template void PoseCodec::take(const PoseNumbers<float>&, const PoseForm&,
                              std::vector<Transform>&) const;

template <class Number>
Status PoseCodec::read(const PoseNumbers<Number>& pose, std::vector<Transform>& out,
                       bool& linked) const {
  PoseForm form;
  if (pose.rotations.size() != 4 * joints()) {
    form.linked_only = !linked_.empty() && pose.rotations.size() == 4 * linked_.size();
    if (!form.linked_only) {
      return {ErrorCode::kInput,
              fmt::format("{} numbers for rotations; the skeleton's {} joints need {}{}",
                          pose.rotations.size(), joints(), 4 * joints(),
                          linked_.empty() || linked_.size() == joints()
                              ? ""
                              : fmt::format(", the {} that links hang on alone {}", linked_.size(),
                                            4 * linked_.size()))};
    }
  }
  const std::size_t all = moved(form);
  form.roots_only = true;
  if (pose.translations.size() != 3 * moved(form)) {
    if (pose.translations.size() != 3 * all) {
      return {ErrorCode::kInput,
              fmt::format("{} numbers for translations; the skeleton's {} joints need {}, its {} "
                          "without a parent alone {}",
                          pose.translations.size(), all, 3 * all, moved(form), 3 * moved(form))};
    }
    form.roots_only = false;
  }
  if (needs_all(form)) return {ErrorCode::kInput, std::string(kNeedsAll)};
  linked = form.linked_only;
  take(pose, form, out);
  return Nothing{};
}

Status PoseCodec::from_wire(const v1::Pose& pose, std::vector<Transform>& out) const {
  bool linked = false;
  return read(numbers_of(pose), out, linked);
}

template <class Frame>
Status PoseCodec::read_frame(const Frame& frame, TrackFrame& out) const {
  if (frame.id() >= kIdLimit) {
    return {ErrorCode::kInput, fmt::format("frame {}: ids lie below 2^53", frame.id())};
  }
  out.id = frame.id();
  out.capture_time = frame.capture_time();
  out.floats = std::is_same_v<Frame, v1::FrameF>;
  if (const Status pose = read(numbers_of(frame.pose()), out.pose, out.linked_only); !pose) {
    return {ErrorCode::kInput, fmt::format("frame {}: {}", frame.id(), pose.error().message)};
  }
  out.ahead.clear();
  if (!frame.has_ahead()) return Nothing{};
  bool linked = false;
  if (const Status ahead = read(numbers_of(frame.ahead()), out.ahead, linked); !ahead) {
    return {ErrorCode::kInput,
            fmt::format("frame {}: ahead: {}", frame.id(), ahead.error().message)};
  }
  return Nothing{};
}

Status PoseCodec::from_wire(const v1::Frame& frame, TrackFrame& out) const {
  return read_frame(frame, out);
}
Status PoseCodec::from_wire(const v1::FrameF& frame, TrackFrame& out) const {
  return read_frame(frame, out);
}

}  // namespace tocsin::wire
