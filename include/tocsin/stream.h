// A stream: one avatar whose steps follow each other, and what one proves spares the next.
#pragma once

#include <memory>
#include <stop_token>

#include "tocsin/avatar.h"
#include "tocsin/detector.h"
#include "tocsin/motion.h"

namespace tocsin {

namespace detail {
struct StreamState;
}

/// Coherence (papers 000, 001, 002): what one step proved about the room around the avatar is used
/// by the next. An exact reuse: every report is that of Detector::check for the same step, whatever
/// came before, in whatever order; only the work differs: most links ask the tree nothing. Owned by
/// one thread at a time; streams of one detector do not disturb each other.
class Stream {
 public:
  /// Shares the detector's tree and environment and may outlive it; after Detector::moved a new
  /// stream is needed for the new room. `active` as for Detector::check. A detector with an error
  /// gives a stream whose every check returns it. A stream that was moved from can only be assigned
  /// to or destroyed.
  Stream(const Detector& detector, Avatar avatar, ActivePairs active = {}, LinkPairs self = {});
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream();

  /// Checks one step: the report that Detector::check gives, error reports included. On the CPU
  /// `stop` is looked at between links: then the report's error is kCancelled, and the stream can
  /// go on with any step, this one too.
  [[nodiscard]] StepReport check(const Step& step, const std::stop_token& stop = {});

 private:
  std::unique_ptr<detail::StreamState> state_;
};

}  // namespace tocsin
