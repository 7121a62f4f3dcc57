// Skeletons from lists of bones: what is alike on both sides is written once.
#pragma once

#include <array>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "core/vector/vec.h"
#include "tocsin/skeleton.h"

namespace tocsin::test {

/// One joint, or a left and a right one if its name has a side: '@' stands for Left or Right, '%'
/// for left or right, '#' for L or R, '&' for l or r. `at` is the left one's place in the world.
struct Bone {
  std::string name;
  std::string parent;  ///< empty: a root
  Vec3 at;
};

/// Joints of one finger: its three bones' starts, and its tip (empty: the source has none).
using FingerNames = std::array<std::string, 4>;
/// Thumb, index, middle, ring, little finger.
using HandNames = std::array<FingerNames, 5>;

inline bool is_sided(const std::string& name) {
  return name.find_first_of("@%#&") != std::string::npos;
}

inline std::string on_side(const std::string& name, bool left) {
  std::string out;
  for (const char c : name) {
    if (c == '@') {
      out += left ? "Left" : "Right";
    } else if (c == '%') {
      out += left ? "left" : "right";
    } else if (c == '#') {
      out += left ? "L" : "R";
    } else if (c == '&') {
      out += left ? "l" : "r";
    } else {
      out += c;
    }
  }
  return out;
}

namespace place {
inline constexpr Vec3 kHips{0, 0.95, 0}, kBack{0, 1.02, -0.02}, kBack2{0, 1.12, -0.02},
    kBack3{0, 1.22, -0.02}, kChest{0, 1.32, -0.02}, kNeck{0, 1.46, -0.02}, kNeck2{0, 1.5, -0.01},
    kHead{0, 1.56, 0}, kTop{0, 1.74, 0.01}, kCollar{0.02, 1.42, 0}, kShoulder{0.18, 1.43, -0.02},
    kElbow{0.46, 1.42, -0.03}, kWrist{0.73, 1.42, -0.02}, kHandTip{0.91, 1.41, 0},
    kHip{0.09, 0.92, 0.01}, kKnee{0.095, 0.5, 0.02}, kAnkle{0.1, 0.08, -0.02},
    kBall{0.1, 0.02, 0.11}, kToes{0.1, 0.02, 0.18};

/// Where the `bone`-th joint of a finger is (3: its tip).
inline Vec3 finger(int finger, int bone) {
  if (finger == 0) {
    const Vec3 thumb[] = {
        {0.75, 1.41, 0.01}, {0.785, 1.4, 0.035}, {0.815, 1.4, 0.05}, {0.84, 1.4, 0.06}};
    return thumb[bone];
  }
  const double along[] = {0.82, 0.86, 0.884, 0.903};
  return {along[bone] - 0.004 * std::abs(finger - 2), 1.42, 0.04 - 0.02 * finger};
}
}  // namespace place

/// Adds fingers to `bones`; `middle_of_palm` goes between hand and knuckles of all but the thumb if
/// it is not empty ('?' in it stands for 1 to 5, the finger's number).
inline void add_fingers(std::vector<Bone>& bones, const std::string& hand, const HandNames& names,
                        const std::string& metacarpal = "") {
  for (int finger = 0; finger < 5; ++finger) {
    std::string parent = hand;
    if (finger > 0 && !metacarpal.empty()) {
      std::string name = metacarpal;
      if (const std::size_t at = name.find('?'); at != std::string::npos) {
        name.replace(at, 1, std::to_string(finger + 1));
      }
      const Vec3 knuckle = place::finger(finger, 0);
      bones.push_back({name, hand, {0.75, knuckle.y, 0.5 * knuckle.z}});
      parent = name;
    }
    for (int bone = 0; bone < 4; ++bone) {
      const std::string& name =
          names[static_cast<std::size_t>(finger)][static_cast<std::size_t>(bone)];
      if (name.empty()) break;
      bones.push_back({name, parent, place::finger(finger, bone)});
      parent = name;
    }
  }
}

/// The skeleton of these bones, all lengths times `size`. `turned`: each joint's frame is turned in
/// its own way, as in rigs whose axes follow the bones; else all are parallel to the world's, as in
/// a BVH. `rename` is applied to each name.
template <class Rename>
Result<Skeleton> make_skeleton(const std::vector<Bone>& bones, double size, bool turned,
                               const Rename& rename) {
  std::vector<Joint> joints;
  std::map<std::string, int> index;
  std::vector<Transform> world;
  const auto add = [&](const std::string& name, const std::string& parent, const Vec3& at) {
    const double angle = turned ? 0.3 + 0.7 * static_cast<double>(joints.size()) : 0.0;
    const double s = std::sin(angle) / std::sqrt(14.0);
    const Transform here{core::normalized({std::cos(angle), s, 2 * s, 3 * s}), size * at};
    Joint joint{rename(name), -1, here};
    if (!parent.empty()) {
      joint.parent = index.at(parent);
      const Transform& above = world[static_cast<std::size_t>(joint.parent)];
      joint.rest.rotation = core::normalized(core::conjugate(above.rotation) * here.rotation);
      joint.rest.translation =
          core::rotate(core::conjugate(above.rotation), here.translation - above.translation);
    }
    index[name] = static_cast<int>(joints.size());
    world.push_back(here);
    joints.push_back(joint);
  };
  for (const Bone& bone : bones) {
    add(on_side(bone.name, true), on_side(bone.parent, true), bone.at);
    if (!is_sided(bone.name)) continue;
    add(on_side(bone.name, false), on_side(bone.parent, false), {-bone.at.x, bone.at.y, bone.at.z});
  }
  return Skeleton::create(joints).value();
}

inline Result<Skeleton> make_skeleton(const std::vector<Bone>& bones, double size = 1.0,
                                      bool turned = false) {
  return make_skeleton(bones, size, turned, [](const std::string& name) { return name; });
}

}  // namespace tocsin::test
