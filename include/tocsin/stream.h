// A stream: checks successive steps of one avatar and reuses what earlier steps proved.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>

#include "tocsin/detector.h"
#include "tocsin/member.h"
#include "tocsin/motion.h"
#include "tocsin/step_budget.h"

namespace tocsin {

namespace detail {
struct StreamState;
}

/// Coherence (papers 000, 001, 002): the next step uses what one step proved about the room around
/// the avatar. Reports are identical to Detector::check for the same step, in any order of steps.
/// Only the work is less: most links need no query of the tree. Used by one thread at a time.
/// Streams of one detector are independent.
class Stream {
 public:
  /// Shares the detector's tree and environment and may outlive it; after
  /// Detector::with_environment a new stream is needed for the new room. A stream that was moved
  /// from can only be assigned to or destroyed.
  Stream(const Detector& detector, Member member);
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  /// Checks one step: the report that Detector::check gives, error reports included. On the CPU
  /// `stop` is tested between links: then the report's error is kCancelled, and the stream can
  /// check any step, this one too.
  [[nodiscard]] StepReport check(const Step& step, const std::stop_token& stop = {});

  /// Checks one step for as long as the budget lasts. A report that is not complete is proved up to
  /// its checked_until; go_on() continues from there. A device heeds no budget: its report is
  /// complete. Errors: as check(); kCancelled: `budget.stop`.
  [[nodiscard]] StepReport check_within(const Step& step, const StepBudget& budget);
  /// Continues the last check_within(), if that was not complete. Nothing is done twice. The report
  /// is about the whole step; checked_until never falls, and in the end the report is complete, and
  /// that of check(). Errors: as check_within(); kUsage: there is nothing to continue, because the
  /// last report was complete, or had an error, or check() was called since.
  [[nodiscard]] StepReport go_on(const StepBudget& budget);
  /// True if go_on() has something to continue.
  [[nodiscard]] bool has_rest() const;

  /// Where that lies which the next check uses of this stream: who has many streams in turn may ask
  /// the caches for it ahead. Valid until a function of this stream is called that is not const.
  using Memory = std::array<std::span<const std::byte>, 2>;
  [[nodiscard]] Memory memory() const;

 private:
  std::unique_ptr<detail::StreamState> state_;
};

}  // namespace tocsin
