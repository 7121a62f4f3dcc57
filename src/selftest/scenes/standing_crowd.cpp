#include "selftest/scenes/standing_crowd.h"

#include <array>
#include <utility>

#include "make/make.h"
#include "tocsin/io.h"

namespace tocsin::selftest {

namespace {

constexpr std::uint64_t kFirstTake = 1;
constexpr double kMocapRate = 120.0;  // Hz

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
    const Result<StepList> steps = placed->steps({.stride = stride, .in_between = in_between});
    if (!steps.ok()) return steps.error();
    out.takes_.push_back(*steps);
    if (place > 0) continue;
    const Result<Avatar> avatar = Avatar::bind(*load_avatar_model("humanoid16"), take->skeleton());
    if (!avatar.ok()) return avatar.error();
    out.avatar_ = *avatar;
  }
  out.environment_ = std::move(room);
  return out;
}

std::vector<Step> StandingCrowd::frame(std::size_t count, std::size_t frame) const {
  std::vector<Step> out;
  for (std::size_t i = 0; i < count; ++i) {
    // Places in an order without pattern too: a few avatars do not all stand in one row.
    const StepList& take = takes_[i * 17 % takes_.size()];
    out.push_back(take[(frame + i / takes_.size() * 9) % take.size()]);
  }
  return out;
}

}  // namespace tocsin::selftest
