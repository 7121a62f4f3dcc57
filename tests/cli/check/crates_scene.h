// Crates, a sheet and an arm of two links that wanders among them; and how deep or how far away the
// arm is, from every triangle, by formulas of their own.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "cli/scenes.h"

namespace tocsin::test::crates {

// Plain geometry, written for these tests.
using P = std::array<double, 3>;
inline P plus(const P& a, const P& b, double s = 1.0) {
  return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}
inline P minus(const P& a, const P& b) { return plus(a, b, -1.0); }
inline double dot(const P& a, const P& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline P cross(const P& a, const P& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double length(const P& a) { return std::sqrt(dot(a, a)); }

using Corners = std::array<P, 3>;
struct Segment {
  P a, b;
};

inline double to_segment(const P& p, const P& a, const P& b) {
  const P d = minus(b, a);
  const double dd = dot(d, d);
  const double s = dd > 0.0 ? std::clamp(dot(minus(p, a), d) / dd, 0.0, 1.0) : 0.0;
  return length(minus(p, plus(a, d, s)));
}

/// The distance is convex in both parameters: least at its one flat place, or on the border.
inline double between_segments(const Segment& s, const P& p, const P& q) {
  double best = std::min({to_segment(s.a, p, q), to_segment(s.b, p, q), to_segment(p, s.a, s.b),
                          to_segment(q, s.a, s.b)});
  const P d = minus(s.b, s.a);
  const P e = minus(q, p);
  const P w = minus(s.a, p);
  const double determinant = dot(d, d) * dot(e, e) - dot(d, e) * dot(d, e);
  if (determinant > 1e-12) {
    const double u = (dot(d, e) * dot(e, w) - dot(e, e) * dot(d, w)) / determinant;
    const double v = (dot(d, d) * dot(e, w) - dot(d, e) * dot(d, w)) / determinant;
    if (u >= 0.0 && u <= 1.0 && v >= 0.0 && v <= 1.0) {
      best = std::min(best, length(minus(plus(s.a, d, u), plus(p, e, v))));
    }
  }
  return best;
}

inline bool above(const P& p, const Corners& t, const P& n) {
  for (std::size_t i = 0; i < 3; ++i) {
    const P edge = minus(t[(i + 1) % 3], t[i]);
    if (dot(cross(n, edge), minus(p, t[i])) < 0.0) return false;
  }
  return true;
}

inline double to_triangle(const Segment& s, const Corners& t) {
  const P n = cross(minus(t[1], t[0]), minus(t[2], t[0]));
  const double size = length(n);
  const double a = dot(n, minus(s.a, t[0])) / size;
  const double b = dot(n, minus(s.b, t[0])) / size;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    best = std::min(best, between_segments(s, t[i], t[(i + 1) % 3]));
  }
  if (above(s.a, t, n)) best = std::min(best, std::fabs(a));
  if (above(s.b, t, n)) best = std::min(best, std::fabs(b));
  const bool crosses = (a < 0.0) != (b < 0.0);
  if (crosses && above(plus(s.a, minus(s.b, s.a), a / (a - b)), t, n)) best = 0.0;
  return best;
}

/// How often the surface winds around p: its solid angle (van Oosterom and Strackee).
inline double winding(const P& p, const std::vector<Corners>& surface) {
  double angle = 0.0;
  for (const Corners& t : surface) {
    const P a = minus(t[0], p);
    const P b = minus(t[1], p);
    const P c = minus(t[2], p);
    angle += 2.0 * std::atan2(dot(a, cross(b, c)),
                              length(a) * length(b) * length(c) + dot(a, b) * length(c) +
                                  dot(b, c) * length(a) + dot(c, a) * length(b));
  }
  return angle / (4.0 * std::numbers::pi);
}

struct Brute {
  double depth = 0.0;
  bool inside = false;
};

inline Brute brute_depth(const Segment& axis, double radius, const std::vector<Corners>& object,
                         bool solid) {
  double distance = std::numeric_limits<double>::infinity();
  for (const Corners& t : object) distance = std::min(distance, to_triangle(axis, t));
  const bool inside = solid && winding(axis.a, object) > 0.5;
  return {inside ? radius + distance : radius - distance, inside};
}

// The scene: crates, a sheet that is not closed, and an arm of two links that wanders among them.
using Turn = std::array<P, 3>;  // columns
inline Turn turn(double degrees, int axis) {
  const double a = degrees * std::numbers::pi / 180.0;
  const auto i = static_cast<std::size_t>((axis + 1) % 3);
  const auto j = static_cast<std::size_t>((axis + 2) % 3);
  Turn out{};
  out[static_cast<std::size_t>(axis)][static_cast<std::size_t>(axis)] = 1.0;
  out[i][i] = std::cos(a);
  out[i][j] = std::sin(a);
  out[j][i] = -std::sin(a);
  out[j][j] = std::cos(a);
  return out;
}
inline P turn_by(const Turn& r, const P& p) {
  return plus(plus(plus({}, r[0], p[0]), r[1], p[1]), r[2], p[2]);
}

/// Rows of R, from the columns; and R applied to the columns of another.
inline Turn transposed(const Turn& r) {
  return {P{r[0][0], r[1][0], r[2][0]}, P{r[0][1], r[1][1], r[2][1]}, P{r[0][2], r[1][2], r[2][2]}};
}
inline Turn times(const Turn& a, const Turn& b) {
  return {turn_by(a, b[0]), turn_by(a, b[1]), turn_by(a, b[2])};
}

/// The least turn from one to another: its axis and angle, from the skew part of the matrix.
struct AxisAngle {
  P axis{1.0, 0.0, 0.0};
  double angle = 0.0;
};
inline AxisAngle between(const Turn& from, const Turn& to) {
  const Turn r = times(to, transposed(from));
  const P skew{r[1][2] - r[2][1], r[2][0] - r[0][2], r[0][1] - r[1][0]};
  const double sin = 0.5 * length(skew);
  if (sin < 1e-12) return {};
  return {plus({}, skew, 0.5 / sin), std::atan2(sin, 0.5 * (r[0][0] + r[1][1] + r[2][2] - 1.0))};
}
/// Rodrigues' formula.
inline P turned_about(const AxisAngle& by, double t, const P& p) {
  const double a = by.angle * t;
  return plus(plus(plus({}, p, std::cos(a)), cross(by.axis, p), std::sin(a)), by.axis,
              dot(by.axis, p) * (1.0 - std::cos(a)));
}
/// A joint's origin on the screw between two poses: it turns about a point of the screw's axis.
inline P on_screw(const AxisAngle& by, const P& from, const P& to, double t) {
  const P s = minus(to, from);
  if (by.angle < 1e-9) return plus(from, s, t);
  const double h = dot(s, by.axis);
  const P across = plus(s, by.axis, -h);
  const P center =
      plus(plus(from, across, 0.5), cross(by.axis, across), 0.5 / std::tan(0.5 * by.angle));
  return plus(plus(center, turned_about(by, t, minus(from, center))), by.axis, t * h);
}

struct Thing {
  std::vector<P> vertices;
  std::vector<std::array<std::size_t, 3>> faces;
  bool closed = true;

  [[nodiscard]] std::vector<Corners> triangles() const {
    std::vector<Corners> out;
    for (const auto& f : faces) out.push_back({vertices[f[0]], vertices[f[1]], vertices[f[2]]});
    return out;
  }
};

inline constexpr double kUpper = 0.5;  // metres
inline constexpr double kLower = 0.4;
inline const std::map<std::string, double> kRadii{{"upper", 0.06}, {"lower", 0.05}};

/// A folder with take.bvh, arm.json and room.obj.
class Crates : public TemporaryFolder {
 public:
  explicit Crates(std::uint32_t seed) : random_(seed) {
    for (int i = 0; i < 9; ++i) things_[fmt::format("Crate{}", i)] = crate();
    things_["Sheet"] = sheet();
    write_room();
    write("arm.json", R"({"format":"tocsin.avatar.v1","name":"arm","description":"An arm.","links":[
      {"name":"upper","joint":"Root","a":[0,0,0],"b":{"joint":"Elbow"},"radius":0.06},
      {"name":"lower","joint":"Elbow","a":[0,0,0],"b":[0,0.4,0],"radius":0.05}],"aliases":{}})");
    write_take();
  }

  [[nodiscard]] CommandResult check(const std::vector<std::string>& more) const {
    std::vector<std::string> arguments{"check",    "take.bvh",   "--env",         "room.obj",
                                       "--avatar", "./arm.json", "--motion-unit", "m"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_tocsin(arguments, path());
  }
  [[nodiscard]] Segment axis(const std::string& link, std::size_t frame) const {
    return axis_at(link, frame, 0.0);
  }
  /// Between a frame and the next: both joints move along the screw between their poses.
  [[nodiscard]] Segment axis_at(const std::string& link, std::size_t frame, double t) const {
    const std::array<double, 9>& v0 = frames_[frame];
    const std::array<double, 9>& v1 = frames_[t > 0.0 ? frame + 1 : frame];
    const auto joint = [](const std::array<double, 9>& v, std::size_t k) {
      return times(turn(v[k], 2), times(turn(v[k + 1], 0), turn(v[k + 2], 1)));
    };
    const AxisAngle root_turn = between(joint(v0, 3), joint(v1, 3));
    const AxisAngle elbow_turn = between(joint(v0, 6), joint(v1, 6));
    const P root = on_screw(root_turn, {v0[0], v0[1], v0[2]}, {v1[0], v1[1], v1[2]}, t);
    const auto by_root = [&](const P& p) {
      return turned_about(root_turn, t, turn_by(joint(v0, 3), p));
    };
    const P elbow = plus(root, by_root({0, kUpper, 0}));
    if (link == "upper") return {root, elbow};
    const P tip = turned_about(elbow_turn, t, turn_by(joint(v0, 6), {0, kLower, 0}));
    return {elbow, plus(elbow, by_root(tip))};
  }
  [[nodiscard]] const Thing& thing(const std::string& name) const { return things_.at(name); }
  [[nodiscard]] const std::map<std::string, Thing>& things() const { return things_; }
  [[nodiscard]] std::size_t frames() const { return frames_.size(); }

 private:
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  /// A float holds it, and so few digits write it.
  static double plain(double x) { return std::round(x * 1024.0) / 1024.0; }

  Thing crate() {
    const P middle{number(-1.2, 1.2), number(-1.2, 1.2), number(-1.2, 1.2)};
    const P half{number(0.15, 0.6), number(0.15, 0.6), number(0.15, 0.6)};
    const Turn about = turn(number(0, 360), 1);
    const Turn tilt = turn(number(0, 360), 0);
    Thing out;
    for (int i = 0; i < 8; ++i) {
      const P corner{(i & 1) != 0 ? half[0] : -half[0], (i & 2) != 0 ? half[1] : -half[1],
                     (i & 4) != 0 ? half[2] : -half[2]};
      P at = plus(middle, turn_by(about, turn_by(tilt, corner)));
      for (double& x : at) x = plain(x);
      out.vertices.push_back(at);
    }
    for (const std::array<std::size_t, 4>& q : std::vector<std::array<std::size_t, 4>>{
             {0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}) {
      out.faces.push_back({q[0], q[1], q[2]});
      out.faces.push_back({q[0], q[2], q[3]});
    }
    return out;
  }
  static Thing sheet() {
    return {{{-1, 0, -1}, {-1, 0.25, 1}, {1, 0.25, 1}, {1, 0, -1}}, {{0, 1, 2}, {0, 2, 3}}, false};
  }
  void write_room() {
    std::string text;
    std::size_t first = 1;
    for (const auto& [name, thing] : things_) {
      text += "o " + name + '\n';
      for (const P& v : thing.vertices) text += fmt::format("v {} {} {}\n", v[0], v[1], v[2]);
      for (const auto& f : thing.faces) {
        text += fmt::format("f {} {} {}\n", first + f[0], first + f[1], first + f[2]);
      }
      first += thing.vertices.size();
    }
    write("room.obj", text);
  }
  void write_take() {
    constexpr int kFrames = 150;
    std::array<std::array<double, 3>, 9> wave{};
    for (auto& w : wave) w = {number(0.02, 0.12), number(0, 6.28), number(0.3, 1.2)};
    std::string text =
        "HIERARCHY\nROOT Root\n{\n OFFSET 0 0 0\n"
        " CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n JOINT Elbow\n "
        "{\n"
        "  OFFSET 0 0.5 0\n  CHANNELS 3 Zrotation Xrotation Yrotation\n  End Site\n  {\n"
        "   OFFSET 0 0.4 0\n  }\n }\n}\nMOTION\n";
    text += fmt::format("Frames: {}\nFrame Time: 0.03125\n", kFrames);
    for (int f = 0; f < kFrames; ++f) {
      std::array<double, 9> values{};
      for (std::size_t k = 0; k < 9; ++k) {
        const auto& [speed, phase, size] = wave[k];
        values[k] = plain((k < 3 ? 1.0 : 90.0) * size * std::sin(speed * f + phase));
      }
      frames_.push_back(values);
      text += fmt::format("{}\n", fmt::join(values, " "));
    }
    write("take.bvh", text);
  }

  std::mt19937 random_;
  std::map<std::string, Thing> things_;
  std::vector<std::array<double, 9>> frames_;
};

/// A link and a thing.
using PairName = std::pair<std::string, std::string>;

/// The distance between surfaces at a frame, or at a part of the step that begins there, from every
/// triangle.
inline double distance_at(const Crates& scene, const PairName& pair, std::size_t frame,
                          double t = 0.0) {
  const Thing& thing = scene.thing(pair.second);
  return -brute_depth(scene.axis_at(pair.first, frame, t), kRadii.at(pair.first), thing.triangles(),
                      thing.closed)
              .depth;
}

}  // namespace tocsin::test::crates
