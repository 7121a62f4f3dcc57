// A .bvh as some public data sets have them: a root at the origin, position channels on every
// joint, all bones along x at rest (94 cm high so), sides at the end of names. Made here, of no
// recording.
#pragma once

#include <string>
#include <vector>

namespace tocsin::test {

/// How the figure of straight_rest_bvh() is posed and called.
struct StraightRest {
  bool lies = false;     ///< on the ground, else it stands and faces +x
  bool renamed = false;  ///< joints are j0, j1, ...
  int frames = 3;
};

/// In centimetres; 1.52 m to the top of the head. It moves along x, 2 cm a frame, in its root.
inline std::string straight_rest_bvh(const StraightRest& how = {}) {
  struct Part {
    const char* name;
    int depth;
    double x, y, z;  // OFFSET
    double rz, ry;   // degrees, in the frames
  };
  const std::vector<Part> parts{{"joint_Root", 0, 0, 0, 0, 0, 0},
                                {"Hips", 1, 0, 94, 0, 90, 0},
                                {"Spine", 2, 15.7, 0, 0, 0, 0},
                                {"Chest", 3, 9, -0.4, 0, 0, 0},
                                {"Neck", 4, 16.4, 0, 0, 0, 0},
                                {"Head", 5, 6.5, 0, 0, 0, 0},
                                {"", 6, 10, 0, 0, 0, 0},
                                {"Shoulder_L", 4, 13, 0, -5, 0, 90},
                                {"UpperArm_L", 5, 5.3, 0, 0, 0, 0},
                                {"LowerArm_L", 6, 24.3, 0, 0, 0, 0},
                                {"Hand_L", 7, 22.3, 0, 0, 0, 0},
                                {"", 8, 5, 0, 0, 0, 0},
                                {"Shoulder_R", 4, 13, 0, 5, 0, 90},
                                {"UpperArm_R", 5, -5.3, 0, 0, 0, 0},
                                {"LowerArm_R", 6, -24.3, 0, 0, 0, 0},
                                {"Hand_R", 7, -22.3, 0, 0, 0, 0},
                                {"", 8, -5, 0, 0, 0, 0},
                                {"UpperLeg_L", 2, -2.2, 0, -6.5, 180, 0},
                                {"LowerLeg_L", 3, 39.1, 0, 0, 0, 0},
                                {"Foot_L", 4, 41, 0, 0, 80, 0},
                                {"Toes_L", 5, 11.8, 0, 0, 0, 0},
                                {"", 6, 5, 0, 0, 0, 0},
                                {"UpperLeg_R", 2, -2.2, 0, 6.5, 0, 0},
                                {"LowerLeg_R", 3, -39.1, 0, 0, 0, 0},
                                {"Foot_R", 4, -41, 0, 0, 80, 0},
                                {"Toes_R", 5, -11.8, 0, 0, 0, 0},
                                {"", 6, -5, 0, 0, 0, 0}};
  const auto number = [](double x) { return std::to_string(x); };
  const auto three = [&](double x, double y, double z) {
    return number(x) + ' ' + number(y) + ' ' + number(z);
  };
  std::string text = "HIERARCHY\n";
  int open = 0;
  int joints = 0;
  for (const Part& part : parts) {
    for (; open > part.depth; --open) text += "}\n";
    const bool end = part.name[0] == '\0';
    const std::string name = how.renamed ? "j" + std::to_string(joints) : std::string(part.name);
    text += end ? "End Site" : (part.depth == 0 ? "ROOT " : "JOINT ") + name;
    text += "\n{\nOFFSET " + three(part.x, part.y, part.z) + '\n';
    if (!end) text += "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n";
    joints += end ? 0 : 1;
    open += 1;
  }
  for (; open > 0; --open) text += "}\n";
  text += "MOTION\nFrames:\t" + std::to_string(how.frames) + "\nFrame Time:\t0.0333333\n";
  for (int f = 0; f < how.frames; ++f) {
    for (const Part& part : parts) {
      if (part.name[0] == '\0') continue;
      const bool hips = std::string(part.name) == "Hips";
      text +=
          three(part.x + (hips ? 2.0 * f : 0.0), hips && how.lies ? 10.0 : part.y, part.z) + ' ';
      text += three(hips && how.lies ? 0.0 : part.rz, 0.0, part.ry) + ' ';
    }
    text += '\n';
  }
  return text;
}

}  // namespace tocsin::test
