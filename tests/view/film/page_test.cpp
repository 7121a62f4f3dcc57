// What a page of a report is made of: samples, the near part of a room, base64, the page's text.
#include "view/report/page.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <random>

#include "view/colours.h"
#include "view/film/fine_parts.h"
#include "view/report/base64.h"
#include "view/report/near_room.h"
#include "view/report/page_scene.h"

namespace tocsin::view::page_test {
namespace {

TEST(Base64, IsThatOfTheRfc) {
  // RFC 4648, section 10.
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xFF\xFE\xFD"), "//79");
}

/// An arm of length 1 that turns by `angle` about z in a step; its end is on a circle.
Motion turning(double angle) {
  auto skeleton = Skeleton::create({{"arm", -1, {}}});
  const Quat to{std::cos(0.5 * angle), 0.0, 0.0, std::sin(0.5 * angle)};
  auto out = Motion::create(std::move(skeleton).value(), 0.1, {{}, {to, {}}});
  EXPECT_TRUE(out.ok());
  return std::move(out).value();
}

// One palette: what the style sheet says is what pictures, and the window, are drawn with.
TEST(PageColours, AreThoseOfTheWindow) {
  const auto hex = [](const Colour& c) {
    const auto byte = [](float v) { return static_cast<int>(std::lround(255.0F * v)); };
    std::array<char, 8> out{};
    std::snprintf(out.data(), out.size(), "#%02x%02x%02x", byte(c.r), byte(c.g), byte(c.b));
    return std::string(out.data());
  };
  const auto files = page_files();
  const auto style = std::find_if(files.begin(), files.end(),
                                  [](const PageFile& file) { return file.name == "page.css"; });
  ASSERT_NE(style, files.end());
  const std::string scene = page_scene(Film(), {}).json;
  for (const auto& [name, status] :
       {std::pair{"hit", ContactStatus::kHit}, std::pair{"overlap", ContactStatus::kOverlap},
        std::pair{"graze", ContactStatus::kGraze}}) {
    const std::string colour = hex(kind_colour(status));
    EXPECT_NE(style->text.find("--" + std::string(name) + ": " + colour + ";"), std::string::npos)
        << name;
    EXPECT_NE(scene.find("\"" + std::string(name) + "\":\"" + colour + "\""), std::string::npos)
        << name << " in " << scene;
  }
  EXPECT_NE(style->text.find("--clearance: " + hex(kClearanceColour) + ";"), std::string::npos);
}

TEST(FineParts, AnEvenTurnAboutTheJointNeedsNone) {
  const Motion motion = turning(1.0);
  const auto avatar = Avatar::create("arm", motion.skeleton(), {{"arm", 0, {}, {1, 0, 0}, 0.1}});
  const auto steps = motion.steps();
  const auto [parts, deviation] = parts_within(*avatar, steps->front(), 1e-6, 1, 64);
  EXPECT_EQ(parts, 1);
  EXPECT_LT(deviation, 1e-12);
}

TEST(FineParts, AChainNeedsAsManyAsItsArcsAsk) {
  // A joint at the end of a turning arm goes along a circle: the middle of a chord of angle a is
  // 1 - cos(a / 2) from it.
  constexpr double kAngle = 1.0;
  auto skeleton = Skeleton::create({{"arm", -1, {}}, {"hand", 0, {{}, {1, 0, 0}}}});
  const Quat to{std::cos(0.5 * kAngle), 0.0, 0.0, std::sin(0.5 * kAngle)};
  auto motion = Motion::create(std::move(skeleton).value(), 0.1,
                               {{}, {{}, {1, 0, 0}}, {to, {}}, {{}, {1, 0, 0}}});
  ASSERT_TRUE(motion.ok());
  const auto avatar = Avatar::create("arm", motion->skeleton(), {{"hand", 1, {}, {}, 0.1}});
  const auto steps = motion->steps();
  for (const std::int64_t n : {1, 2, 4, 8, 16}) {
    const double sagitta = 1.0 - std::cos(0.5 * kAngle / static_cast<double>(n));
    const auto found = parts_within(*avatar, steps->front(), 1.01 * sagitta, 1, 64);
    EXPECT_EQ(found.parts, n);
    EXPECT_NEAR(found.deviation, sagitta, 1e-9);
  }
  EXPECT_EQ(parts_within(*avatar, steps->front(), 0.0, 1, 8).parts, 8);
  EXPECT_EQ(parts_within(*avatar, steps->front(), 1.0, 4, 8).parts, 4);
}

/// Small triangles along x, one a metre; every third is object "b".
Environment row(int count) {
  ObjectMesh a{"a", {}, {}};
  ObjectMesh b{"b", {}, {}};
  for (int i = 0; i < count; ++i) {
    ObjectMesh& mesh = i % 3 == 0 ? b : a;
    const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
    const auto x = static_cast<float>(i);
    for (const Vec3f& v : {Vec3f{x, 0, 0}, Vec3f{x + 0.1F, 0, 0}, Vec3f{x, 0.1F, 0}}) {
      mesh.vertices.push_back(v);
    }
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  auto out = Environment::create({a, b});
  EXPECT_TRUE(out.ok());
  return std::move(out).value();
}

TEST(NearRoom, ASmallOneIsWhole) {
  const NearRoom near = near_room(row(9), {}, {}, 9);
  EXPECT_EQ(near.triangles, 9U);
  EXPECT_EQ(near.left_out, 0U);
  EXPECT_TRUE(std::isinf(near.within));
  ASSERT_EQ(near.objects.size(), 2U);
  EXPECT_EQ(near.objects[0].triangles.size(), 6U);
  EXPECT_EQ(near.objects[1].vertices.size(), 9U);
}

TEST(NearRoom, OfALargeOneWhatIsNearIsKeptAndWhatIsTouched) {
  const Environment room = row(30);
  const Vec3 place{10.0, 0.0, 0.0};
  // Objects come one after the other: the last triangle is that at x = 27, of b.
  const std::vector<std::uint32_t> touched{29};
  const NearRoom near = near_room(room, {&place, 1}, touched, 7);
  EXPECT_LE(near.triangles, 8U);
  EXPECT_GE(near.triangles, 4U);
  EXPECT_EQ(near.left_out, 30 - near.triangles);
  bool far = false;
  for (const ObjectMesh& mesh : near.objects) {
    for (const TriangleIndices& t : mesh.triangles) {
      const double x = mesh.vertices.at(t[0]).x;
      ASSERT_LT(std::max({t[0], t[1], t[2]}), mesh.vertices.size());
      if (x > 26.5 && x < 27.5) {
        far = true;
      } else {
        EXPECT_LT(std::fabs(x - 10.0), near.within + 0.2);
      }
    }
    EXPECT_EQ(mesh.vertices.size(), 3 * mesh.triangles.size());
  }
  EXPECT_TRUE(far);
  // All that is nearer is there.
  std::size_t nearer = 0;
  for (int i = 0; i < 30; ++i) nearer += std::fabs(i - 10.0) + 0.1 < near.within ? 1 : 0;
  EXPECT_GE(near.triangles, nearer);
  EXPECT_GT(nearer, 3U);
}

TEST(ReportPage, DataCannotLeaveItsElement) {
  const std::string page = report_page("<T>&\"", R"({"name":"</script><!--<script>"})", "");
  EXPECT_EQ(page.find("</script><!--"), std::string::npos);
  EXPECT_NE(page.find(R"({"name":"\u003c/script>\u003c!--\u003cscript>"})"), std::string::npos);
  EXPECT_NE(page.find("<title>&lt;T&gt;&amp;&quot; - Tocsin</title>"), std::string::npos);
  EXPECT_NE(page.find("id=\"tocsin-scene\">null</script>"), std::string::npos);
  EXPECT_EQ(page.find("{{"), std::string::npos) << page.substr(page.find("{{"), 40);
}

TEST(ReportPage, ThreeIsThereOnlyWithAScene) {
  const std::string plain = report_page("t", "{}", "");
  EXPECT_LT(plain.size(), 100'000U);
  if (!has_three()) GTEST_SKIP() << "built without three.js";
  EXPECT_GT(report_page("t", "{}", "{}").size(), 500'000U);
}

TEST(ReportPage, AnIndexHasItsScripts) {
  const std::string page = index_page("shoot", "{\"takes\":[]}");
  EXPECT_NE(page.find("{\"takes\":[]}"), std::string::npos);
  EXPECT_NE(page.find("WITH CONTACT"), std::string::npos);
}

}  // namespace
}  // namespace tocsin::view::page_test
