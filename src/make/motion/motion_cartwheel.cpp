// Cartwheels along x, to and fro: lunge, first hand, second hand, over, first foot, second foot,
// stand; then back.
//
// A cartwheel is its own mirror image in time and space: what the right side does at time u, the
// left side does at 1 - u. So only its first half is written down, from standing to the handstand
// in the middle, for one that goes to +x (the left side leads); its middle is at x = 0. The next
// one starts from where it ends, as its mirror image.
#include <array>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "make/motion/rotation.h"
#include "make/motion/routine.h"
#include "make/motion/smooth.h"
#include "make/motion/spline.h"
#include "make/random.h"

namespace tocsin::make {
namespace {

// Where things stand in the first half, metres along x; z = 0.
constexpr double kLeadFoot = -1.008;
constexpr double kTrailFoot = -1.642;
constexpr double kHandHalf = 0.299;  ///< the hands, on both sides of the middle

/// Height of the base of the middle finger of a hand on the floor: half a finger's thickness and
/// what the hand rolls to the side.
constexpr double kKnuckleHeight = 0.018;
/// Degrees between palm and floor: the wrist need not bend more than it can, the fingers lie flat.
constexpr double kPalmSlope = 42.0;
/// Degrees by which the fingers point inwards from straight to the body's back, and by which the
/// hand stands on its outer edge, in line with an arm that leans.
constexpr double kHandYaw = 26.7;
constexpr double kHandRoll = -13.4;

/// A curve over u in [0, 1] that is even (mirrored value c - v with odd = true) about u = 1/2.
Spline symmetric(std::span<const Key> half, bool odd, double sum) {
  std::vector<Key> keys(half.begin(), half.end());
  for (std::size_t i = half.size() - 1; i-- > 0;) {
    keys.push_back({1.0 - half[i].time, odd ? sum - half[i].value : half[i].value});
  }
  return Spline(keys);
}

/// The body over a cartwheel, u in [0, 1].
struct CartwheelCourse {
  // Metres: the pelvis. Degrees: its roll to the left, how far the chest is bent ahead of it, the
  // body's twist to the left about its own axis.
  Spline x = symmetric(kX, true, 0.0);
  Spline y = symmetric(kY, false, 0.0);
  Spline roll = symmetric(kRoll, true, 360.0);
  Spline bend = symmetric(kBend, true, 0.0);
  Spline twist = symmetric(kTwist, true, 0.0);

  static constexpr Key kX[] = {{0.00, -1.336}, {0.10, -1.200}, {0.20, -1.123},
                               {0.31, -0.886}, {0.40, -0.377}, {0.50, 0.0}};
  static constexpr Key kY[] = {{0.00, 0.871}, {0.10, 0.852}, {0.20, 0.900},
                               {0.31, 0.926}, {0.40, 1.022}, {0.50, 1.161}};
  static constexpr Key kRoll[] = {{0.00, 0.0},  {0.10, 3.1},   {0.20, 33.2},
                                  {0.31, 84.5}, {0.40, 110.3}, {0.50, 180.0}};
  static constexpr Key kBend[] = {
      {0.00, 0.0}, {0.20, 4.8}, {0.32, 19.5}, {0.42, 29.6}, {0.50, 0.0}};
  static constexpr Key kTwist[] = {
      {0.00, 38.0}, {0.20, 40.4}, {0.32, 48.4}, {0.42, 43.7}, {0.50, 0.0}};
};

/// What a seed decides.
struct Style {
  double turnover = 2.4;  ///< seconds from standing to standing
  double rest = 1.2;      ///< seconds between
  double spread = 41.0;   ///< degrees of each leg
  double raised = 155.0;  ///< degrees of the arms
  bool right_first = false;
};

class Cartwheel : public Routine {
 public:
  explicit Cartwheel(std::uint64_t seed) {
    Random random(seed, 4);
    style_.turnover = random.uniform(2.3, 2.8);
    style_.rest = random.uniform(1.2, 2.0);
    style_.spread = random.uniform(39.1, 40.6);
    style_.raised = random.uniform(146, 152);
    style_.right_first = random.chance(0.5);
  }

  Controls at(double seconds) override {
    const double period = style_.rest + style_.turnover;
    const double number = std::floor(seconds / period);
    const double t = seconds - number * period;
    const double u = unit_clamp((t - 0.5 * style_.rest) / style_.turnover);
    const double raise = 0.55 * style_.rest;  // seconds that the arms take
    const double up = plateau(t, 0.0, raise, period - raise, period);
    const bool back = (std::fmod(number, 2.0) != 0.0) != style_.right_first;
    const Controls out = to_the_left(u, up);
    return back ? mirrored(out) : out;
  }

 private:
  [[nodiscard]] Controls to_the_left(double u, double up) const {
    Controls out;
    out.pelvis = {course_.x.at(u), course_.y.at(u), 0.0};
    const double twist = course_.twist.at(u);
    out.pelvis_turn = about_z(-course_.roll.at(u)) * about_y(twist);
    // The bend lies in the plane of the roll, whatever way the body is twisted.
    const double bend = course_.bend.at(u);
    const core::SinCos turned = core::sincos_degrees(twist);
    out.trunk = {bend * turned.sin, bend * turned.cos, -0.75 * twist};  // trunk
    out.neck = {-20.0 * plateau(u, 0.15, 0.35, 0.65, 0.85), 0.0, -0.3 * twist};
    set_leg(u, twist, kLeft, out.leg[kLeft]);
    set_leg(1.0 - u, -twist, kRight, out.leg[kRight]);
    set_arm(u, up, kLeft, out.arm[kLeft]);
    set_arm(1.0 - u, up, kRight, out.arm[kRight]);
    return out;
  }

  /// The left leg at u with the twist to the left; or the right leg at 1 - u with that to the
  /// right.
  void set_leg(double u, double twist, Side side, LegControls& leg) const {
    const double sign = side == kLeft ? 1.0 : -1.0;
    const bool first = u < 0.5;  // on its place before the turnover, or on that after it
    leg.print = {sign * (first ? kLeadFoot : -kTrailFoot), 0.0, 0.0};
    leg.yaw = sign * (first ? 59.6 : -0.0);
    leg.heel_rise =
        first ? 53.7 * ease_between(u, 0.153, 0.305) : 54.7 * (1.0 - ease_between(u, 0.814, 0.999));
    leg.freedom = plateau(u, 0.353, 0.458, 0.620, 0.933);
    // Up before away.
    leg.print.y = 0.06 * plateau(u, 0.333, 0.403, 0.883, 0.953);
    const core::SinCos turned = core::sincos_degrees(twist);
    leg.flexion = 0.44 * style_.spread * turned.sin;
    leg.abduction = style_.spread * turned.cos;
    leg.knee = 9.0;
    leg.plantar = 40.0;
  }

  /// The same for an arm. `up`: how far the arms are raised.
  void set_arm(double u, double up, Side side, ArmControls& arm) const {
    const double sign = side == kLeft ? 1.0 : -1.0;
    arm.azimuth = 90.0;
    arm.flexion = mix(9.0, style_.raised, up);
    arm.swivel = mix(114.0, 28.8, up);
    arm.elbow = mix(18.0, 10.0, up);
    arm.shrug = 15.4 * up;
    arm.pronation = mix(10.0, -30.0, up);
    arm.curl = mix(26.0, 8.0, up);
    arm.planted = plateau(u, 0.266, 0.347, 0.512, 0.593);
    arm.knuckle = {-sign * kHandHalf, kKnuckleHeight + 0.08 * (1.0 - arm.planted), 0.0};
    arm.pole = {0.98, -0.39, -0.18};
    arm.finger_extension = kPalmSlope;
    // The left hand's: the thumb inwards, the palm down.
    const Quat hand = about_y(90.0 - kHandYaw) * about_z(-kPalmSlope) * about_x(kHandRoll);
    arm.turn = side == kLeft ? hand : mirrored(hand);
  }

  Style style_;
  CartwheelCourse course_;
};

}  // namespace

std::unique_ptr<Routine> make_cartwheel(std::uint64_t seed) {
  return std::make_unique<Cartwheel>(seed);
}

}  // namespace tocsin::make
