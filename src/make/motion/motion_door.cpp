// A door that closes on a hand: standing in front of a door frame, the right hand takes hold of its
// jamb, and the door closes; the next time it closes on nothing.
#include <array>
#include <cmath>
#include <memory>

#include "make/motion/door.h"
#include "make/motion/moves.h"
#include "make/motion/rotation.h"
#include "make/motion/routine.h"
#include "make/random.h"

namespace tocsin::make {
namespace {

/// The knuckle of the hand at the jamb: in the door's plane, where the leaf's edge comes. Metres.
constexpr double kJambX = kHingeX - kClosingWidth + 0.02;

class AtTheDoor : public Routine {
 public:
  explicit AtTheDoor(std::uint64_t seed)
      : times_(seed), seed_(seed), looks_(Random(seed, 6).uniform()) {}

  Controls at(double seconds) override {
    Controls out = posed(posture(seconds));
    out.neck.twist += 4.0 * sine(std::fmod(seconds / kLooks + looks_, 1.0) * 360.0);
    return out;
  }

 private:
  static constexpr double kLooks = 7.0;  ///< seconds, in which the person looks around once

  Posture posture(double seconds) {
    const double number = std::floor(seconds / times_.period);
    if (std::fmod(number, 2.0) != 0.0) return {};
    if (number != number_) {
      number_ = number;
      hold_ = holding(number);
    }
    const std::array<Move, 2> moves{
        {{0.0, DoorTimes::kHandThere, hold_}, {times_.open, times_.period, Posture{}}}};
    return posture_at(Posture{}, moves, seconds - number * times_.period);
  }

  [[nodiscard]] Posture holding(double number) const {
    Random random(seed_, 16 + static_cast<std::uint64_t>(number));
    return reaching({Reaching::kFar, kRight, {kJambX, random.uniform(0.98, 1.3), kDoorZ}});
  }

  DoorTimes times_;
  std::uint64_t seed_;
  double looks_;          ///< where the look is at the start, of a round
  double number_ = -1.0;  ///< of the round of hold_
  Posture hold_;
};

}  // namespace

DoorTimes::DoorTimes(std::uint64_t seed) {
  Random random(seed, 5);
  closed = kCloses + random.uniform(0.5, 0.9);
  opens = closed + random.uniform(0.2, 0.4);
  open = opens + random.uniform(0.7, 1.0);
  period = open + 0.9;
  widest = random.uniform(68.0, 84.0);
}

double DoorTimes::angle(double seconds) const {
  const double t = seconds - std::floor(seconds / period) * period;
  return widest * (1.0 - plateau(t, kCloses, closed, opens, open));
}

std::unique_ptr<Routine> make_door(std::uint64_t seed) { return std::make_unique<AtTheDoor>(seed); }

}  // namespace tocsin::make
