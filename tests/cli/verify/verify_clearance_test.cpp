// `tocsin verify` of a report with --clearance: the oracle finds a clearance that is too large,
// also where the check itself says it.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "app/check/load_job.h"
#include "app/verify/verify_report.h"
#include "app/verify/verify_steps.h"
#include "support/contains.h"
#include "support/places.h"

namespace tocsin::app::verify_clearance_test {
namespace {

using test::contains;

/// The shipped take by the music stand, the frames about the contact.
Job clearance_job(bool self) {
  CheckOptions options;
  options.takes[0].motion = test::source_dir() + "/motions/walk_and_reach.bvh";
  options.takes[0].frames.first = 100;
  options.takes[0].frames.last = 108;
  options.environments = {test::source_dir() + "/environments/music_room.obj"};
  options.spec.clearance = true;
  options.spec.self = self;
  options.backend = Backend::kCpu;
  return load_job(options).value();
}

std::vector<RerunStep> steps_of(const Job& job) {
  const Detector detector = Detector::make(job.environment, job.detector).value();
  return rerun_check(job, detector, true, {}).value().steps;
}

Confirmation confirm(const Job& job, const std::vector<RerunStep>& steps) {
  return confirm_moments(job, {}, steps, moments_of(steps), {}).value();
}

TEST(VerifyClearance, ConfirmsWhatTheCheckSays) {
  for (const bool self : {false, true}) {
    const Job job = clearance_job(self);
    const Confirmation confirmation = confirm(job, steps_of(job));
    EXPECT_TRUE(confirmation.refutations.empty()) << confirmation.refutations.front();
    EXPECT_EQ(confirmation.undecided, 0U);
    EXPECT_EQ(confirmation.clearances, 8U * 16U);
  }
}

TEST(VerifyClearance, FindsEveryOneThatIsTooLarge) {
  for (const bool self : {false, true}) {
    const Job job = clearance_job(self);
    const std::vector<RerunStep> steps = steps_of(job);
    const std::span<const Link> links = job.takes[0].member.avatar.links();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      // What was proved is within 1 mm or 1% of the truth (docs/exact.md, "Clearance").
      const std::size_t link = (5 * i) % links.size();
      std::vector<RerunStep> changed = steps;
      double& metres = changed[i].clearances[link];
      metres = std::max(metres + 1e-3, metres / 0.99) + 1e-6;
      const Confirmation confirmation = confirm(job, changed);
      EXPECT_FALSE(confirmation.refutations.empty()) << links[link].name;
      for (const std::string& one : confirmation.refutations) {
        EXPECT_TRUE(one.starts_with("step " + std::to_string(100 + i) + ": ")) << one;
        EXPECT_TRUE(contains(one, " m is reported for " + links[link].name + ", but at t = "))
            << one;
      }
    }
  }
}

}  // namespace
}  // namespace tocsin::app::verify_clearance_test
