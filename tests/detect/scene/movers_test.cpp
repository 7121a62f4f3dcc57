// A moving body stays within its box.
#include "detect/scene/movers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "scene/instance/affine.h"
#include "support/scenes/random_link.h"

namespace tocsin::detect::movers_test {
namespace {

using test::RandomLinks;

core::Box box_at(const std::vector<Vec3f>& corners, const Transform& pose) {
  const scene::Affine at = scene::affine_of({pose.translation, pose.rotation}).value();
  core::Box out;
  for (const Vec3f& v : corners) out = core::join(out, core::box_of(at.place(v)));
  return out;
}

/// How far p is outside, metres; below 0: inside, by so much.
double outside(const core::Box& box, const Vec3& p) {
  return std::max({double{box.lo.x} - p.x, p.x - double{box.hi.x}, double{box.lo.y} - p.y,
                   p.y - double{box.hi.y}, double{box.lo.z} - p.z, p.z - double{box.hi.z}});
}

TEST(Movers, ABodyStaysWithinItsBox) {
  RandomLinks random(8);
  double tightest = -1e9;
  for (int i = 0; i < 4000; ++i) {
    std::vector<Vec3f> corners;
    double reach = 0.0;
    for (int k = 0; k < 6; ++k) {
      const Vec3 p = random.vector(0, 1.0);
      corners.push_back(
          {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
      reach = std::max(reach, core::norm(core::to_double(corners.back())));
    }
    Transform from;
    from.rotation = random.rotation(random.uniform(0, 3.1));
    from.translation = random.vector(0, i % 5 == 0 ? 1000.0 : 2.0);
    Transform to = from;
    const double most = i % 4 == 0 ? 3.14 : i % 4 == 1 ? 0.0 : 1.0;
    to.rotation = random.rotation(random.uniform(0, most)) * from.rotation;
    if (i % 3 == 0) to.rotation = {-to.rotation.w, -to.rotation.x, -to.rotation.y, -to.rotation.z};
    to.translation = from.translation + random.vector(0, i % 7 == 0 ? 10.0 : 0.5);
    const core::Box box = way_box(from, to, box_at(corners, from), box_at(corners, to), reach);
    for (const InBetween kind : {InBetween::kScrew, InBetween::kTranslateRotate}) {
      for (int step = 0; step <= 32; ++step) {
        const Transform pose =
            pose_between(std::vector{from}, std::vector{to}, kind, step / 32.0).front();
        for (const Vec3f& v : corners) {
          const Vec3 p = pose.translation + core::rotate(pose.rotation, core::to_double(v));
          const double out = outside(box, p);
          EXPECT_LE(out, 0.0);
          if (most == 0.0) tightest = std::max(tightest, out);
        }
      }
    }
  }
  // Bodies that do not turn fill theirs.
  EXPECT_GT(tightest, -0.01);
}

}  // namespace
}  // namespace tocsin::detect::movers_test
