#include "make/motion/reach_key.h"

#include <cmath>
#include <cstddef>

#include "make/motion/rotation.h"
#include "make/motion/smooth.h"
#include "make/motion/stance.h"
#include "make/motion/two_bones.h"
#include "make/random.h"

namespace tocsin::make {
namespace {

/// Wrist held straight, forearm and palm are one bone.
constexpr double kForearmAndPalm = kForearm + kPalm;
/// Of the arm's length: a reach that needs more lets the body lean instead.
constexpr double kEasyReach = 0.965;
/// Rounds in which an arm is aimed: enough for a nanometre.
constexpr int kAimRounds = 30;

ArmControls arm_of(const std::array<double, Posture::kArmNumbers>& numbers) {
  const double held = numbers[6];
  ArmControls arm;
  arm.flexion = numbers[0];
  arm.azimuth = numbers[1];
  arm.elbow = numbers[2];
  arm.swivel = numbers[3];
  arm.shrug = numbers[4];
  arm.protract = numbers[5];
  arm.abduction = mix(9.0, 0.0, held);
  arm.pronation = mix(15.0, 30.0, held);
  arm.curl = mix(28.0, 12.0, held);
  return arm;
}

/// The body's numbers and the clavicle's two at full lean, for the left hand.
struct Lean {
  std::array<double, 10> body{};
  double shrug = 0.0;
  double protract = 0.0;
};

Lean full_lean(Reaching kind) {
  switch (kind) {
    case Reaching::kHigh:
      return {{-0.02, 0.0, 0.01, -2, -6, -6, -10, -8, -16, 0}, 22.0, 2.0};
    case Reaching::kLow:
      return {{0.0, 0.115, -0.16, 42, -6, 52, 4, -14, -22, 6}, 0.0, 14.0};
    case Reaching::kFar:
      return {{0.01, 0.03, -0.03, 20, -12, 26, 2, -22, -22, 12}, 4.0, 16.0};
    case Reaching::kAcross:
      return {{-0.02, 0.02, -0.01, 8, -24, 14, -4, -30, -10, -12}, 2.0, 16.0};
    case Reaching::kRest:
      break;
  }
  return {};
}

/// The same for the right hand: what is sideways changes sign.
Lean leaning(Side side, Lean lean) {
  if (side == kRight) {
    for (const std::size_t i : {0U, 4U, 6U, 7U, 9U}) lean.body[i] = -lean.body[i];
  }
  return lean;
}

Posture leant(const Lean& lean, Side side, double amount) {
  Posture out;
  for (std::size_t i = 0; i < out.body.size(); ++i) out.body[i] = amount * lean.body[i];
  out.arm[side][4] = amount * lean.shrug;
  out.arm[side][5] = amount * lean.protract;
  out.arm[side][6] = 1.0;
  return out;
}

/// From the shoulder to the target, in the chest's frame, as if the hand were the left one.
Vec3 reach_of(const Posture& posture, const Target& target) {
  const Controls controls = posed(posture);
  const Transform chest = chest_frame(controls);
  const Vec3 seen = core::rotate(core::conjugate(chest.rotation), target.point - chest.translation);
  const Vec3 left = target.side == kLeft ? seen : mirrored(seen);
  return left - shoulder_in_chest(controls.arm[target.side]);
}

/// Points the arm's line from shoulder to wrist.
void point_wrist(const Vec3& to, std::array<double, Posture::kArmNumbers>& arm) {
  const double flat = std::sqrt(to.x * to.x + to.z * to.z);
  arm[0] = atan2_degrees(flat, -to.y);
  arm[1] = atan2_degrees(to.x, to.z);
  // The elbow hangs; the higher the hand, the more it points outwards, as the shoulder turns no
  // further.
  arm[3] = 40.0 + 0.75 * core::max_of(arm[0] - 60.0, 0.0);
}

/// Points the arm so that the knuckle comes to `reach` from the shoulder, or, if that is too far,
/// in its direction.
void point_arm(const Vec3& reach, std::array<double, Posture::kArmNumbers>& arm) {
  const TwoBones bones = solve_two_bones(reach, kUpperArm, kForearmAndPalm, {1.0, -4.0, -2.0});
  arm[2] = 2.0 * atan2_degrees(bones.half_sin, bones.half_cos);
  // The elbow's bend gives the knuckle's distance; its direction is a little off that of the wrist,
  // to a side that depends on where the elbow is. Each round takes the error down about fourfold.
  const double distance = core::norm(reach);
  Vec3 aim = reach;
  for (int i = 0; i < kAimRounds; ++i) {
    point_wrist(aim, arm);
    const Vec3 knuckle = straight_hand_knuckle(arm_of(arm));
    aim = aim + (reach - (distance / core::norm(knuckle)) * knuckle);
  }
  point_wrist(aim, arm);
}

}  // namespace

Target target_of(std::uint64_t seed, std::uint64_t number) {
  Random random(seed, 16 + number);
  Target out;
  const double kind = random.uniform();
  out.side = random.chance(0.5) ? kLeft : kRight;
  const double sign = out.side == kLeft ? 1.0 : -1.0;
  if (kind < 0.12) return out;
  if (kind < 0.34) {
    out.kind = Reaching::kHigh;
    out.point = {sign * random.uniform(0.05, 0.40), random.uniform(1.80, 2.03),
                 random.uniform(0.18, 0.32)};
  } else if (kind < 0.56) {
    out.kind = Reaching::kLow;
    out.point = {sign * random.uniform(0.00, 0.30), random.uniform(0.36, 0.65),
                 random.uniform(0.32, 0.52)};
  } else if (kind < 0.78) {
    out.kind = Reaching::kFar;
    out.point = {sign * random.uniform(-0.05, 0.38), random.uniform(0.95, 1.35),
                 random.uniform(0.66, 0.86)};
  } else {
    out.kind = Reaching::kAcross;
    out.point = {-sign * random.uniform(0.20, 0.42), random.uniform(0.95, 1.40),
                 random.uniform(0.34, 0.50)};
  }
  return out;
}

Posture mix(const Posture& a, const Posture& b, double u) {
  Posture out;
  for (std::size_t i = 0; i < out.body.size(); ++i) out.body[i] = mix(a.body[i], b.body[i], u);
  for (const Side side : {kLeft, kRight}) {
    for (std::size_t i = 0; i < out.arm[side].size(); ++i) {
      out.arm[side][i] = mix(a.arm[side][i], b.arm[side][i], u);
    }
  }
  return out;
}

Controls posed(const Posture& posture) {
  Controls out = standing();
  const std::array<double, 10>& body = posture.body;
  out.pelvis = out.pelvis + Vec3{body[0], -body[1], body[2]};
  out.pelvis_turn = about_y(body[4]) * about_x(body[3]);
  out.trunk.flexion += body[5];
  out.trunk.lateral += body[6];
  out.trunk.twist += body[7];
  out.neck.flexion += body[8];
  out.neck.twist += body[9];
  for (const Side side : {kLeft, kRight}) {
    out.arm[side] = arm_of(posture.arm[side]);
    // A free arm hangs down although the chest leans forward.
    out.arm[side].flexion += 0.85 * (1.0 - posture.arm[side][6]) * (body[3] + body[5]);
  }
  return out;
}

Posture reaching(const Target& target) {
  if (target.kind == Reaching::kRest) return {};
  const Lean lean = leaning(target.side, full_lean(target.kind));
  const double length = kEasyReach * (kUpperArm + kForearmAndPalm);
  const auto too_far = [&](double amount) {
    return core::norm(reach_of(leant(lean, target.side, amount), target)) > length;
  };
  // The least lean, to 2^-20 of the full one.
  double low = 0.0;
  double high = 1.0;
  if (!too_far(low)) high = low;
  for (int i = 0; i < 20 && high > low; ++i) {
    const double middle = 0.5 * (low + high);
    (too_far(middle) ? low : high) = middle;
  }
  Posture out = leant(lean, target.side, core::max_of(high, 0.15));
  point_arm(reach_of(out, target), out.arm[target.side]);
  return out;
}

}  // namespace tocsin::make
