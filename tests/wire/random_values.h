// Values as a client or a server might send them, with the doubles that are easily lost: signed
// zeros, denormals, neighbours of 1, the largest.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tocsin/track.h"

namespace tocsin::test {

class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t whole(std::uint64_t below) { return engine_() % below; }
  bool coin() { return whole(2) == 0; }

  /// Finite; one in three is a special one.
  double number() {
    using Limits = std::numeric_limits<double>;
    static constexpr std::array kSpecial{0.0,
                                         -0.0,
                                         Limits::denorm_min(),
                                         -Limits::denorm_min(),
                                         Limits::min(),
                                         Limits::max(),
                                         -1.0,
                                         1.0,
                                         1.0 + 0x1p-52,
                                         0.1};
    if (whole(3) == 0) return kSpecial[whole(kSpecial.size())];
    return (unit() - 0.5) * std::ldexp(1.0, static_cast<int>(whole(80)) - 40);
  }
  /// In [0, 1].
  double share() { return whole(4) == 0 ? std::fabs(std::fmod(number(), 1.0)) : unit(); }
  Vec3 vector() { return {number(), number(), number()}; }

  Quat rotation() {
    Quat q{unit() - 0.5, unit() - 0.5, unit() - 0.5, unit() + 0.1};
    const double length = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {q.w / length, q.x / length, q.y / length, q.z / length};
  }

  /// UTF-8 of one to four bytes a character; never empty.
  std::string name() {
    static constexpr std::array<const char*, 6> kPieces{
        "a", "Left", "\xC3\xBC", "\xE6\x89\x8B", "\xF0\x9F\x92\x83", "_7"};
    std::string out = kPieces[whole(kPieces.size())];
    for (std::uint64_t i = whole(6); i > 0; --i) out += kPieces[whole(kPieces.size())];
    return out;
  }
  std::vector<std::string> names(std::uint64_t most) {
    std::vector<std::string> out(whole(most + 1));
    for (std::string& text : out) text = name();
    return out;
  }

  Skeleton skeleton(std::uint64_t most) {
    std::vector<Joint> joints(1 + whole(most));
    for (std::size_t i = 0; i < joints.size(); ++i) {
      joints[i].name = whole(8) == 0 ? "" : name();
      joints[i].parent = static_cast<int>(whole(i + 1)) - 1;
      if (coin()) joints[i].rest.rotation = rotation();
      joints[i].rest.translation = vector();
    }
    return *Skeleton::create(std::move(joints));
  }

  /// Joints below others at rest, or not.
  std::vector<Transform> pose(const Skeleton& skeleton, bool at_rest) {
    std::vector<Transform> out;
    for (const Joint& joint : skeleton.joints()) {
      const bool fixed = at_rest && joint.parent >= 0;
      out.push_back({rotation(), fixed ? joint.rest.translation : vector()});
    }
    return out;
  }

  TrackFrame frame(const Skeleton& skeleton) {
    return {whole(std::uint64_t{1} << 53U), number(), pose(skeleton, coin()),
            coin() ? pose(skeleton, coin()) : std::vector<Transform>()};
  }

  AvatarModel model() {
    AvatarModel out;
    out.name = name();
    out.description = "What it is for.\nOn two lines.";
    for (std::uint64_t i = whole(6); i > 0; --i) {
      out.links.push_back({name(), name(), end(), end(), number(), std::fabs(number())});
    }
    out.aliases = table();
    for (std::uint64_t i = whole(4); i > 0; --i) {
      NamingScheme scheme{name()};
      if (coin()) {
        scheme.prefix = name();
      } else {
        scheme.joints = table();
      }
      out.schemes.push_back(std::move(scheme));
    }
    return out;
  }

  TrackOptions options() {
    TrackOptions out;
    if (coin()) out.environment = name();
    out.skeleton = skeleton(20);
    out.avatar.model = coin() ? "auto" : name();
    if (coin()) out.model = model();
    if (out.model) out.avatar.model = "auto";
    out.avatar.radii = coin() ? RadiusScale{true, 1.0} : RadiusScale{false, 1e-3 + unit()};
    const auto within = [this](double most) { return most * (2.0 * unit() - 1.0); };
    out.avatar.place = {{within(1e6), within(1e6), within(1e6)}, within(36'000.0)};
    out.spec.in_between = coin() ? InBetween::kScrew : InBetween::kTranslateRotate;
    out.spec.contacts = coin() ? Contacts::kPairs : Contacts::kFirst;
    out.spec.margin = std::fabs(std::fmod(number(), 10.0));
    out.spec.tolerance = coin() ? 1e-9 : std::numeric_limits<double>::denorm_min();
    out.spec.clearance = coin();
    for (const std::string& text : names(3)) out.spec.ignore.push_back("*" + text + ":Floor*");
    out.spec.surfaces = names(3);
    out.coalesce = coin();
    out.stop_pose = coin();
    if (coin()) out.frame_seconds = 1e-9 + unit();
    if (coin()) out.label = name();
    out.meet = coin();
    out.spec.self = coin();
    out.ignore_rest = coin();
    out.nearest = coin() ? 0.0 : 2.0 * unit();
    out.most_distances = 1 + static_cast<std::uint32_t>(whole(1023));
    out.lookahead = coin() ? 0.0 : unit();
    if (coin()) out.tracker = tracker();
    return out;
  }

  EnvironmentInfo room() {
    return {name(),
            engine_(),
            engine_(),
            engine_(),
            vector(),
            vector(),
            static_cast<std::uint32_t>(engine_()),
            names(3),
            name(),
            name(),
            coin() ? name() : "",
            coin()};
  }

  TrackerPoses tracker() {
    TrackerPoses out;
    out.world = coin();
    out.hold_missing = coin();
    const auto axis = [this] { return static_cast<AxisAlong>(whole(6)); };
    for (int i = 0; i < 20; ++i) {
      const AxisAlong x = axis();
      const AxisAlong y = axis();
      const AxisAlong z = axis();
      if (Axes::are_axes(x, y, z)) out.axes = Axes(x, y, z, coin() ? 1.0 : 0.001 + unit());
    }
    return out;
  }

  TrackAhead ahead() {
    TrackAhead out;
    for (std::uint64_t i = whole(4); i > 0; --i) {
      out.contacts.push_back({contact(), {}, unit()});
      ContactNames& names = out.contacts.back().names;
      names.link = name();
      if (out.contacts.back().contact.other()) {
        names.other_link = name();
      } else {
        names.object = name();
      }
    }
    out.seconds = unit();
    out.own_pose = coin();
    if (coin()) out.pose_fault = name();
    return out;
  }

  TrackReport report(const Skeleton& skeleton) {
    TrackReport out;
    out.from = stamp();
    out.to = stamp();
    for (std::uint64_t i = whole(3); i > 0; --i) {
      const std::uint64_t first = whole(std::uint64_t{1} << 52U);
      out.skipped.push_back({first, first + whole(1000)});
    }
    for (std::uint64_t i = whole(3); i > 0; --i) {
      const std::uint64_t first = whole(std::uint64_t{1} << 52U);
      out.bad.push_back({first, first + whole(1000)});
    }
    out.bad_frames = engine_();
    if (coin()) out.first_bad_frame = name();
    if (coin()) out.fallback = name();
    out.result.step = static_cast<std::int64_t>(whole(std::uint64_t{1} << 53U));
    out.result.frames = {out.result.step, out.result.step + 1};
    out.result.safe_until = share();
    out.safe_until_time = number();
    for (std::uint64_t i = whole(5); i > 0; --i) {
      out.result.contacts.push_back(contact());
      if (out.result.contacts.back().other()) {
        out.names.push_back({name(), {}, name(), coin() ? name() : ""});
      } else {
        out.names.push_back({name(), name()});
      }
    }
    if (coin()) out.stop_pose = pose(skeleton, coin());
    for (std::uint64_t i = coin() ? whole(20) : 0; i > 0; --i) {
      out.result.clearances.push_back(std::fabs(number()));
    }
    for (std::uint64_t i = coin() ? whole(4) : 0; i > 0; --i) {
      LinkDistance one;
      one.link = static_cast<std::int32_t>(whole(1000));
      one.nearest = {static_cast<std::uint32_t>(engine_()), static_cast<std::uint32_t>(engine_())};
      one.distance = number();
      one.own = vector();
      one.point = vector();
      one.inside = coin();
      if (coin()) one.link_feature = static_cast<std::uint32_t>(engine_());
      out.distances.push_back(one);
      out.distance_objects.push_back(name());
    }
    out.more_distances = engine_();
    if (coin()) out.ahead = ahead();
    for (std::uint64_t i = coin() ? whole(4) : 0; i > 0; --i) {
      out.held.push_back(static_cast<std::uint32_t>(engine_()));
    }
    out.stale_frames = engine_();
    out.duplicate_frames = engine_();
    out.timing = {number(), number(), number(), static_cast<std::uint32_t>(engine_()),
                  1 + static_cast<std::uint32_t>(whole(9))};
    if (coin()) {
      out.result.complete = false;
      out.result.checked_until = static_cast<double>(whole(1000)) / 1000.0;
    }
    if (coin()) {
      const std::uint64_t from = whole(std::uint64_t{1} << 52U);
      out.tick = MeetingTick{from, from + 1 + whole(5), static_cast<std::uint32_t>(engine_())};
    }
    return out;
  }

  TrackOpened opened() {
    TrackOpened out;
    out.session_id = name();
    out.environment = room();
    out.avatar = name();
    out.radius_factor = number();
    out.links = names(5);
    out.backend = "cpu";
    out.device = name();
    out.version = "1.2.3";
    out.max_pending_frames = static_cast<std::uint32_t>(engine_());
    out.session_ttl = number();
    out.next_step = engine_();
    if (coin()) out.covered = coin() ? FrameStamp{} : stamp();
    out.warnings = names(2);
    if (coin()) out.meeting = MeetingInfo{number(), static_cast<std::uint32_t>(engine_())};
    for (std::uint64_t i = whole(5); i > 0; --i) {
      out.joints.push_back(static_cast<std::uint32_t>(engine_()));
    }
    return out;
  }

  TrackEnded ended() {
    TrackEnded out{engine_(), engine_(), engine_(), engine_(), engine_(), coin() ? name() : ""};
    out.bad_frames = engine_();
    if (coin()) out.first_bad_frame = name();
    return out;
  }

 private:
  double unit() { return std::uniform_real_distribution<double>()(engine_); }

  FrameStamp stamp() { return {whole(std::uint64_t{1} << 53U), number()}; }

  Contact contact() {
    static constexpr std::array kStatus{ContactStatus::kOverlap, ContactStatus::kHit,
                                        ContactStatus::kGraze};
    Contact out;
    out.link = static_cast<std::int32_t>(whole(std::uint64_t{1} << 31U));
    out.touched =
        RoomTriangle{static_cast<std::uint32_t>(engine_()), static_cast<std::uint32_t>(engine_())};
    out.status = kStatus[whole(3)];
    out.toc = {share(), share()};
    if (out.toc[0] > out.toc[1]) std::swap(out.toc[0], out.toc[1]);
    if (coin() && out.toc[0] < out.toc[1]) out.touching = {out.toc[1], out.toc[1]};
    out.point = vector();
    if (coin()) out.normal = coin() ? Vec3{} : vector();
    out.limited = coin();
    if (coin()) {
      out.inside = true;
      out.depth = 1e-6 + unit();
    }
    if (coin()) {
      out.touched = OtherLink{static_cast<std::int32_t>(whole(std::uint64_t{1} << 31U)),
                              static_cast<std::int32_t>(whole(std::uint64_t{1} << 31U))};
      if (coin()) out.other_feature = static_cast<std::uint32_t>(whole(5));
    }
    if (coin()) out.link_feature = static_cast<std::uint32_t>(whole(5));
    return out;
  }

  EndPoint end() {
    EndPoint out;
    if (coin()) {
      out.offset = vector();
      return out;
    }
    out.joint = name();
    if (coin()) out.beyond = name();
    out.times = 10.0 * share();
    return out;
  }

  std::vector<std::pair<std::string, std::vector<std::string>>> table() {
    std::vector<std::pair<std::string, std::vector<std::string>>> out;
    for (std::uint64_t i = whole(4); i > 0; --i) out.emplace_back(name(), names(4));
    return out;
  }

  std::mt19937_64 engine_;
};

}  // namespace tocsin::test
