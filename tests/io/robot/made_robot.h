// Robots made by chance, as URDF text and as a second kinematics: matrices in long double, from the
// format's description and from no line of Tocsin.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace tocsin::test {

using LongReal = long double;

/// Rows of a 4x4 matrix without its last row.
struct LongFrame {
  std::array<std::array<LongReal, 4>, 3> m{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
};

inline LongFrame operator*(const LongFrame& a, const LongFrame& b) {
  LongFrame out;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      out.m[i][j] = j == 3 ? a.m[i][3] : 0;
      for (std::size_t k = 0; k < 3; ++k) out.m[i][j] += a.m[i][k] * b.m[k][j];
    }
  }
  return out;
}

/// A turn about a unit axis: Rodrigues' formula.
inline LongFrame turned(const std::array<LongReal, 3>& n, LongReal angle) {
  const LongReal c = std::cos(angle);
  const LongReal s = std::sin(angle);
  LongFrame out;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      out.m[i][j] = (1 - c) * n[i] * n[j] + (i == j ? c : 0);
    }
  }
  out.m[0][1] -= s * n[2];
  out.m[1][0] += s * n[2];
  out.m[0][2] += s * n[1];
  out.m[2][0] -= s * n[1];
  out.m[1][2] -= s * n[0];
  out.m[2][1] += s * n[0];
  return out;
}

inline LongFrame moved(LongReal x, LongReal y, LongReal z) {
  LongFrame out;
  out.m[0][3] = x;
  out.m[1][3] = y;
  out.m[2][3] = z;
  return out;
}

/// An origin: first the turns about the fixed axes x, y, z in this order, then the way.
inline LongFrame origin_frame(const std::array<double, 3>& xyz, const std::array<double, 3>& rpy) {
  return moved(xyz[0], xyz[1], xyz[2]) * turned({0, 0, 1}, rpy[2]) * turned({0, 1, 0}, rpy[1]) *
         turned({1, 0, 0}, rpy[0]);
}

struct MadeJoint {
  std::string type;
  int parent = 0;  ///< link
  std::array<double, 3> xyz{};
  std::array<double, 3> rpy{};
  std::array<double, 3> axis{};
  int mimics = -1;  ///< joint
  double multiplier = 1.0;
  double offset = 0.0;
};

/// Joint i carries link i + 1; link 0 is the root.
struct MadeTree {
  std::vector<MadeJoint> joints;

  static MadeTree random(std::mt19937_64& source, int count) {
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    const auto three = [&](double scale) {
      return std::array<double, 3>{scale * number(source), scale * number(source),
                                   scale * number(source)};
    };
    const std::array<const char*, 6> kinds{"revolute", "continuous", "prismatic",
                                           "fixed",    "planar",     "floating"};
    MadeTree out;
    for (int i = 0; i < count; ++i) {
      MadeJoint joint;
      joint.type = kinds[source() % kinds.size()];
      joint.parent = static_cast<int>(source() % static_cast<unsigned>(i + 1));
      joint.xyz = three(1.0);
      joint.rpy = three(4.0);
      joint.axis = three(2.0);
      const bool one =
          joint.type == "revolute" || joint.type == "continuous" || joint.type == "prismatic";
      for (int j = 0; one && j < i; ++j) {
        const std::string& other = out.joints[static_cast<std::size_t>(j)].type;
        if (other == "planar" || other == "floating" || source() % 4 != 0) continue;
        joint.mimics = j;
        joint.multiplier = number(source);
        joint.offset = number(source);
      }
      out.joints.push_back(joint);
    }
    return out;
  }

  [[nodiscard]] std::string urdf() const {
    std::string out = "<robot name=\"made\">\n<link name=\"link0\"/>\n";
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const MadeJoint& joint = joints[i];
      const auto three = [](const std::array<double, 3>& v) {
        return fmt::format("{} {} {}", v[0], v[1], v[2]);
      };
      out += fmt::format(
          "<link name=\"link{0}\"/>\n<joint name=\"joint{1}\" type=\"{2}\"><parent "
          "link=\"link{3}\"/>"
          "<child link=\"link{0}\"/><origin xyz=\"{4}\" rpy=\"{5}\"/><axis xyz=\"{6}\"/>"
          "<limit lower=\"-100\" upper=\"100\" effort=\"1\" velocity=\"1000\"/>",
          i + 1, i, joint.type, joint.parent, three(joint.xyz), three(joint.rpy),
          three(joint.axis));
      if (joint.mimics >= 0) {
        out += fmt::format("<mimic joint=\"joint{}\" multiplier=\"{}\" offset=\"{}\"/>",
                           joint.mimics, joint.multiplier, joint.offset);
      }
      out += "</joint>\n";
    }
    return out + "</robot>\n";
  }

  /// Where link i is in the world; `values` by the names of a plan's columns, 0 for others.
  [[nodiscard]] LongFrame link_frame(int link,
                                     const std::map<std::string, LongReal>& values) const {
    if (link == 0) return {};
    const auto index = static_cast<std::size_t>(link - 1);
    const MadeJoint& joint = joints[index];
    return link_frame(joint.parent, values) * origin_frame(joint.xyz, joint.rpy) *
           motion(index, values);
  }

 private:
  [[nodiscard]] LongReal value(std::size_t joint, const std::string& part,
                               const std::map<std::string, LongReal>& values) const {
    const MadeJoint& one = joints[joint];
    if (one.mimics >= 0) {
      return one.multiplier * value(static_cast<std::size_t>(one.mimics), "", values) + one.offset;
    }
    const auto found = values.find(fmt::format("joint{}{}", joint, part));
    return found == values.end() ? 0 : found->second;
  }

  [[nodiscard]] LongFrame motion(std::size_t index,
                                 const std::map<std::string, LongReal>& values) const {
    const MadeJoint& joint = joints[index];
    const auto of = [&](const char* part) { return value(index, part, values); };
    std::array<LongReal, 3> n{joint.axis[0], joint.axis[1], joint.axis[2]};
    const LongReal length = std::sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (LongReal& part : n) part /= length;
    if (joint.type == "fixed") return {};
    if (joint.type == "prismatic") return moved(of("") * n[0], of("") * n[1], of("") * n[2]);
    if (joint.type == "planar") {
      // Along x, projected into the plane, and across.
      std::array<LongReal, 3> u{1 - n[0] * n[0], -n[0] * n[1], -n[0] * n[2]};
      const LongReal size = std::sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
      for (LongReal& part : u) part /= size;
      const std::array<LongReal, 3> v{n[1] * u[2] - n[2] * u[1], n[2] * u[0] - n[0] * u[2],
                                      n[0] * u[1] - n[1] * u[0]};
      return moved(of("/x") * u[0] + of("/y") * v[0], of("/x") * u[1] + of("/y") * v[1],
                   of("/x") * u[2] + of("/y") * v[2]) *
             turned(n, of("/theta"));
    }
    if (joint.type == "floating") {
      LongReal w = of("/rot_w");
      std::array<LongReal, 3> q{of("/rot_x"), of("/rot_y"), of("/rot_z")};
      const LongReal sine = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
      const LongReal norm = std::sqrt(w * w + sine * sine);
      LongFrame turn;
      if (norm > 0 && sine > 0) {
        for (LongReal& part : q) part /= sine;
        turn = turned(q, 2 * std::atan2(sine, w));
      }
      return moved(of("/trans_x"), of("/trans_y"), of("/trans_z")) * turn;
    }
    return turned(n, of(""));
  }
};

}  // namespace tocsin::test
