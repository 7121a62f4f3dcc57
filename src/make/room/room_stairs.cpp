// Stairs up to a gallery, with railings.
#include <algorithm>

#include "make/room/room_shapes.h"

namespace tocsin::make {
namespace {

constexpr int kRisers = 12;             // of 17.5 cm at 2.1 m; building codes allow 14 to 20
constexpr double kRailing = 0.9;        // m above steps and platform
constexpr double kTread = 0.04;         // m, thickness
constexpr double kBetween = 0.13;       // m, between balusters; a child's head does not pass
constexpr double kAllBalusters = 0.25;  // fullness; below, there are fewer

/// The stairs' and the platform's places along the wall, from the foot (0) to the far end (1).
struct Along {
  explicit Along(const Gallery& gallery) : g(gallery) {}
  const Gallery& g;

  /// x of the point `s` metres from the foot.
  [[nodiscard]] double x(double s) const { return g.side * (s - 0.5 * g.length); }
  [[nodiscard]] double head() const { return g.length - g.platform; }
  [[nodiscard]] double back() const { return -0.5 * g.depth; }
  /// A box from s0 to s1 along the wall; z from the wall behind.
  void box(Sculptor& sculptor, const Frame& at, double s0, double s1, double y0, double y1,
           double z0, double z1) const {
    sculptor.box(at, {std::min(x(s0), x(s1)), y0, back() + z0},
                 {std::max(x(s0), x(s1)), y1, back() + z1});
  }
};

/// Posts, balusters and a handrail from a to b, both on the walking surface.
void railing(Sculptor& s, const Frame& at, const Vec3& a, const Vec3& b) {
  const Vec3 d = b - a;
  const double length = core::norm(d);
  const Vec3 up{0.0, kRailing, 0.0};
  const double between = kBetween * core::clamp_to(kAllBalusters / s.fullness(), 1.0, 5.0);
  const int balusters = std::max(1, static_cast<int>(length / between));
  for (int i = 0; i <= balusters; ++i) {
    const bool post = i == 0 || i == balusters;
    const Vec3 foot = a + (static_cast<double>(i) / balusters) * d;
    s.rod(at, foot, foot + up, post ? 0.022 : 0.008);
  }
  s.rod(at, a + up, b + up, 0.024);
}

}  // namespace

void stairs(Sculptor& s, const Frame& at, const Gallery& g) {
  const Along along(g);
  const double rise = g.height / kRisers;
  const double run = along.head() / (kRisers - 1);
  for (int i = 1; i < kRisers; ++i) {
    along.box(s, at, run * (i - 1) - (i > 1 ? 0.02 : 0.0), run * i, rise * i - kTread, rise * i,
              0.03, g.stairs - 0.03);
  }
  for (const double z : {0.01, g.stairs - 0.05}) {
    // A plank on edge, from the floor at the foot to the platform.
    s.lattice(at, 1, 1, 1, [&](int i, int j, int k) {
      const int end = g.side > 0.0 ? i : 1 - i;
      const double foot = end == 0 ? (j == 0 ? 0.16 : 0.0) : along.head();
      const double y = end == 0 ? (j == 0 ? 0.0 : 0.13) : g.height - (j == 0 ? 0.3 : 0.12);
      return Vec3{along.x(foot), y, along.back() + z + 0.04 * k};
    });
  }
}

void stairs_railing(Sculptor& s, const Frame& at, const Gallery& g) {
  const Along along(g);
  const double rise = g.height / kRisers;
  const double z = along.back() + g.stairs - 0.03;
  railing(s, at, {along.x(0.1), rise * 0.9, z}, {along.x(along.head() - 0.04), g.height, z});
}

void gallery(Sculptor& s, const Frame& at, const Gallery& g) {
  const Along along(g);
  along.box(s, at, along.head(), g.length, g.height - kGallerySlab, g.height, 0.0, g.depth);
  for (const double end : {along.head() + 0.06, g.length - 0.06}) {
    const Frame post = moved(at, {along.x(end), 0.0, along.back() + g.depth - 0.06});
    s.box(post, {-0.05, 0.0, -0.05}, {0.05, g.height - 0.05, 0.05});
  }
}

void gallery_railing(Sculptor& s, const Frame& at, const Gallery& g, bool outer) {
  const Along along(g);
  const double front = along.back() + g.depth - 0.04;
  const double head = along.x(along.head() + 0.04);
  const double far = along.x(g.length - 0.04);
  railing(s, at, {head, g.height, along.back() + g.stairs + 0.05}, {head, g.height, front});
  railing(s, at, {head + 0.05 * g.side, g.height, front}, {far, g.height, front});
  if (outer) {
    railing(s, at, {far, g.height, along.back() + 0.05}, {far, g.height, front - 0.06});
  }
}

}  // namespace tocsin::make
