// Visibility alone, without certify behind it or rules before it: no cluster that meets the skin of
// a slab is culled, in adversarial scenes.
#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "cpu/tree/make_tree_culler.h"
#include "gpu/gl/gl_test.h"
#include "gpu/gl/visibility/kissing.h"
#include "support/scenes/adversarial.h"
#include "support/scenes/culled_share.h"

namespace tocsin::test::adversarial_skins_test {
namespace {

class AdversarialSkins : public GlTest {
 protected:
  /// What visibility makes of the slabs of a round of batches.
  CulledShare ask(int scenes, const gl::VisibilityOptions& options) {
    CulledShare out;
    const auto visibility = gl::Visibility::create(device(), options);
    EXPECT_TRUE(visibility.ok()) << visibility.error().message;
    if (!visibility) return out;
    for (std::uint64_t number = 0; number < kRound; ++number) {
      const AdversarialBatch batch = make_adversarial_batch(5, number, scenes);
      const Environment& room = batch.environment;
      const scene::Clusters clusters = cpu::make_tree_culler(room)->clusters(room);
      SlabQuestions questions(room, clusters);
      for (const Step& step : batch.steps) questions.add(batch.avatar, step);
      const CulledShare share =
          ask_and_count(**visibility, options, room, clusters, questions).value();
      if (options.raster != gl::Raster::kPlain) {
        EXPECT_EQ(share.lost, 0U) << "batch " << number;
      }
      out += share;
    }
    fmt::print("{}, {}, tiles of {} x {}: {}\n", (*visibility)->raster(),
               options.method == gl::Method::kFlags ? "flags" : "query", options.width,
               options.height, to_string(out));
    return out;
  }

  /// Kissing triangles: how many there were that meet their skin, and how many were lost.
  struct Kissed {
    std::uint64_t pairs = 0;
    std::uint64_t meeting = 0;
    std::uint64_t lost = 0;
  };
  Kissed kiss(int scenes, const gl::VisibilityOptions& options) {
    Kissed out;
    const auto visibility = gl::Visibility::create(device(), options);
    EXPECT_TRUE(visibility.ok()) << visibility.error().message;
    if (!visibility) return out;
    for (std::uint64_t number = 0; number < kRound; ++number) {
      const Kisses kisses =
          KissMaker(number).make(make_adversarial_batch(6, number, scenes), kKissesEach);
      const auto room = (*visibility)->upload(kisses.room, kisses.clusters);
      EXPECT_TRUE(room.ok()) << room.error().message;
      std::vector<gl::Seen> seen;
      gl::VisibilityCounters counters;
      const Status done = (*visibility)->test(**room, kisses.batch, seen, counters);
      EXPECT_TRUE(done.ok()) << done.error().message;
      for (std::size_t i = 0; i < seen.size(); ++i) {
        ++out.pairs;
        if (!kisses.meets[i]) continue;
        ++out.meeting;
        if (!gl::kept(seen[i])) ++out.lost;
      }
    }
    fmt::print("{} triangles that kiss; {} meet, {} of them lost\n", out.pairs, out.meeting,
               out.lost);
    return out;
  }

 private:
  static constexpr int kKissesEach = 8;
};

TEST_F(AdversarialSkins, LoseNothingThatMeetsThemByFlags) {
  const CulledShare fine = ask(60, {});
  EXPECT_GT(fine.meeting, 500U);
  EXPECT_GT(fine.share(), 0.5);
  const CulledShare coarse = ask(20, {.width = 16, .height = 16});
  EXPECT_GT(coarse.meeting, 200U);
  EXPECT_GT(ask(20, {.width = 97, .height = 24}).meeting, 200U);
}

TEST_F(AdversarialSkins, LoseNothingThatMeetsThemByQueries) {
  const CulledShare fine = ask(20, {.method = gl::Method::kQuery});
  EXPECT_GT(fine.meeting, 200U);
  EXPECT_GT(fine.share(), 0.5);
}

TEST_F(AdversarialSkins, LoseNothingThatKissesThem) {
  for (const gl::VisibilityOptions& options :
       {gl::VisibilityOptions{}, gl::VisibilityOptions{.width = 17, .height = 40}}) {
    const Kissed kissed = kiss(40, options);
    EXPECT_GT(kissed.meeting, 2000U);
    EXPECT_EQ(kissed.lost, 0U);
  }
}

// Or the scenes would not be hard.
TEST_F(AdversarialSkins, LoseALotByPixelCentres) {
  const CulledShare plain = ask(20, {.raster = gl::Raster::kPlain});
  EXPECT_GT(plain.meeting, 200U);
  EXPECT_GT(20 * plain.lost, plain.meeting);
}

}  // namespace
}  // namespace tocsin::test::adversarial_skins_test
