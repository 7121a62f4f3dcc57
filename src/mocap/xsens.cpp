#include "mocap/xsens.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/vector/rotation.h"
#include "core/vector/vec.h"
#include "mocap/bytes.h"
#include "tocsin/live/tracker.h"

namespace tocsin::mocap {
namespace {

constexpr std::string_view kXsensMagic = "MXTP";
constexpr std::size_t kXsensHeader = 24;
constexpr std::size_t kEulerItem = 28;
constexpr std::size_t kQuaternionItem = 32;
constexpr double kCentimetre = 0.01;
/// As VMC's: a sender's floats are nearer, a zero quaternion is further.
constexpr double kXsensOffUnit = 1e-2;

Error bad_xsens(const std::string& what) { return {ErrorCode::kInput, "Xsens MVN: " + what}; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<int>(load_big<1>(bytes, at));
}

XsensHeader read_header(std::string_view bytes) {
  XsensHeader out;
  out.type = (bytes[4] - '0') * 10 + (bytes[5] - '0');
  out.sample = static_cast<std::uint32_t>(load_big<4>(bytes, 6));
  out.datagram = byte_at(bytes, 10) & 0x7f;
  out.last = (byte_at(bytes, 10) & 0x80) != 0;
  out.items = byte_at(bytes, 11);
  out.milliseconds = static_cast<std::uint32_t>(load_big<4>(bytes, 12));
  out.character = byte_at(bytes, 16);
  out.body = byte_at(bytes, 17);
  out.props = byte_at(bytes, 18);
  out.fingers = byte_at(bytes, 19);
  return out;
}

double xsens_number(std::string_view bytes, std::size_t at) {
  return static_cast<double>(big_float(bytes, at));
}

/// MXTP02's are Z up, X ahead, unless MVN was told otherwise.
Axes axes_of(const XsensUnits& units, bool euler) {
  const double unit = units.unit.value_or(euler ? kCentimetre : 1.0);
  if (euler || units.y_up) return {AxisAlong::kX, AxisAlong::kY, AxisAlong::kZ, unit};
  return {AxisAlong::kZ, AxisAlong::kX, AxisAlong::kY, unit};
}

/// False: a number is not finite, or a quaternion is no rotation.
bool read_segment(std::string_view bytes, std::size_t at, bool euler, const XsensUnits& units,
                  XsensSegment& out) {
  out.id = static_cast<std::uint32_t>(load_big<4>(bytes, at));
  const Axes axes = axes_of(units, euler);
  const Vec3 p{xsens_number(bytes, at + 4), xsens_number(bytes, at + 8),
               xsens_number(bytes, at + 12)};
  const Vec3 metres = axes.place(p);
  if (!core::is_finite(metres)) return false;
  if (euler) {
    const Vec3 angles{xsens_number(bytes, at + 16), xsens_number(bytes, at + 20),
                      xsens_number(bytes, at + 24)};
    if (!core::is_finite(angles)) return false;
    out.at = {core::about_z(angles.z) * (core::about_y(angles.y) * core::about_x(angles.x)),
              metres};
    return true;
  }
  const Quat q{xsens_number(bytes, at + 16), xsens_number(bytes, at + 20),
               xsens_number(bytes, at + 24), xsens_number(bytes, at + 28)};
  if (!(std::fabs(core::norm(q) - 1.0) <= kXsensOffUnit)) return false;
  out.at = {axes.turn(q), metres};
  return true;
}

}  // namespace

Result<XsensDatagram> read_xsens(std::string_view bytes, const XsensUnits& units) {
  if (bytes.size() < kXsensHeader || !bytes.starts_with(kXsensMagic) || !is_digit(bytes[4]) ||
      !is_digit(bytes[5])) {
    return bad_xsens("expected 24 bytes that begin with MXTP and two digits");
  }
  XsensDatagram out{read_header(bytes), {}};
  const bool euler = out.header.type == 1;
  if (!euler && out.header.type != 2) return out;
  const std::size_t item = euler ? kEulerItem : kQuaternionItem;
  const auto items = static_cast<std::size_t>(out.header.items);
  if (bytes.size() != kXsensHeader + items * item) {
    return bad_xsens(fmt::format("{} bytes, where {} items take {}", bytes.size(), items,
                                 kXsensHeader + items * item));
  }
  // Before MVN 2019 the payload's size was not sent.
  const std::uint64_t payload = load_big<2>(bytes, 22);
  if (payload != 0 && payload != items * item) {
    return bad_xsens(
        fmt::format("a payload of {} bytes, where {} items take {}", payload, items, items * item));
  }
  for (std::size_t i = 0; i < items; ++i) {
    XsensSegment segment;
    if (!read_segment(bytes, kXsensHeader + i * item, euler, units, segment)) {
      return bad_xsens(
          fmt::format("item {} has a number that is not finite, or no unit quaternion", i));
    }
    out.segments.push_back(segment);
  }
  return out;
}

std::uint64_t XsensDecoder::number_of(const XsensHeader& header, bool& restarts) const {
  if (!begun_) return header.sample;
  const auto step = static_cast<std::int32_t>(header.sample - static_cast<std::uint32_t>(newest_));
  const bool earlier = header.milliseconds + 1000ULL < milliseconds_;
  restarts = step < -kMostBehind || earlier;
  if (restarts) return header.sample;
  const auto number = static_cast<std::int64_t>(newest_) + step;
  restarts = number < 0;
  return restarts ? header.sample : static_cast<std::uint64_t>(number);
}

void XsensDecoder::read(std::string_view datagram, double now, std::vector<MocapFrame>& out) {
  auto read = read_xsens(datagram, units_);
  if (!read) return refuse(read.error().message);
  const XsensHeader header = read->header;
  if (header.type != 1 && header.type != 2) {
    ++counts_.unknown;
    return;
  }
  if (header.datagram >= kMostDatagrams) {
    return refuse(fmt::format("Xsens MVN: datagram {} of a sample, {} at most", header.datagram,
                              kMostDatagrams));
  }
  bool restarts = false;
  const std::uint64_t id = number_of(header, restarts);
  if (restarts) {
    begun_ = false;
    counts_.incomplete += open_.size();
    open_.clear();
  }
  Sample& sample = open_[id];
  if (header.last) sample.count = header.datagram + 1;
  sample.parts.insert_or_assign(header.datagram, std::move(read).value());
  if (sample.count > 0 && static_cast<int>(sample.parts.size()) >= sample.count) {
    const Sample whole = std::move(sample);
    open_.erase(id);
    complete(id, whole, now, out);
  }
  while (open_.size() > kMostOpen) {
    open_.erase(open_.begin());
    ++counts_.incomplete;
  }
}

void XsensDecoder::complete(std::uint64_t id, const Sample& sample, double now,
                            std::vector<MocapFrame>& out) {
  std::vector<XsensSegment> segments;
  for (const auto& part : sample.parts) {
    const auto& more = part.second.segments;
    segments.insert(segments.end(), more.begin(), more.end());
  }
  const XsensHeader& header = sample.parts.begin()->second.header;
  std::vector<std::uint32_t> ids;
  ids.reserve(segments.size());
  for (const XsensSegment& segment : segments) ids.push_back(segment.id);
  if ((!begun_ || ids != ids_) && !begin(segments, header)) return;
  if (!begins_ && id > newest_) counts_.missed += id - newest_ - 1;
  if (!begins_ && id < newest_) ++counts_.late;
  if (!begins_ && id == newest_) {
    ++counts_.late;  // a copy
    return;
  }
  const double time = time_of(id, header.milliseconds, now);
  ++counts_.frames;
  const bool begins = std::exchange(begins_, false);
  out.push_back({id, time, local(segments), begins, begins ? skeleton_ : Skeleton()});
}

double XsensDecoder::time_of(std::uint64_t id, std::uint32_t milliseconds, double now) {
  double time = 1e-3 * static_cast<double>(milliseconds);
  if (!begins_ && id < newest_) return time;  // late
  if (!begins_ && time <= time_) {
    ++counts_.untimed;
    time = time_ + std::max(now - arrived_, 1e-4);
  }
  newest_ = id;
  milliseconds_ = milliseconds;
  time_ = time;
  arrived_ = now;
  return time;
}

bool XsensDecoder::begin(std::span<const XsensSegment> segments, const XsensHeader& header) {
  const int count = static_cast<int>(segments.size());
  // Before MVN 2019 what follows the body is props.
  const int props = header.body == 0 ? std::max(count - kXsensBody, 0) : header.props;
  std::vector<Joint> joints;
  bool sound = count >= kXsensBody;
  for (int i = 0; sound && i < count; ++i) {
    const XsensSegment& segment = segments[static_cast<std::size_t>(i)];
    const std::string name = xsens_segment_name(i, props);
    sound = !name.empty() && (i >= kXsensBody || segment.id == static_cast<std::uint32_t>(i) + 1);
    joints.push_back({name, xsens_parent(i, props), {}});
  }
  if (!sound) {
    refuse(
        fmt::format("Xsens MVN: {} segments that are not a body of 23 in order, with props and "
                    "fingers",
                    count));
    return false;
  }
  ids_.clear();
  for (const XsensSegment& segment : segments) ids_.push_back(segment.id);
  skeleton_ = Skeleton::create(joints).value();
  const std::vector<Transform> pose = local(segments);
  for (std::size_t j = 0; j < joints.size(); ++j) joints[j].rest.translation = pose[j].translation;
  skeleton_ = Skeleton::create(std::move(joints)).value();
  begun_ = true;
  begins_ = true;
  ++counts_.streams;
  return true;
}

std::vector<Transform> XsensDecoder::local(std::span<const XsensSegment> segments) const {
  std::vector<Transform> world;
  for (const XsensSegment& segment : segments) {
    world.push_back({core::normalized(segment.at.rotation), segment.at.translation});
  }
  std::vector<Transform> out;
  for (std::size_t j = 0; j < world.size(); ++j) {
    const int parent = skeleton_.joints()[j].parent;
    if (parent < 0) {
      out.push_back(world[j]);
      continue;
    }
    const Transform& above = world[static_cast<std::size_t>(parent)];
    const Quat back = core::conjugate(above.rotation);
    out.push_back(
        {back * world[j].rotation, core::rotate(back, world[j].translation - above.translation)});
  }
  return out;
}

std::vector<std::string> write_xsens(const XsensHeader& header,
                                     std::span<const XsensSegment> segments) {
  constexpr std::size_t kMostItems = (1400 - kXsensHeader) / kQuaternionItem;
  const auto narrow = [](double x) { return static_cast<float>(x); };
  std::vector<std::string> out;
  for (std::size_t first = 0; first < segments.size(); first += kMostItems) {
    const auto items = segments.subspan(first, std::min(kMostItems, segments.size() - first));
    const bool last = first + items.size() == segments.size();
    std::string bytes("MXTP02");
    append_big<4>(bytes, header.sample);
    append_big<1>(bytes, out.size() | (last ? 0x80U : 0U));
    append_big<1>(bytes, items.size());
    append_big<4>(bytes, header.milliseconds);
    for (const int n : {header.character, header.body, header.props, header.fingers}) {
      append_big<1>(bytes, static_cast<std::uint64_t>(n));
    }
    append_big<2>(bytes, 0);
    append_big<2>(bytes, items.size() * kQuaternionItem);
    for (const XsensSegment& segment : items) {
      const Vec3& p = segment.at.translation;
      const Quat& q = segment.at.rotation;
      append_big<4>(bytes, segment.id);
      for (const double x : {p.z, p.x, p.y, q.w, q.z, q.x, q.y}) {
        append_big_float(bytes, narrow(x));
      }
    }
    out.push_back(std::move(bytes));
  }
  return out;
}

}  // namespace tocsin::mocap
