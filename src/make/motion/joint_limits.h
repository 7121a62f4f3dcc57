// The ranges of joints. Every frame of make_motion() is within them.
//
// Values: mean ranges of the American Academy of Orthopaedic Surgeons, "Joint Motion: Method of
// Measuring and Recording" (1965), as tabled in Norkin and White, "Measurement of Joint Motion";
// where they give none, ours (said so). docs/made.md has the table with the same numbers.
//
// How a joint's rotation is measured. The bone lies along the joint's y axis (trunk, neck, legs) or
// x axis (arms, fingers). The rotation in the parent's frame is split into swing * twist: first a
// twist about the bone, then a swing that moves the bone the shortest way, about an axis across it.
// The swing's rotation vector has two components, one about each of the other two axes. Angles are
// those of the left side; the right side is its mirror image. All are 0 in the rest pose (T-pose).
#pragma once

namespace tocsin::make {

/// Degrees.
struct Range {
  double low = 0.0;
  double high = 0.0;
};

/// A joint whose bone lies along y. Flexion is forward (thigh, trunk, neck), backward (shin).
struct UprightLimit {
  const char* joint;  ///< with "Left" or "Right" before it, where there are two
  Range flexion;      ///< about x
  Range lateral;      ///< about z: abduction, bend to the left, inversion
  Range twist;        ///< about y: outwards, or to the left
};

inline constexpr UprightLimit kTrunkLimits[] = {
    // Thoracic and lumbar spine together: flexion 80, extension 25, lateral 35, rotation 45; a
    // third
    // each. Cervical spine: 45, 45, 45, 60; a half each.
    {"Spine", {-25.0 / 3, 80.0 / 3}, {-35.0 / 3, 35.0 / 3}, {-15, 15}},
    {"Spine1", {-25.0 / 3, 80.0 / 3}, {-35.0 / 3, 35.0 / 3}, {-15, 15}},
    {"Spine2", {-25.0 / 3, 80.0 / 3}, {-35.0 / 3, 35.0 / 3}, {-15, 15}},
    {"Neck", {-22.5, 22.5}, {-22.5, 22.5}, {-30, 30}},
    {"Head", {-22.5, 22.5}, {-22.5, 22.5}, {-30, 30}},
};

inline constexpr UprightLimit kLegLimits[] = {
    {"UpLeg", {-30, 120}, {-30, 45}, {-45, 45}},
    {"Leg", {0, 135}, {0, 0}, {0, 0}},
    // Dorsiflexion 20 is positive flexion; inversion 35 is positive. Turning the foot outwards
    // against the shin has no value of its own there; 20 is ours.
    {"Foot", {-50, 20}, {-15, 35}, {-20, 20}},
    // The great toe's first joint: extension 70, flexion 45.
    {"ToeBase", {-45, 70}, {0, 0}, {0, 0}},
};

/// A joint whose bone lies along x.
struct ArmLimit {
  const char* joint;
  Range flexion;  ///< about y or z, as named below
  Range sideways;
  Range twist;  ///< about x
};

inline constexpr ArmLimit kArmLimits[] = {
    // The clavicle: up (z), forward (-y). Ours, well inside the sternoclavicular joint's range.
    {"Shoulder", {-10, 30}, {-15, 25}, {-2, 2}},
    // Elbow: flexion (-y).
    {"ForeArm", {0, 150}, {0, 0}, {0, 0}},
    // Wrist: flexion (-z) 80, extension 70; radial deviation (-y) 20, ulnar 30; the twist is that
    // of
    // the forearm, pronation 80, supination 80.
    {"Hand", {-70, 80}, {-30, 20}, {-80, 80}},
};

/// The shoulder, measured between chest (Spine2) and upper arm, clavicle included: where the upper
/// arm points, and its twist.
struct ShoulderLimit {
  double behind = 60.0;   ///< behind the frontal plane: extension
  double across = 45.0;   ///< beyond the sagittal plane through the shoulder; ours
  double medial = 70.0;   ///< twist; 0 is the T-pose: forearm forward when bent
  double lateral = 90.0;  ///< twist
};
inline constexpr ShoulderLimit kShoulderLimit{};

/// Flexion (-z; the thumb: y) of the three joints of a finger: its base, middle and last one.
inline constexpr Range kFingerLimits[3] = {{-45, 90}, {0, 100}, {0, 90}};
/// The thumb's root stays; then flexion of its middle and last joint.
inline constexpr Range kThumbLimits[3] = {{0, 0}, {0, 50}, {0, 80}};

}  // namespace tocsin::make
