#include "mocap/plain.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <utility>

#include "core/vector/vec.h"
#include "mocap/bytes.h"

namespace tocsin::mocap {
namespace {

constexpr std::string_view kPlainMagic = "TOCSINU1";
constexpr std::size_t kPlainHeader = 32;
constexpr std::size_t kRotation = 16;
constexpr std::size_t kPosition = 12;
/// As Skeleton::create() and Motion::create() take them.
constexpr double kPlainOffUnit = 1e-3;
constexpr std::uint64_t kMostSequence = std::uint64_t{1} << 53U;

Error bad_plain(const std::string& what) { return {ErrorCode::kInput, "tocsin.udp.v1: " + what}; }

double plain_number(std::string_view bytes, std::size_t at) {
  return static_cast<double>(little_float(bytes, at));
}

}  // namespace

Result<PlainFrame> read_plain(std::string_view datagram) {
  if (datagram.size() < kPlainHeader || !datagram.starts_with(kPlainMagic)) {
    return bad_plain("expected 32 bytes that begin with TOCSINU1");
  }
  PlainFrame out;
  out.stream = static_cast<std::uint32_t>(load_little<4>(datagram, 8));
  const auto joints = static_cast<std::size_t>(load_little<2>(datagram, 12));
  const auto positions = static_cast<std::size_t>(load_little<2>(datagram, 14));
  out.sequence = load_little<8>(datagram, 16);
  out.time = little_double(datagram, 24);
  const std::size_t size = kPlainHeader + joints * kRotation + positions * kPosition;
  if (datagram.size() != size) {
    return bad_plain(fmt::format("{} bytes, where {} rotations and {} positions take {}",
                                 datagram.size(), joints, positions, size));
  }
  if (out.sequence >= kMostSequence) return bad_plain("the sequence number is 2^53 or more");
  if (!std::isfinite(out.time)) return bad_plain("the time is not finite");
  std::size_t at = kPlainHeader;
  for (std::size_t i = 0; i < joints; ++i, at += kRotation) {
    const Quat q{plain_number(datagram, at), plain_number(datagram, at + 4),
                 plain_number(datagram, at + 8), plain_number(datagram, at + 12)};
    if (!(std::fabs(core::norm(q) - 1.0) <= kPlainOffUnit)) {
      return bad_plain(fmt::format("rotation {} is no unit quaternion", i));
    }
    out.rotations.push_back(q);
  }
  for (std::size_t i = 0; i < positions; ++i, at += kPosition) {
    const Vec3 p{plain_number(datagram, at), plain_number(datagram, at + 4),
                 plain_number(datagram, at + 8)};
    if (!core::is_finite(p)) return bad_plain(fmt::format("position {} is not finite", i));
    out.positions.push_back(p);
  }
  return out;
}

std::string write_plain(const PlainFrame& frame) {
  std::string out(kPlainMagic);
  append_little<4>(out, frame.stream);
  append_little<2>(out, frame.rotations.size());
  append_little<2>(out, frame.positions.size());
  append_little<8>(out, frame.sequence);
  append_little<8>(out, std::bit_cast<std::uint64_t>(frame.time));
  for (const Quat& q : frame.rotations) {
    for (const double x : {q.w, q.x, q.y, q.z}) append_little_float(out, static_cast<float>(x));
  }
  for (const Vec3& p : frame.positions) {
    for (const double x : {p.x, p.y, p.z}) append_little_float(out, static_cast<float>(x));
  }
  return out;
}

PlainDecoder::PlainDecoder(Skeleton skeleton) {
  skeleton_ = std::move(skeleton);
  for (const Joint& joint : skeleton_.joints()) roots_ += joint.parent < 0 ? 1 : 0;
}

void PlainDecoder::read(std::string_view datagram, double /*now*/, std::vector<MocapFrame>& out) {
  auto frame = read_plain(datagram);
  if (!frame) return refuse(frame.error().message);
  const auto joints = skeleton_.joints();
  const std::size_t positions = frame->positions.size();
  if (frame->rotations.size() != joints.size() ||
      (positions != roots_ && positions != joints.size())) {
    return refuse(
        fmt::format("tocsin.udp.v1: {} rotations and {} positions; the skeleton has {} joints, {} "
                    "of them roots",
                    frame->rotations.size(), positions, joints.size(), roots_));
  }
  const double later = frame->time - newest_time_;
  const bool anew =
      frame->stream != stream_ || (frame->sequence <= newest_ && (later > 0.0 || later < -kLatest));
  MocapFrame made{frame->sequence, frame->time, {}, !begun_ || anew};
  made.pose.reserve(joints.size());
  std::size_t next = 0;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const bool sent = positions == joints.size() || joints[j].parent < 0;
    made.pose.push_back(
        {frame->rotations[j], sent ? frame->positions[next++] : joints[j].rest.translation});
  }
  if (made.begins) {
    made.skeleton = skeleton_;
    begun_ = true;
    stream_ = frame->stream;
    newest_ = frame->sequence;
    newest_time_ = frame->time;
    ++counts_.streams;
  } else if (frame->sequence > newest_) {
    counts_.missed += frame->sequence - newest_ - 1;
    newest_ = frame->sequence;
    newest_time_ = frame->time;
  } else {
    ++counts_.late;
  }
  ++counts_.frames;
  out.push_back(std::move(made));
}

}  // namespace tocsin::mocap
