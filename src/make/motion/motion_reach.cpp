// Reaching: standing, one hand after the other to targets high, low, far and across the body.
//
// A key is a posture that has the base of the middle finger at its target: the trunk leans, turns
// and sinks just as far as the arm needs. Between two keys all controls move along one path of
// least jerk, so the hand goes round the shoulder in an arc.
#include <cmath>
#include <memory>

#include "make/motion/reach_key.h"
#include "make/motion/rotation.h"
#include "make/motion/routine.h"
#include "make/motion/smooth.h"
#include "make/random.h"

namespace tocsin::make {
namespace {

/// Of a key's time: how long the movement to it takes; then it is held.
constexpr double kMoving = 0.72;

class Reach : public Routine {
 public:
  explicit Reach(std::uint64_t seed) : seed_(seed), period_(Random(seed, 2).uniform(1.4, 2.0)) {}

  Controls at(double seconds) override {
    const double number = std::floor(seconds / period_);
    if (number != number_) {
      from_ = number == number_ + 1.0 ? to_ : key(number);
      to_ = key(number + 1.0);
      number_ = number;
    }
    const double u = ease((seconds / period_ - number) / kMoving);
    Controls out = posed(mix(from_, to_, u));
    const double breath = std::fmod(seconds, kBreath) / kBreath;
    out.neck.flexion += 0.8 * sine(360.0 * breath);
    return out;
  }

 private:
  static constexpr double kBreath = 4.0;  ///< seconds

  [[nodiscard]] Posture key(double number) const {
    if (number == 0.0) return {};
    return reaching(target_of(seed_, static_cast<std::uint64_t>(number)));
  }

  std::uint64_t seed_;
  double period_;
  double number_ = -2.0;  ///< of the keys below
  Posture from_;
  Posture to_;
};

}  // namespace

std::unique_ptr<Routine> make_reach(std::uint64_t seed) { return std::make_unique<Reach>(seed); }

}  // namespace tocsin::make
