#include "app/verify/verify_steps.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include "app/cli/progress.h"
#include "oracle/solid_claims.h"
#include "oracle/verify_meeting.h"

namespace tocsin::app {
namespace {

/// SplitMix64 (Steele, Lea and Flood 2014): small, and the same on every machine.
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

void append(std::vector<std::string>& to, std::vector<std::string>&& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

std::vector<std::size_t> sample_steps(std::size_t total, std::size_t count, std::uint64_t seed) {
  // Knuth's selection sampling: each left is taken with the share still needed.
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < total && out.size() < count; ++i) {
    const std::uint64_t left = total - i;
    if (next_random(seed) % left < count - out.size()) out.push_back(i);
  }
  return out;
}

std::vector<Moment> moments_of(const std::vector<RerunStep>& steps) {
  std::vector<Moment> out;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    // The next avatar's step of the same index; of one avatar two steps may have one index.
    const bool same = i > 0 && steps[i].avatar > steps[i - 1].avatar &&
                      steps[i].step->index() == steps[i - 1].step->index();
    if (!same) out.push_back({i, 0});
    ++out.back().count;
  }
  return out;
}

Result<Confirmation> confirm_moments(const Job& job, const std::vector<RerunStep>& steps,
                                     const std::vector<Moment>& moments,
                                     const std::stop_token& stop) {
  oracle::MeetingOptions options;
  options.margin = job.options.spec.margin;
  options.contacts_first = job.options.spec.contacts == Contacts::kFirst;
  options.meet = job.several();
  const oracle::SolidClaims solids(job.environment, job.detector.surfaces);
  options.solids = &solids;
  std::vector<Member> members;
  for (const JobTake& take : job.takes) members.push_back(take.member);
  const auto ask = [&](const Moment& moment) {
    std::vector<oracle::MemberClaim> claims;
    for (std::size_t i = moment.first; i < moment.first + moment.count; ++i) {
      const RerunStep& step = steps[i];
      claims.push_back(
          {step.avatar, &members[static_cast<std::size_t>(step.avatar)], step.step, step.contacts});
    }
    return oracle::verify_meeting(claims, job.environment, options);
  };

  std::vector<oracle::StepVerdict> verdicts(moments.size());
  Progress progress("confirming", static_cast<std::int64_t>(moments.size()));
  std::mutex progress_mutex;
  tbb::task_arena arena(job.options.threads);
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, moments.size(), [&](std::size_t i) {
      if (stop.stop_requested()) return;
      verdicts[i] = ask(moments[i]);
      const std::lock_guard lock(progress_mutex);
      progress.step();
    });
  });
  if (stop.stop_requested()) return {ErrorCode::kCancelled, "interrupted"};

  Confirmation out;
  out.moments = moments.size();
  for (oracle::StepVerdict& verdict : verdicts) {
    const std::uint64_t pairs = verdict.pairs + verdict.link_pairs;
    out.contacts += verdict.contacts;
    out.free_pairs += pairs - std::min(pairs, verdict.contacts);
    out.undecided += verdict.undecided;
    append(out.refutations, std::move(verdict.refutations));
    append(out.doubts, std::move(verdict.doubts));
  }
  return out;
}

}  // namespace tocsin::app
