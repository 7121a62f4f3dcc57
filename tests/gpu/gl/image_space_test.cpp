// The image-space answer (--no-certify) beside the exact one: it may say too much, never too late.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "support/scenes/random_scene.h"
#include "tocsin/detector.h"

namespace tocsin::image_space_test {
namespace {

using Pair = std::pair<std::int32_t, std::uint32_t>;

std::map<Pair, Contact> by_pair(const StepReport& report) {
  std::map<Pair, Contact> out;
  for (const Contact& contact : report.contacts)
    out[{contact.link, contact.room()->object}] = contact;
  return out;
}

struct Comparison {
  std::size_t exact = 0;
  std::size_t missed = 0;
  std::size_t late = 0;  ///< lo after the exact lo
  std::size_t extra = 0;
  std::size_t early_overlap = 0;  ///< exact lo 0 and lo 0
};

Comparison compare(const std::vector<StepReport>& exact, const std::vector<StepReport>& image) {
  Comparison out;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const auto want = by_pair(exact[i]);
    const auto got = by_pair(image[i]);
    out.exact += want.size();
    for (const auto& [pair, contact] : want) {
      const auto found = got.find(pair);
      if (found == got.end()) {
        ++out.missed;
        continue;
      }
      if (found->second.toc[0] > contact.toc[0]) ++out.late;
    }
    for (const auto& [pair, contact] : got) {
      if (!want.contains(pair)) ++out.extra;
      EXPECT_EQ(contact.status, ContactStatus::kGraze);
      EXPECT_EQ(contact.toc[1] - contact.toc[0], 1.0 / 512);
      EXPECT_GE(contact.toc[0], image[i].safe_until);
    }
  }
  return out;
}

std::vector<StepReport> reports_of(const Detector& detector, const test::RandomTake& take) {
  std::vector<StepReport> out;
  const auto steps = take.motion.steps().value();
  const Status ran = detector.run(take.avatar, steps, {}, [&out](const StepReport& report) {
    out.push_back(report);
    return true;
  });
  EXPECT_TRUE(ran.ok()) << ran.error().message;
  return out;
}

class ImageSpace : public testing::TestWithParam<GlMethod> {};

TEST_P(ImageSpace, SaysNothingTooLateAndMissesNothing) {
  Comparison total;
  std::size_t steps = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    test::RandomLinks random(seed);
    const Environment room = test::random_room(random, 6, 60, 2.5);
    const test::RandomTake take = test::random_take(random, 8, 12, 0.7, 0.3);
    const auto image =
        Detector::make(room, {.backend = Backend::kGl,
                              .gl = {.width = 32, .height = 32, .method = GetParam()},
                              .experiments = {.certify = false}});
    if (!image && std::getenv("TOCSIN_NEEDS_GL") == nullptr) GTEST_SKIP() << image.error().message;
    const auto exact = reports_of(Detector::make(room, {.backend = Backend::kCpu}).value(), take);
    const auto got = reports_of(*image, take);
    ASSERT_EQ(exact.size(), got.size());
    const Comparison c = compare(exact, got);
    total.exact += c.exact;
    total.missed += c.missed;
    total.late += c.late;
    total.extra += c.extra;
    steps += exact.size();
  }
  EXPECT_EQ(total.missed, 0U);
  EXPECT_EQ(total.late, 0U);
  EXPECT_GE(total.exact, 2 * steps) << "too few contacts to show anything";
  EXPECT_LE(total.extra, total.exact) << "more false pairs than true ones: it culls nothing";
  RecordProperty("contacts", static_cast<int>(total.exact));
  RecordProperty("false_pairs", static_cast<int>(total.extra));
}

INSTANTIATE_TEST_SUITE_P(Methods, ImageSpace, testing::Values(GlMethod::kFlags, GlMethod::kQuery),
                         [](const auto& which) {
                           return which.param == GlMethod::kFlags ? "flags" : "query";
                         });

}  // namespace
}  // namespace tocsin::image_space_test
