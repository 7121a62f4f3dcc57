#include "app/verify_steps.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include "app/progress.h"
#include "oracle/verify_step.h"

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

Result<Confirmation> confirm_steps(const Job& job,
                                   const std::vector<std::vector<Contact>>& contacts,
                                   const std::vector<std::size_t>& steps,
                                   const std::stop_token& stop) {
  oracle::VerifyOptions options;
  options.margin = job.options.margin;
  options.contacts_first = job.options.contacts == Contacts::kFirst;
  options.active = &job.active;

  std::vector<oracle::StepVerdict> verdicts(steps.size());
  Progress progress("confirming", static_cast<std::int64_t>(steps.size()));
  std::mutex progress_mutex;
  tbb::task_arena arena(job.options.threads);
  arena.execute([&] {
    tbb::parallel_for(std::size_t{0}, steps.size(), [&](std::size_t i) {
      if (stop.stop_requested()) return;
      const std::size_t step = steps[i];
      verdicts[i] = oracle::verify_step(job.avatar, job.steps[step], job.environment, options,
                                        contacts[step]);
      const std::lock_guard lock(progress_mutex);
      progress.step();
    });
  });
  if (stop.stop_requested()) return {ErrorCode::kCancelled, "interrupted"};

  Confirmation out;
  out.steps = steps.size();
  for (oracle::StepVerdict& verdict : verdicts) {
    out.contacts += verdict.contacts;
    out.free_pairs += verdict.pairs - std::min(verdict.pairs, verdict.contacts);
    out.undecided += verdict.undecided;
    append(out.refutations, std::move(verdict.refutations));
    append(out.doubts, std::move(verdict.doubts));
  }
  return out;
}

}  // namespace tocsin::app
