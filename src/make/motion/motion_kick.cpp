// Kicking: front kicks and side kicks out of a stance, one a few seconds, the other leg planted.
#include <algorithm>
#include <cmath>
#include <memory>

#include "make/motion/rotation.h"
#include "make/motion/routine.h"
#include "make/motion/smooth.h"
#include "make/motion/stance.h"
#include "make/random.h"

namespace tocsin::make {
namespace {

/// One kick.
struct Blow {
  Side side = kLeft;
  bool sideways = false;
  double height = 0.5;  ///< 0: low (about the knee), 1: high (above the hip)
};

Blow blow_of(std::uint64_t seed, double number) {
  // Counting up from the seed's own stream, so that any kick can be had without those before it.
  Random random(seed, 16 + static_cast<std::uint64_t>(number));
  Blow out;
  out.side = random.chance(0.5) ? kLeft : kRight;
  out.sideways = random.chance(0.4);
  out.height = random.uniform();
  return out;
}

/// How far along a kick is, each from 0 to 1 and back, over the kick's time u from 0 to 1.
struct KickCourse {
  explicit KickCourse(double u)
      : weight(plateau(u, 0.00, 0.22, 0.80, 1.00)),
        lift(plateau(u, 0.12, 0.24, 0.76, 0.93)),
        away(plateau(u, 0.16, 0.32, 0.66, 0.89)),
        chamber(plateau(u, 0.02, 0.36, 0.56, 0.98)),
        extend(plateau(u, 0.34, 0.47, 0.50, 0.64)),
        push(plateau(u, 0.08, 0.20, 0.72, 0.92)) {}
  double weight;   ///< on the other foot
  double lift;     ///< off the floor
  double away;     ///< from the foot's place on it
  double chamber;  ///< the thigh up, the knee bent
  double extend;   ///< the leg stretched out
  double push;     ///< the heel up, at start and landing
};

class Kick : public Routine {
 public:
  explicit Kick(std::uint64_t seed) : seed_(seed) {
    Random random(seed, 3);
    period_ = random.uniform(2.1, 2.7);
    guard_ = random.uniform(50.0, 65.0);
  }

  Controls at(double seconds) override {
    const double number = std::floor(seconds / period_);
    const KickCourse course(seconds / period_ - number);
    const Blow blow = blow_of(seed_, number);
    Controls out = standing();
    set_body(blow, course, out);
    set_leg(blow, course, out.leg[blow.side]);
    set_arms(blow, course, out);
    return out;
  }

 private:
  static void set_body(const Blow& blow, const KickCourse& course, Controls& out) {
    const double sign = blow.side == kLeft ? 1.0 : -1.0;
    // Over the foot that stays, which is on the other side; its knee gives a little.
    out.pelvis.x -= sign * 0.085 * course.weight;
    out.pelvis.y -= 0.010 + 0.014 * course.weight;
    out.pelvis.z -= 0.012 * course.weight;
    if (blow.sideways) {
      const double list = sign * (12.0 + 14.0 * blow.height) * course.extend;
      out.pelvis.x -= sign * 0.06 * course.extend;
      out.pelvis.y += kHalfHips * sine(std::fabs(list));  // the hip that carries stays as high
      out.pelvis_turn = about_z(list + sign * 3.0 * course.chamber);
      out.trunk.lateral = -0.5 * sign * (12.0 + 14.0 * blow.height) * course.extend;
      out.neck.lateral = 0.9 * list;
      out.neck.twist = sign * 35.0 * course.chamber;
    } else {
      const double back = 4.0 * course.chamber + (6.0 + 12.0 * blow.height) * course.extend;
      out.pelvis.z += 0.02 * course.extend;
      out.pelvis_turn = about_y(-sign * 10.0 * course.extend) * about_x(-back);
      out.trunk.twist = sign * 8.0 * course.extend;
      out.trunk.flexion += 0.5 * back + 4.0 * course.chamber;
      out.neck.flexion += 0.4 * back;
    }
  }

  static void set_leg(const Blow& blow, const KickCourse& course, LegControls& leg) {
    leg.freedom = course.away;
    leg.heel_rise = 40.0 * course.push;
    leg.print.y = 0.07 * course.lift;  // up before away
    const double h = blow.height;
    const auto held = [&](double rest, double chamber, double extended) {
      return rest + (chamber - rest) * course.chamber + (extended - chamber) * course.extend;
    };
    leg.knee = held(16.0, 100.0, 9.0);
    leg.plantar = held(12.0, 20.0, blow.sideways ? 2.0 : 30.0);
    if (blow.sideways) {
      leg.flexion = held(8.0, 62.0 + 14.0 * h, 20.0 + 6.0 * h);
      leg.abduction = held(0.0, 18.0, 30.0 + 10.0 * h);
      leg.rotation = held(0.0, 0.0, -12.0);
    } else {
      leg.flexion = held(8.0, 62.0 + 20.0 * h, 52.0 + 38.0 * h);
      leg.abduction = held(0.0, 5.0, 0.0);
    }
  }

  void set_arms(const Blow& blow, const KickCourse& course, Controls& out) const {
    for (const Side side : {kLeft, kRight}) {
      ArmControls& arm = out.arm[side];
      const double drop = side == blow.side ? 28.0 * course.extend : -4.0 * course.extend;
      arm.flexion = guard_ - drop;
      arm.azimuth = -6.0;
      arm.abduction = 4.0 + 0.5 * std::max(drop, 0.0);
      arm.swivel = 30.0;
      arm.elbow = 112.0 - 1.6 * drop;
      arm.pronation = 30.0;
      arm.curl = 70.0;
    }
  }

  std::uint64_t seed_;
  double period_ = 2.4;
  double guard_ = 55.0;
};

}  // namespace

std::unique_ptr<Routine> make_kick(std::uint64_t seed) { return std::make_unique<Kick>(seed); }

}  // namespace tocsin::make
