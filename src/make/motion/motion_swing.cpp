// Swinging a tool: standing, the right hand winds up and cuts across in front of the body.
#include <array>
#include <cmath>
#include <memory>

#include "make/motion/moves.h"
#include "make/motion/routine.h"
#include "make/random.h"

namespace tocsin::make {
namespace {

/// Seconds from the start of a round: wound up, begins to swing, back at ease. A swing takes as
/// long as its seed says.
constexpr double kWoundUp = 0.80;
constexpr double kBegins = 0.88;
constexpr double kHolds = 0.20;    ///< after the swing
constexpr double kReturns = 0.70;  ///< from there to standing

/// Of the fingers around the handle.
constexpr double kGrip = 72.0;  ///< degrees

class Swing : public Routine {
 public:
  explicit Swing(std::uint64_t seed)
      : seed_(seed),
        swing_(Random(seed, 3).uniform(0.28, 0.36)),
        period_(kBegins + swing_ + kHolds + kReturns + Random(seed, 4).uniform(0.1, 0.3)) {}

  Controls at(double seconds) override {
    const double number = std::floor(seconds / period_);
    const double through = kBegins + swing_;
    const std::array<Move, 3> moves{{{0.0, kWoundUp, wound(number)},
                                     {kBegins, through, swung(number)},
                                     {through + kHolds, through + kHolds + kReturns, ready()}}};
    Controls out = posed(posture_at(ready(), moves, seconds - number * period_));
    out.arm[kRight].curl = kGrip;
    return out;
  }

 private:
  /// At ease, the tool in front of the body.
  static Posture ready() {
    Posture out;
    out.arm[kRight] = {38, 20, 60, 30, 0, 0, 1};
    return out;
  }

  /// The arm's angle against hanging, degrees: 90 is level. Every swing has its own.
  [[nodiscard]] double height(double number) const {
    return Random(seed_, 16 + static_cast<std::uint64_t>(number)).uniform(72.0, 98.0);
  }

  [[nodiscard]] Posture wound(double number) const {
    Posture out;
    out.body = {-0.02, 0.02, -0.02, 4, -16, 3, 0, -22, 2, 24};
    out.arm[kRight] = {height(number) + 4.0, 70, 62, 50, 4, -6, 1};
    return out;
  }

  [[nodiscard]] Posture swung(double number) const {
    Posture out;
    out.body = {0.02, 0.02, 0.02, 6, 16, 8, 0, 24, 2, -22};
    out.arm[kRight] = {height(number) - 4.0, -20, 12, 50, 2, 12, 1};
    return out;
  }

  std::uint64_t seed_;
  double swing_;   ///< seconds from wound up to across
  double period_;  ///< seconds
};

}  // namespace

std::unique_ptr<Routine> make_swing(std::uint64_t seed) { return std::make_unique<Swing>(seed); }

}  // namespace tocsin::make
