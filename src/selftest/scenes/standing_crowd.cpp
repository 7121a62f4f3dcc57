#include "selftest/scenes/standing_crowd.h"

#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "make/make.h"
#include "scene/motion/motion_data.h"
#include "scene/motion/told_step.h"
#include "tocsin/io.h"

namespace tocsin::selftest {

namespace {

constexpr std::uint64_t kFirstTake = 1;
constexpr double kMocapRate = 120.0;      // Hz
constexpr double kGoldenAngle = 137.508;  // degrees: however many, no two look the same way

}  // namespace

Result<StandingCrowd> StandingCrowd::make(std::uint64_t triangles) {
  Result<Environment> room = make_room({triangles, kFirstTake});
  if (!room.ok()) return room.error();
  return in(std::move(room).value());
}

Result<StandingCrowd> StandingCrowd::in(Environment room, std::int64_t stride,
                                        InBetween in_between) {
  constexpr int kAcross = 8;
  constexpr int kDeep = 5;
  StandingCrowd out;
  const auto [lo, hi] = room.bounds();
  constexpr std::array kKinds{Performance::kWalk, Performance::kReach, Performance::kKick,
                              Performance::kCartwheel};
  for (int place = 0; place < kAcross * kDeep; ++place) {
    const auto number = static_cast<std::size_t>(place);
    const Result<Motion> take = make_motion({.kind = kKinds[number % kKinds.size()],
                                             .seconds = 2.0,
                                             .rate = kMocapRate,
                                             .seed = kFirstTake + number});
    if (!take.ok()) return take.error();
    const double x = (place % kAcross + 0.5) / kAcross;
    const double z = (place / kAcross + 0.5) / kDeep;
    const Placement at{{lo.x + x * (hi.x - lo.x), 0.03, lo.z + z * (hi.z - lo.z)}, 50.0 * place};
    const Result<Motion> placed = take->placed(at);
    if (!placed.ok()) return placed.error();
    Place made{at, std::make_shared<const Skeleton>(placed->skeleton()), {}, {}};
    for (const auto& [motion, steps] :
         {std::pair(&*take, &made.take), std::pair(&*placed, &made.placed)}) {
      auto list = motion->steps({.stride = stride, .in_between = in_between});
      if (!list.ok()) return list.error();
      *steps = std::move(list).value();
    }
    out.places_.push_back(std::move(made));
    if (place > 0) continue;
    const Result<Avatar> avatar = Avatar::bind(*load_avatar_model("humanoid16"), take->skeleton());
    if (!avatar.ok()) return avatar.error();
    out.avatar_ = *avatar;
  }
  out.width_ = (hi.x - lo.x) / kAcross;
  out.depth_ = (hi.z - lo.z) / kDeep;
  out.environment_ = std::move(room);
  return out;
}

Step StandingCrowd::beside(const Place& place, std::size_t round, std::size_t frame) const {
  // The sequence of the plastic number: however many there are, they lie evenly in the cell.
  const auto fraction = [&](double irrational) {
    const double x = irrational * static_cast<double>(round);
    return x - std::floor(x) - 0.5;
  };
  Placement at = place.middle;
  at.translation.x += width_ * fraction(0.7548776662466927);
  at.translation.z += depth_ * fraction(0.5698402909980532);
  at.yaw_degrees = std::fmod(at.yaw_degrees + kGoldenAngle * static_cast<double>(round), 360.0);
  const detail::Placing moved(at);
  const std::span<const Joint> joints = place.skeleton->joints();
  const auto pose = [&](std::span<const Transform> from) {
    std::vector<Transform> out(from.begin(), from.end());
    for (std::size_t joint = 0; joint < out.size(); ++joint) {
      if (joints[joint].parent < 0) out[joint] = moved(out[joint]);
    }
    std::size_t wrong = 0;
    static_cast<void>(detail::take_pose(out, wrong));  // unit length, as in Motion::placed
    return out;
  };
  const Step& step = place.take[frame];
  // No error: a made take, moved within a room.
  return scene::told_step(place.skeleton, pose(step.pose0()), pose(step.pose1()),
                          {step.index(), {step.seconds(0.0), step.seconds(1.0)}, step.in_between()})
      .value();
}

std::vector<Step> StandingCrowd::frame(std::size_t count, std::size_t frame) const {
  std::vector<Step> out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    // Places in an order without pattern too: a few avatars do not all stand in one row.
    const Place& place = places_[i * 17 % places_.size()];
    const std::size_t round = i / places_.size();
    const std::size_t now = (frame + round * 9) % place.take.size();
    out.push_back(round == 0 ? place.placed[now] : beside(place, round, now));
  }
  return out;
}

}  // namespace tocsin::selftest
