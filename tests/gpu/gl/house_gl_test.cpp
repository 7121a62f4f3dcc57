// The recorded takes in the furnished house: OpenGL finds the CPU's contacts, bit for bit.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "io/report/report.h"
#include "support/data.h"
#include "tocsin/detector.h"
#include "tocsin/io.h"

namespace tocsin::test::house_gl_test {
namespace {

/// A take at a place in the house.
struct Case {
  const char* motion;
  Placement place;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases{
      {"motions/cmu_bvh/01_01.bvh", {{2.7, 0, 0}, 0}},
      {"motions/cmu_bvh/01_01.bvh", {{5.4, 0.03, -4}, 0}},
      {"motions/cmu_bvh/01_01.bvh", {{0, 0, 0}, 0}},
      {"motions/cmu_bvh/01_01.bvh", {{1.0, 0, 1.3}, 0}},
      {"motions/cmu_bvh/01_01.bvh", {{-1, 0, -1}, 0}},
      {"motions/cmu/02_01.amc", {{1.0, 0, 1.3}, 0}},
      {"motions/cmu/02_03.amc", {{-0.1, 0, 1.3}, 90}},
      {"motions/cmu/02_05.amc", {{-6.9, 0, 2.15}, 180}},
      {"motions/cmu/02_04.amc", {{7.25, 0, 1.75}, 0}},
      {"motions/cmu/02_07.amc", {{7.3, 0, 0.95}, 0}},
      {"motions/cmu/02_03.amc", {{-4.3, 0, -0.3}, 0}},
      {"motions/cmu/01_01.amc", {{5.4, 0.03, -4}, 0}},
      {"motions/cmu/03_01.amc", {{1.0, 0, 1.3}, 0}},
      {"motions/cmu/03_02.amc", {{-0.1, 0, 1.3}, 90}},
      {"motions/cmu/03_03.amc", {{-1, 0, -1}, 0}},
  };
  return kCases;
}

struct Outcome {
  std::string hash;
  std::int64_t contacts = 0;
};

Outcome run(const Detector& detector, const Avatar& avatar, const StepList& steps) {
  std::vector<std::string> links;
  for (const Link& link : avatar.links()) links.push_back(link.name);
  std::vector<std::string> objects;
  for (const Object& object : detector.environment().objects()) objects.push_back(object.name);
  io::ReportWriter writer(links, objects, [](std::string_view) { return true; });
  std::size_t next = 0;
  const Status ran = detector.run(avatar, steps, {}, [&](const StepReport& report) {
    return writer.step(steps[next++], report);
  });
  EXPECT_TRUE(ran.ok()) << ran.error().message;
  return {writer.hash(), writer.tally().contacts};
}

/// Every stride-th frame of all takes at all places, through one device.
void compare(std::int64_t stride) {
  TOCSIN_NEEDS_DATA("motions/cmu_bvh/01_01.bvh");
  TOCSIN_NEEDS_DATA("motions/cmu/02_01.amc");
  TOCSIN_NEEDS_DATA("environments/small_house.obj");
  const Environment house = load_environment(data_path("environments/small_house.obj")).value();
  const auto on_gl = Detector::make(house, {.backend = Backend::kGl});
  if (!on_gl && std::getenv("TOCSIN_NEEDS_GL") == nullptr) GTEST_SKIP() << on_gl.error().message;
  const Detector& gl = *on_gl;
  const Detector cpu = Detector::make(house, {.backend = Backend::kCpu}).value();
  std::int64_t contacts = 0;
  for (const Case& c : cases()) {
    const Motion placed = load_motion(data_path(c.motion)).value().placed(c.place).value();
    const Avatar avatar = Avatar::bind(*load_avatar_model("humanoid16"), placed.skeleton()).value();
    const StepList steps = placed.steps({1, placed.frame_count() - 1, stride}).value();
    const Outcome want = run(cpu, avatar, steps);
    const Outcome got = run(gl, avatar, steps);
    EXPECT_EQ(got.hash, want.hash) << c.motion;
    EXPECT_EQ(got.contacts, want.contacts) << c.motion;
    contacts += want.contacts;
    std::printf("%s at %g,%g,%g stride %d: %d contacts, %s\n", c.motion, c.place.translation.x,
                c.place.translation.y, c.place.translation.z, static_cast<int>(stride),
                static_cast<int>(got.contacts), got.hash.c_str());
  }
  EXPECT_GE(contacts, 100);
}

#ifdef TOCSIN_EVERY_TAKE_AT_10_HZ  // the full tier; minutes on llvmpipe
TEST(HouseOnGl, EveryTwelfthFrame) { compare(12); }
#else
TEST(HouseOnGl, FewSteps) { compare(96); }
#endif

}  // namespace
}  // namespace tocsin::test::house_gl_test
