// `tocsin verify` of a report with --near: the oracle finds what the check with grown links missed.
#include <gtest/gtest.h>

#include <algorithm>
#include <stop_token>

#include "app/check/load_job.h"
#include "app/verify/verify_report.h"
#include "app/verify/verify_steps.h"
#include "support/places.h"

namespace tocsin::app::verify_near_test {
namespace {

/// The shipped take by the music stand, the frames about the contact.
Job near_job(bool self) {
  CheckOptions options;
  options.takes[0].motion = test::source_dir() + "/motions/walk_and_reach.bvh";
  options.takes[0].frames.first = 95;
  options.takes[0].frames.last = 110;
  options.environments = {test::source_dir() + "/environments/music_room.obj"};
  options.near = 0.1;
  options.spec.self = self;
  options.backend = Backend::kCpu;
  return load_job(options).value();
}

Rerun rerun_of(const Job& job) {
  const Detector detector = Detector::make(job.environment, job.detector).value();
  return rerun_check(job, detector, true, {}).value();
}

Confirmation confirm(const Job& job, const GrownRerun& grown) {
  const bool of_links = grown.check.of_links;
  return confirm_moments(job, {grown.check.margin, !of_links, of_links}, grown.steps,
                         moments_of(grown.steps), {})
      .value();
}

TEST(VerifyNear, ConfirmsTheChecksWithGrownLinks) {
  const Job job = near_job(true);
  const Rerun rerun = rerun_of(job);
  ASSERT_EQ(rerun.grown.size(), 2U);
  EXPECT_FALSE(rerun.grown[0].check.of_links);
  EXPECT_DOUBLE_EQ(rerun.grown[0].check.margin, 0.1);
  EXPECT_TRUE(rerun.grown[1].check.of_links);
  EXPECT_DOUBLE_EQ(rerun.grown[1].check.margin, 0.05);
  for (const GrownRerun& grown : rerun.grown) {
    const Confirmation confirmation = confirm(job, grown);
    EXPECT_TRUE(confirmation.refutations.empty()) << confirmation.refutations.front();
    EXPECT_EQ(confirmation.moments, 15U);
    EXPECT_GE(confirmation.contacts, 15U);
    EXPECT_GE(confirmation.free_pairs, 15U);
  }
}

TEST(VerifyNear, FindsAPairThatWasMissed) {
  const Job job = near_job(true);
  for (GrownRerun grown : rerun_of(job).grown) {
    SCOPED_TRACE(grown.check.of_links);
    // One pair of one step is lost, as if the check had not found it.
    const auto is_asked = [&](const Contact& one) {
      return (one.other() != nullptr) == grown.check.of_links;
    };
    const auto step = std::find_if(grown.steps.begin(), grown.steps.end(), [&](const RerunStep& s) {
      return std::any_of(s.contacts.begin(), s.contacts.end(), is_asked);
    });
    ASSERT_NE(step, grown.steps.end());
    step->contacts.erase(std::find_if(step->contacts.begin(), step->contacts.end(), is_asked));
    EXPECT_FALSE(confirm(job, grown).refutations.empty());
  }
}

}  // namespace
}  // namespace tocsin::app::verify_near_test
