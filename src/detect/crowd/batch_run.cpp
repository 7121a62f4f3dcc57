// Whole motions of several avatars on one time line.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "detect/backends/detector_core.h"
#include "detect/crowd/batch_size.h"
#include "detect/crowd/crowd_check.h"
#include "detect/step/threads.h"

namespace tocsin {

namespace {

using detect::CrowdCheck;
using detect::CrowdOptions;
using detect::Presence;
using detect::Question;

/// Instants that follow each other and are one thread's: they share poses.
constexpr std::size_t kInstantStretch = 16;
/// Instants per thread below which its avatars are spread over the threads instead.
constexpr std::size_t kLeastInstants = 4;
/// Avatars whose motions are kept at once by all threads together, each some 30 kB: above it one
/// instant is checked at a time.
constexpr std::size_t kMostKept = 4096;

/// Instants that are checked before their reports are handed on.
class Block {
 public:
  explicit Block(std::span<const StepList> steps) : steps_(steps), next_(steps.size(), 0) {}

  /// Takes the instants that come next, at least one, with `wanted` steps or a little more. False:
  /// there is none left.
  bool take(std::size_t wanted) {
    present_.clear();
    begin_.assign(1, 0);
    while (present_.size() < wanted && take_instant()) begin_.push_back(present_.size());
    reports_.clear();
    reports_.resize(present_.size());
    return !present_.empty();
  }

  [[nodiscard]] std::size_t instants() const { return begin_.size() - 1; }
  [[nodiscard]] std::size_t size() const { return present_.size(); }
  [[nodiscard]] std::span<const Presence> present(std::size_t instant) const {
    return std::span(present_).subspan(begin_[instant], begin_[instant + 1] - begin_[instant]);
  }
  [[nodiscard]] std::span<StepReport> reports(std::size_t instant) {
    return std::span(reports_).subspan(begin_[instant], begin_[instant + 1] - begin_[instant]);
  }
  [[nodiscard]] std::span<StepReport> reports() { return reports_; }

 private:
  bool take_instant() {
    std::optional<std::int64_t> now;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (next_[i] == steps_[i].size()) continue;
      const std::int64_t index = steps_[i][next_[i]].index();
      now = now ? std::min(*now, index) : index;
    }
    for (std::size_t i = 0; now && i < steps_.size(); ++i) {
      if (next_[i] == steps_[i].size() || steps_[i][next_[i]].index() != *now) continue;
      present_.push_back({i, &steps_[i][next_[i]++]});
    }
    return now.has_value();
  }

  std::span<const StepList> steps_;
  std::vector<std::size_t> next_;  ///< per member, of the step that follows the block
  std::vector<Presence> present_;
  std::vector<std::size_t> begin_;  ///< per instant its first place in present_, and the end
  std::vector<StepReport> reports_;
};

/// What avatars' steps share from instant to instant, for as many threads as ask at once.
class Crowds {
 public:
  Crowds(const detail::DetectorCore& core, std::span<const Member> members)
      : core_(core), members_(members) {}

  /// One that no other thread has, until it is given back.
  std::unique_ptr<CrowdCheck> take() {
    const std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<CrowdCheck>(core_, members_);
    std::unique_ptr<CrowdCheck> out = std::move(idle_.back());
    idle_.pop_back();
    return out;
  }
  void give_back(std::unique_ptr<CrowdCheck> crowd) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(crowd));
  }

 private:
  const detail::DetectorCore& core_;
  std::span<const Member> members_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<CrowdCheck>> idle_;
};

/// Checks blocks by instants or by avatars, whichever there are enough of.
class BlockCheck {
 public:
  BlockCheck(const detail::DetectorCore& core, std::span<const Member> members,
             const RunOptions& options, int threads)
      : core_(core),
        members_(members),
        options_(options),
        threads_(static_cast<std::size_t>(std::max(threads, 1))),
        crowds_(core, members) {}

  void check(Block& block) {
    CrowdOptions how;
    how.meet = options_.meet;
    how.stop = options_.stop;
    if (core_.asks_ahead(block.size())) {
      left_ = ask_ahead(block);
    } else {
      left_.assign(block.instants(), 1);
    }
    const bool by_instants =
        block.instants() >= kLeastInstants * threads_ && members_.size() * threads_ <= kMostKept;
    if (!by_instants) {
      how.parallel = threads_ > 1;
      check(block, 0, block.instants(), how);
      return;
    }
    const std::size_t stretches = (block.instants() + kInstantStretch - 1) / kInstantStretch;
    detect::for_each(threads_ > 1, stretches, [&](std::size_t s) {
      check(block, s * kInstantStretch, std::min(block.instants(), (s + 1) * kInstantStretch), how);
    });
  }

 private:
  void check(Block& block, std::size_t begin, std::size_t end, const CrowdOptions& how) {
    std::unique_ptr<CrowdCheck> crowd = crowds_.take();
    for (std::size_t i = begin; i < end && !options_.stop.stop_requested(); ++i) {
      CrowdOptions now = how;
      now.room_is_known = left_[i] == 0;
      now.contacts_are_known = now.room_is_known && core_.answers_meetings();
      crowd->check(block.present(i), now, block.reports(i));
    }
    crowds_.give_back(std::move(crowd));
  }

  /// Returns the instants that are still to be checked.
  std::vector<std::uint8_t> ask_ahead(Block& block) {
    std::vector<Question> questions;
    questions.reserve(block.size());
    for (std::size_t i = 0; i < block.instants(); ++i) {
      detect::add_questions(members_, block.present(i), i, questions);
    }
    return core_.ask_ahead(questions, block.instants(),
                           {options_.meet, threads_ > 1, options_.stop}, block.reports());
  }

  const detail::DetectorCore& core_;
  std::span<const Member> members_;
  const RunOptions& options_;
  std::size_t threads_;
  Crowds crowds_;
  std::vector<std::uint8_t> left_;  ///< per instant of the block: to be checked here
};

Status run_blocks(const detail::DetectorCore& core, std::span<const Member> members,
                  std::span<const StepList> steps, const RunOptions& options,
                  const std::function<bool(const StepReport&)>& sink) {
  detect::Threads threads(options.threads);
  BlockCheck blocks(core, members, options, threads.count());
  detect::BatchSize batch = core.batch_size();
  Block block(steps);
  for (;;) {
    const auto clock = std::chrono::steady_clock::now();
    if (!block.take(batch.size())) return Nothing{};
    threads.execute([&] { blocks.check(block); });
    if (options.stop.stop_requested()) {
      return {ErrorCode::kCancelled, "stopped before the last step"};
    }
    for (const StepReport& report : block.reports()) {
      if (report.error) return *report.error;
      if (!sink(report)) return {ErrorCode::kCancelled, "stopped by the receiver of the reports"};
    }
    batch.adapt(block.size(), clock, core.asks_ahead(block.size()));
  }
}

}  // namespace

Status Detector::run(std::span<const Member> members, std::span<const StepList> steps,
                     const RunOptions& options,
                     const std::function<bool(const StepReport&)>& sink) const {
  if (members.size() != steps.size()) {
    return {ErrorCode::kUsage, "there must be one list of steps for every avatar"};
  }
  if (options.meet && !options_.experiments.certify) return detect::pairs_need_certify();
  try {
    return run_blocks(*core_, members, steps, options, sink);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, "out of memory while several avatars were checked together"};
  }
}

}  // namespace tocsin
