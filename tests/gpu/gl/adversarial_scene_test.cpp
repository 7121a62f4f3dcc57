// The adversarial scenes are what they say: of every kind, a fair share touches and a fair share
// nearly does; and the CPU's answers about them are right.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "oracle/verify_step.h"
#include "support/scenes/adversarial.h"
#include "tocsin/detector.h"

namespace tocsin::test::adversarial_scene_test {
namespace {

struct Count {
  int scenes = 0;
  int touched = 0;      ///< the link the object that the scene is about
  int overlapping = 0;  ///< of these, already at t = 0
  int grazing = 0;
  int near = 0;  ///< missed by less than two pixels
};

class Counting {
 public:
  void add(const AdversarialScene& scene, const StepReport& report) {
    Count& count = counts_[static_cast<std::size_t>(scene.kind)];
    ++count.scenes;
    const auto found = std::find_if(
        report.contacts.begin(), report.contacts.end(),
        [&](const Contact& c) { return c.link == scene.link && c.room()->object == scene.object; });
    if (found == report.contacts.end()) {
      if (scene.gap < 2.0 * scene.pixel) ++count.near;
      return;
    }
    ++count.touched;
    if (found->status == ContactStatus::kOverlap) ++count.overlapping;
    if (found->status == ContactStatus::kGraze) ++count.grazing;
  }

  void print() const {
    fmt::print("{:<12}{:>8}{:>10}{:>10}{:>8}{:>8}\n", "kind", "scenes", "touched", "at start",
               "graze", "near");
    for (int i = 0; i < kAdversities; ++i) {
      const Count& c = counts_[static_cast<std::size_t>(i)];
      fmt::print("{:<12}{:>8}{:>10}{:>10}{:>8}{:>8}\n", name_of(static_cast<Adversity>(i)),
                 c.scenes, c.touched, c.overlapping, c.grazing, c.near);
    }
  }

  /// Of every kind at least 30 % touch, not more than 75 %, and at least 20 % nearly do.
  void expect_fair(int least_scenes) const {
    for (int i = 0; i < kAdversities; ++i) {
      const Count& c = counts_[static_cast<std::size_t>(i)];
      const std::string name(name_of(static_cast<Adversity>(i)));
      EXPECT_GE(c.scenes, least_scenes) << name;
      EXPECT_GE(10 * c.touched, 3 * c.scenes) << name;
      EXPECT_LE(20 * c.touched, 15 * c.scenes) << name;
      EXPECT_GE(10 * c.near, 2 * c.scenes) << name;
    }
  }

 private:
  std::array<Count, kAdversities> counts_{};
};

std::vector<StepReport> reports_of(const AdversarialBatch& batch) {
  const Detector detector = Detector::make(batch.environment, {.backend = Backend::kCpu}).value();
  std::vector<StepReport> out;
  const Status done = detector.run(batch.avatar, batch.steps, {}, [&](const StepReport& report) {
    out.push_back(report);
    return true;
  });
  EXPECT_TRUE(done.ok()) << done.error().message;
  return out;
}

TEST(AdversarialScenes, TouchAndNearlyTouchInFairShares) {
  Counting counting;
  for (std::uint64_t number = 0; number < kRound; ++number) {
    const AdversarialBatch batch = make_adversarial_batch(1, number, 200);
    const std::vector<StepReport> reports = reports_of(batch);
    ASSERT_EQ(reports.size(), batch.scenes.size());
    for (std::size_t i = 0; i < reports.size(); ++i) counting.add(batch.scenes[i], reports[i]);
  }
  counting.print();
  counting.expect_fair(50);
}

TEST(AdversarialScenes, TheOracleConfirmsTheCpu) {
  std::uint64_t contacts = 0;
  std::size_t doubts = 0;
  for (std::uint64_t number = 0; number < kRound; ++number) {
    const AdversarialBatch batch = make_adversarial_batch(2, number, 24);
    const std::vector<StepReport> reports = reports_of(batch);
    ASSERT_EQ(reports.size(), batch.scenes.size());
    for (std::size_t i = 0; i < reports.size(); ++i) {
      const oracle::StepVerdict verdict = oracle::verify_step(
          batch.avatar, batch.steps[i], batch.environment, {}, reports[i].contacts);
      for (const std::string& sentence : verdict.refutations) {
        ADD_FAILURE() << name_of(batch.scenes[i].kind) << ", batch " << number << ", scene " << i
                      << ": " << sentence;
      }
      contacts += verdict.contacts;
      doubts += verdict.doubts.size();
    }
  }
  fmt::print("{} contacts, {} doubts\n", contacts, doubts);
  EXPECT_GT(contacts, 100U);
  EXPECT_LT(doubts, 5U);
}

}  // namespace
}  // namespace tocsin::test::adversarial_scene_test
