#include "mocap/vmc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/vector/vec.h"
#include "mocap/human_bones.h"
#include "mocap/osc.h"
#include "tocsin/live/tracker.h"

namespace tocsin::mocap {
namespace {

/// A sender's quaternions are rounded to 32-bit floats; what is further off is no rotation. Larger:
/// a zero quaternion would come near.
constexpr double kVmcOffUnit = 1e-2;

/// Those without which VRM has no humanoid.
constexpr std::string_view kRequired[] = {
    "Hips",         "Spine",         "Head",          "LeftUpperArm",  "LeftLowerArm",
    "LeftHand",     "RightUpperArm", "RightLowerArm", "RightHand",     "LeftUpperLeg",
    "LeftLowerLeg", "LeftFoot",      "RightUpperLeg", "RightLowerLeg", "RightFoot"};

/// Addresses that VMC has, and that say nothing about a pose.
constexpr std::string_view kOther[] = {"/VMC/Ext/OK", "/VMC/Ext/Blend/Val", "/VMC/Ext/Blend/Apply"};

Error bad_vmc(std::string_view address, std::string_view what) {
  return {ErrorCode::kInput, fmt::format("VMC, {}: {}", address, what)};
}

/// The seven numbers after the name.
bool read_transform(const OscMessage& message, Transform& out) {
  if (message.values.size() < 8 || !message.values[0].is_text()) return false;
  std::array<double, 7> n{};
  for (std::size_t i = 0; i < n.size(); ++i) {
    const OscValue& value = message.values[i + 1];
    if (!value.is_number() || !std::isfinite(value.number)) return false;
    n[i] = value.number;
  }
  out = kUnityAxes({{n[6], n[3], n[4], n[5]}, {n[0], n[1], n[2]}});
  return std::fabs(core::norm(out.rotation) - 1.0) <= kVmcOffUnit;
}

constexpr std::string_view kNoTransform =
    "expected a name, a position and a unit quaternion, 7 finite numbers";

/// False: it is unknown.
Result<bool> read_vmc_message(const OscMessage& message, std::vector<VmcMessage>& out) {
  VmcMessage read;
  if (message.address == "/VMC/Ext/T") {
    const bool sound = !message.values.empty() && message.values[0].is_number() &&
                       std::isfinite(message.values[0].number);
    if (!sound) return bad_vmc(message.address, "expected a finite number");
    read.time = message.values[0].number;
  } else if (message.address == "/VMC/Ext/Root/Pos") {
    if (!read_transform(message, read.at)) return bad_vmc(message.address, kNoTransform);
    read.kind = VmcMessage::Kind::kRoot;
  } else if (message.address == "/VMC/Ext/Bone/Pos") {
    if (!read_transform(message, read.at)) return bad_vmc(message.address, kNoTransform);
    read.kind = VmcMessage::Kind::kBone;
    read.bone = find_human_bone(message.values[0].text);
    if (read.bone < 0) return message.values[0].text == "LastBone";
  } else {
    return std::find(std::begin(kOther), std::end(kOther), message.address) != std::end(kOther);
  }
  out.push_back(read);
  return true;
}

bool is_zero(const Vec3& v) { return v == Vec3{}; }

}  // namespace

RestOffsets standard_offsets() {
  RestOffsets out;
  for (std::size_t i = 0; i < kHumanBones; ++i) out[i] = human_bones()[i].rest;
  return out;
}

Result<RestOffsets> offsets_of(const Skeleton& model) {
  std::array<int, kHumanBones> joint;
  joint.fill(-1);
  for (int j = 0; j < model.size(); ++j) {
    const int bone = find_human_bone(model.joints()[static_cast<std::size_t>(j)].name);
    if (bone >= 0 && joint[static_cast<std::size_t>(bone)] < 0) {
      joint[static_cast<std::size_t>(bone)] = j;
    }
  }
  for (const std::string_view name : kRequired) {
    if (joint[static_cast<std::size_t>(find_human_bone(name))] >= 0) continue;
    return {ErrorCode::kInput,
            fmt::format("the skeleton has no joint {}, one of Unity's humanoid bones", name)};
  }
  const std::vector<Vec3> rest = model.rest_positions();
  std::array<bool, kHumanBones> leads{};  // to a joint that the model has
  for (std::size_t i = kHumanBones; i-- > 1;) {
    const int parent = human_bones()[i].parent;
    if (parent >= 0 && (leads[i] || joint[i] >= 0)) leads[static_cast<std::size_t>(parent)] = true;
  }
  RestOffsets out = standard_offsets();
  std::array<Vec3, kHumanBones> at;  // of the bones so far, in the world
  for (std::size_t i = 0; i < kHumanBones; ++i) {
    const int parent = human_bones()[i].parent;
    const Vec3 from = parent < 0 ? Vec3{} : at[static_cast<std::size_t>(parent)];
    if (joint[i] >= 0) out[i] = rest[static_cast<std::size_t>(joint[i])] - from;
    // A bone between two that the model has takes no part of the way.
    if (joint[i] < 0 && leads[i]) out[i] = {};
    at[i] = from + out[i];
  }
  return out;
}

Result<std::vector<VmcMessage>> read_vmc(std::string_view packet, std::uint64_t& unknown) {
  const auto messages = read_osc(packet);
  if (!messages) return messages.error();
  std::vector<VmcMessage> out;
  std::uint64_t others = 0;
  for (const OscMessage& message : *messages) {
    const auto known = read_vmc_message(message, out);
    if (!known) return known.error();
    if (!*known) ++others;
  }
  unknown += others;
  return out;
}

bool VmcDecoder::Collected::empty() const {
  return !root && std::none_of(bones.begin(), bones.end(),
                               [](const auto& bone) { return bone.has_value(); });
}

bool VmcDecoder::Collected::exceeds(const Collected& other) const {
  if (root && !other.root) return true;
  for (std::size_t i = 0; i < kHumanBones; ++i) {
    if (bones[i] && !other.bones[i]) return true;
  }
  return false;
}

void VmcDecoder::read(std::string_view datagram, double now, std::vector<MocapFrame>& out) {
  const auto messages = read_vmc(datagram, counts_.unknown);
  if (!messages) return refuse(messages.error().message);
  for (const VmcMessage& message : *messages) {
    if (message.kind == VmcMessage::Kind::kTime) {
      end_frame(message.time, now, out);
      continue;
    }
    const auto slot = [&]() -> std::optional<Transform>& {
      return message.kind == VmcMessage::Kind::kRoot
                 ? pending_.root
                 : pending_.bones[static_cast<std::size_t>(message.bone)];
    };
    if (slot()) end_frame(std::nullopt, now, out);
    slot() = message.at;
  }
}

void VmcDecoder::end_frame(std::optional<double> time, double now, std::vector<MocapFrame>& out) {
  if (pending_.empty()) return;  // a time alone
  Collected frame = std::exchange(pending_, {});
  frame.time = time;
  frame.arrived = now;
  if (bound_ && time && sent_time_ && *time < *sent_time_ - 1.0) bound_ = false;
  if (bound_) return emit(frame, out);
  if (first_ && !frame.exceeds(*first_)) {
    const Collected first = *std::exchange(first_, std::nullopt);
    begin(first);
    emit(first, out);
    return emit(frame, out);
  }
  if (first_) ++counts_.incomplete;
  first_ = frame;
}

void VmcDecoder::begin(const Collected& first) {
  no_offsets_ = true;
  for (std::size_t i = 1; i < kHumanBones; ++i) {
    if (first.bones[i] && !is_zero(first.bones[i]->translation)) no_offsets_ = false;
  }
  no_hips_ = no_offsets_ && (!first.bones[0] || is_zero(first.bones[0]->translation));
  std::vector<Joint> joints{{"root", -1, {}}};
  std::array<int, kHumanBones> joint{};   // of each bone: its own, or the nearest above
  std::array<Vec3, kHumanBones> skipped;  // offsets of bones between that joint and the bone
  bones_.clear();
  for (std::size_t i = 0; i < kHumanBones; ++i) {
    const int above = human_bones()[i].parent;
    const int parent = above < 0 ? 0 : joint[static_cast<std::size_t>(above)];
    const Vec3 between = above < 0 ? Vec3{} : skipped[static_cast<std::size_t>(above)];
    if (!first.bones[i]) {
      joint[i] = parent;
      skipped[i] = between + rest_[i];
      continue;
    }
    skipped[i] = {};
    joint[i] = static_cast<int>(joints.size());
    offsets_[i] = between + rest_[i];
    joints.push_back(
        {std::string(human_bones()[i].name), parent, {{}, placed(i, *first.bones[i]).translation}});
    bones_.push_back(static_cast<int>(i));
  }
  skeleton_ = Skeleton::create(std::move(joints)).value();
  pose_.clear();
  for (const Joint& made : skeleton_.joints()) pose_.push_back(made.rest);
  bound_ = true;
  begins_ = true;
  next_id_ = 0;
  sent_time_.reset();
  ++counts_.streams;
}

Transform VmcDecoder::placed(std::size_t bone, const Transform& sent) const {
  const bool by_rest = bone == 0 ? no_hips_ : no_offsets_;
  return {sent.rotation, by_rest ? offsets_[bone] : sent.translation};
}

std::optional<double> VmcDecoder::time_of(const Collected& frame,
                                          const std::vector<Transform>& pose) {
  const double since = std::max(frame.arrived - arrived_, 1e-4);
  if (begins_) {
    if (!frame.time) ++counts_.untimed;
    return frame.time ? *frame.time : frame.arrived;
  }
  if (frame.time && sent_time_ && *frame.time < *sent_time_) return std::nullopt;
  if (frame.time && sent_time_ == frame.time && pose == pose_) return std::nullopt;
  if (frame.time && *frame.time > time_) return frame.time;
  ++counts_.untimed;
  return time_ + since;
}

void VmcDecoder::emit(const Collected& frame, std::vector<MocapFrame>& out) {
  std::vector<Transform> pose = pose_;
  std::uint64_t held = 0;
  std::uint64_t others = 0;
  if (frame.root) pose[0] = *frame.root;
  for (std::size_t j = 0; j < bones_.size(); ++j) {
    const auto bone = static_cast<std::size_t>(bones_[j]);
    if (frame.bones[bone]) {
      pose[j + 1] = placed(bone, *frame.bones[bone]);
    } else {
      ++held;
    }
  }
  for (std::size_t i = 0; i < kHumanBones; ++i) {
    const bool has = std::find(bones_.begin(), bones_.end(), static_cast<int>(i)) != bones_.end();
    if (frame.bones[i] && !has) ++others;
  }
  const auto time = time_of(frame, pose);
  if (!time) {
    ++counts_.late;
    return;
  }
  counts_.held += held;
  counts_.unknown += others;
  if (frame.time) sent_time_ = frame.time;
  time_ = *time;
  arrived_ = frame.arrived;
  pose_ = pose;
  ++counts_.frames;
  const bool begins = std::exchange(begins_, false);
  out.push_back({next_id_++, *time, std::move(pose), begins, begins ? skeleton_ : Skeleton()});
}

namespace {

/// Bytes of a packet: below the usual MTU of 1,500, so that no datagram is in pieces.
constexpr std::size_t kPacket = 1400;

std::string pose_message(std::string_view address, std::string_view name, const Transform& at) {
  const auto number = [](double x) { return static_cast<float>(x); };
  const auto [q, p] = kUnityAxes(at);  // the way back is the same
  const std::array<OscArgument, 8> values{name,        number(p.x), number(p.y), number(p.z),
                                          number(q.x), number(q.y), number(q.z), number(q.w)};
  return osc_message(address, values);
}

}  // namespace

std::vector<std::string> write_vmc(const Transform& root, std::span<const VmcBone> bones,
                                   double time) {
  std::vector<std::string> out;
  std::vector<std::string> messages;
  std::size_t bytes = 16;
  const auto add = [&](std::string message) {
    if (bytes + 4 + message.size() > kPacket) {
      out.push_back(osc_bundle(messages));
      messages.clear();
      bytes = 16;
    }
    bytes += 4 + message.size();
    messages.push_back(std::move(message));
  };
  add(pose_message("/VMC/Ext/Root/Pos", "root", root));
  for (const VmcBone& bone : bones) {
    const std::string_view name = human_bones()[static_cast<std::size_t>(bone.bone)].name;
    add(pose_message("/VMC/Ext/Bone/Pos", name, bone.at));
  }
  const std::array<OscArgument, 1> loaded{std::int32_t{1}};
  add(osc_message("/VMC/Ext/OK", loaded));
  const std::array<OscArgument, 1> seconds{static_cast<float>(time)};
  add(osc_message("/VMC/Ext/T", seconds));
  out.push_back(osc_bundle(messages));
  return out;
}

}  // namespace tocsin::mocap
