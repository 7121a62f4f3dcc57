// Walking round and round on an ellipse of about 4 x 3 m.
//
// The body goes along the ellipse, faster on its flat sides; a foot's prints lie at equal times
// along it. One stride (left heel strike to left heel strike) is phase 0 to 1, stance its first
// 60 % (Perry and Burnfield, "Gait Analysis").
#include <cmath>
#include <memory>

#include "make/motion/rotation.h"
#include "make/motion/routine.h"
#include "make/motion/smooth.h"
#include "make/random.h"

namespace tocsin::make {
namespace {

constexpr double kStance = 0.60;
/// Strides by which a print lies ahead of the body at heel strike: over it in mid-stance.
constexpr double kPrintLead = 0.230;

/// Of the swing: how long a foot only rises before it goes forward, and only sinks at the end, so
/// that it does not scrape the floor.
constexpr double kLiftOff = 0.04;
constexpr double kSetDown = 0.03;

/// What a seed decides.
struct Gait {
  double half_length = 2.0;  ///< of the ellipse along z, metres
  double half_width = 1.5;   ///< along x
  double turn = 1.0;         ///< 1: to the left; -1: to the right
  double period = 1.1;       ///< seconds a stride
  int strides = 10;          ///< a lap
  double half_base = 0.05;   ///< metres from the path to a foot's print
  double toe_out = 7.0;      ///< degrees
  double arm_swing = 20.0;   ///< degrees
  double lift = 0.04;        ///< metres of a swinging foot
  double trunk = 3.0;        ///< degrees, forward
};

Gait gait_of(std::uint64_t seed) {
  Random random(seed, 1);
  Gait gait;
  gait.half_length = random.uniform(1.9, 2.05);
  gait.half_width = random.uniform(1.5, 1.65);
  gait.turn = random.chance(0.5) ? 1.0 : -1.0;
  gait.period = random.uniform(1.0, 1.14);
  const double stride = random.uniform(1.05, 1.18);  // metres at most, on average over a lap
  // Ramanujan's circumference of an ellipse, to a few parts in 10^5 here.
  const double a = gait.half_length;
  const double b = gait.half_width;
  const double lap = core::kPi * (3.0 * (a + b) - std::sqrt((3.0 * a + b) * (a + 3.0 * b)));
  gait.strides = static_cast<int>(lap / stride) + 1;
  gait.half_base = random.uniform(0.045, 0.065);
  gait.toe_out = random.uniform(4.0, 9.0);
  gait.arm_swing = random.uniform(15.0, 24.0);
  gait.lift = random.uniform(0.03, 0.05);
  gait.trunk = random.uniform(1.0, 5.0);
  return gait;
}

/// A place on the path.
struct Place {
  Vec3 point;
  Vec3 left;             ///< unit vector across the path
  double heading = 0.0;  ///< degrees, 0 is +z, 90 is +x; continuous along the path
  double stride = 0.0;   ///< metres that a stride would cover at this speed
};

class Walk : public Routine {
 public:
  explicit Walk(std::uint64_t seed) : gait_(gait_of(seed)) {}

  Controls at(double seconds) override {
    const double phase = std::fmod(seconds / gait_.period, gait_.strides);
    const Place place = place_at(phase);
    Controls out;
    set_trunk(phase, place, out);
    set_leg(phase, kLeft, out.leg[kLeft]);
    set_leg(phase + 0.5, kRight, out.leg[kRight]);
    set_arm(phase, out.arm[kLeft]);
    set_arm(phase + 0.5, out.arm[kRight]);
    return out;
  }

 private:
  /// Where the path is after so many strides.
  [[nodiscard]] Place place_at(double strides) const {
    const double angle = 360.0 * strides / gait_.strides;
    const core::SinCos turn = core::sincos_degrees(angle);
    const double a = gait_.half_length;
    const double b = gait_.half_width;
    Place out;
    out.point = {-gait_.turn * b * turn.cos, 0.0, a * turn.sin};
    // The heading runs ahead of the angle by less than a right angle.
    const double ahead = atan2_degrees((b - a) * turn.sin * turn.cos,
                                       a * turn.cos * turn.cos + b * turn.sin * turn.sin);
    out.heading = gait_.turn * (angle + ahead);
    const Vec3 tangent{gait_.turn * b * turn.sin, 0.0, a * turn.cos};
    const double speed = core::norm(tangent);
    out.left = {tangent.z / speed, 0.0, -tangent.x / speed};
    out.stride = 2.0 * core::kPi * speed / gait_.strides;
    return out;
  }

  void set_trunk(double phase, const Place& place, Controls& out) const {
    const double once = cosine(360.0 * phase);
    const double over_left = cosine(360.0 * (phase - 0.30));  // 1 when the left leg carries
    const double twice = cosine(720.0 * (phase - 0.30));      // 1 in mid-stance
    const double along = sine(720.0 * (phase - 0.05));
    const double inwards = gait_.turn;
    // Longer strides need a lower hip.
    const double height = kHipHeight - 0.013 - 0.027 * place.stride * place.stride;
    out.pelvis = place.point + (0.022 * over_left + 0.008 * inwards) * place.left +
                 Vec3{0.0, height + 0.022 * twice, 0.0} +
                 0.008 * along * Vec3{-place.left.z, 0.0, place.left.x};
    const double list = 3.5 * cosine(360.0 * (phase - 0.20));  // the swinging side drops
    out.pelvis_turn = about_y(place.heading - 5.0 * once) * about_z(list) * about_x(4.0);
    out.trunk = {gait_.trunk - 2.0 + 1.0 * twice, 0.8 * list + 3.5 * inwards, 10.0 * once};
    out.neck = {-gait_.trunk, -2.0 * inwards, -4.5 * once + 6.0 * inwards};
  }

  void set_leg(double phase, Side side, LegControls& leg) const {
    const double step = std::floor(phase);
    const double f = phase - step;
    const double half = side == kLeft ? 0.0 : 0.5;  // a right foot's steps are counted from there
    const Place from = place_at(step - half + kPrintLead);
    const Place to = place_at(step - half + 1.0 + kPrintLead);
    const double sign = side == kLeft ? 1.0 : -1.0;
    const double swing = unit_clamp((f - kStance) / (1.0 - kStance));
    const double moved = glide((swing - kLiftOff) / (1.0 - kLiftOff - kSetDown));
    leg.print = mix(from.point + sign * gait_.half_base * from.left,
                    to.point + sign * gait_.half_base * to.left, moved);
    const double up = swing * (1.0 - swing);
    leg.print.y = gait_.lift * 16.0 * up * up;
    leg.yaw = mix(from.heading, to.heading, moved) + sign * gait_.toe_out;
    leg.heel_rise = 52.0 * plateau(f, 0.20, kStance + 0.02, kStance + 0.03, 0.92);
    leg.toe_rise =
        f < 0.5 ? 9.5 * (1.0 - ease_between(f, 0.0, 0.08)) : 9.5 * ease_between(f, 0.87, 0.99);
  }

  void set_arm(double phase, ArmControls& arm) const {
    const double back = cosine(360.0 * (phase - 0.02));  // with the leg of the same side in front
    arm.flexion = 4.0 - gait_.arm_swing * back;
    arm.abduction = 9.0;
    arm.swivel = 25.0;
    arm.elbow = 24.0 - 10.0 * back;
    arm.pronation = 15.0;
    arm.wrist = 3.0;
    arm.curl = 28.0;
  }

  Gait gait_;
};

}  // namespace

std::unique_ptr<Routine> make_walk(std::uint64_t seed) { return std::make_unique<Walk>(seed); }

}  // namespace tocsin::make
