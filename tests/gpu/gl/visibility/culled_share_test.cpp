// Visibility is a real culler: of the pairs of slab and cluster that boxes leave and that lie more
// than two pixels apart, it culls at least half. Prints the shares.
#include "support/scenes/culled_share.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "cpu/tree/make_tree_culler.h"
#include "gpu/gl/gl_test.h"
#include "make/make.h"
#include "support/data.h"
#include "support/places.h"
#include "tocsin/io.h"

namespace tocsin::test::culled_share_test {
namespace {

constexpr double kLeastShare = 0.5;

class CulledShares : public GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (device() == nullptr) return;
    auto made = gl::Visibility::create(device(), kOptions);
    ASSERT_TRUE(made.ok()) << made.error().message;
    visibility_ = std::move(made).value();
  }
  void TearDown() override {
    visibility_.reset();
    GlTest::TearDown();
  }

  /// A room in clusters.
  struct Room {
    explicit Room(Environment e)
        : environment(std::move(e)),
          clusters(cpu::make_tree_culler(environment)->clusters(environment)) {}
    Environment environment;
    scene::Clusters clusters;
  };

  /// The shares of a take in a room; printed.
  CulledShare share_of(const std::string& name, const Room& room, const Motion& take,
                       const StepRange& range) {
    const Avatar avatar = choose_avatar(take.skeleton()).value();
    const StepList steps = take.steps(range).value();
    SlabQuestions questions(room.environment, room.clusters);
    for (const Step& step : steps) questions.add(avatar, step);
    const CulledShare share =
        ask_and_count(*visibility_, kOptions, room.environment, room.clusters, questions).value();
    fmt::print("{}, {} steps: {}\n", name, steps.size(), to_string(share));
    return share;
  }

  /// `least_drawn`: pairs apart that boxes of triangles do not see; or a share of nothing is good.
  static void expect_good(const CulledShare& share, std::uint64_t least_drawn) {
    EXPECT_EQ(share.lost, 0U);
    EXPECT_GT(share.apart, 100U);
    EXPECT_GE(share.apart - share.empty, least_drawn);
    EXPECT_GE(share.share(), kLeastShare);
    EXPECT_GE(share.share_drawn(), kLeastShare);
    EXPECT_GE(share.culled, share.culled_one_sided);
  }

 private:
  static constexpr gl::VisibilityOptions kOptions{.all_views = true};
  std::unique_ptr<gl::Visibility> visibility_;
};

TEST_F(CulledShares, OfTheDemoAreHalfOrMore) {
  const std::string root = source_dir();
  const Room room(load_environment(root + "/environments/music_room.obj").value());
  const Motion take = load_motion(root + "/motions/walk_and_reach.bvh").value();
  expect_good(share_of("demo", room, take, {.stride = 4}), 5);
}

TEST_F(CulledShares, OfAMadeHouseAreHalfOrMore) {
  const Room room(make_room({.triangles = 100'000}).value());
  const Motion walk = make_motion({.seconds = 4.0}).value();
  const Motion wheel = make_motion({.kind = Performance::kCartwheel, .seconds = 4.0}).value();
  CulledShare all =
      share_of("made house, walk", room, *walk.placed({{-4.0, 0.03, -2.5}, 0.0}), {.stride = 120});
  all += share_of("made house, cartwheel", room, *wheel.placed({{-4.0, 0.03, -2.5}, 0.0}),
                  {.stride = 48});
  expect_good(all, 100);
}

TEST_F(CulledShares, OfRecordedTakesInTheHouseAreHalfOrMore) {
  TOCSIN_NEEDS_DATA("environments/small_house.obj");
  TOCSIN_NEEDS_DATA("motions/cmu_bvh/01_01.bvh");
  TOCSIN_NEEDS_DATA("motions/cmu/01_01.amc");
  const Room room(load_environment(data_path("environments/small_house.obj")).value());
  CulledShare all;
  for (const std::string name :
       {"cmu_bvh/01_01.bvh", "cmu/01_01.amc", "cmu/02_01.amc", "cmu/02_04.amc", "cmu/03_03.amc"}) {
    const Motion take = load_motion(data_path("motions/" + name)).value();
    all +=
        share_of(name, room, *take.placed({{5.4, 0.03, -4.0}, 0.0}), {.first = 1, .stride = 180});
  }
  expect_good(all, 100);
}

}  // namespace
}  // namespace tocsin::test::culled_share_test
