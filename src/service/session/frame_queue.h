// The frames of one session that wait to be checked: in order of id, bounded, and nothing
// forgotten.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "service/session/problem.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// A frame that waits: as it came, and as LiveMotion::take() left it.
struct PendingFrame {
  TrackFrame frame;
  std::vector<Transform> taken;
  std::chrono::steady_clock::time_point received;
};

/// What became of an offered frame.
enum class Offer : std::uint8_t {
  kTaken,      ///< it waits; others may have been skipped for it, or it for a newer one
  kStale,      ///< a later frame is covered, or was kept when this one's neighbours were skipped
  kDuplicate,  ///< it waits already, or was the last that was taken out
  kFull,       ///< there is no room, and nothing may be skipped
  kBackwards,  ///< its capture time does not lie between those of its neighbours, or would not once
               ///< times are counted from the first covered frame's
};

/// What is taken out to be checked.
struct NextFrame {
  PendingFrame frame;
  /// Since the frame that was taken before, in order: frames with ids in these ranges that were
  /// received were skipped. Both ends of each were.
  std::vector<IdRange> skipped;
};

/// Counts over the queue's life. Every frame that was not refused (kFull, kBackwards) is taken out,
/// or waits, or is in one of these.
struct FrameCounts {
  std::uint64_t skipped = 0;
  std::uint64_t stale = 0;
  std::uint64_t duplicate = 0;
};

/// A state machine without threads or clocks. Main paper, end of section 8: late, lost, doubled and
/// reordered frames leave no gap, because the motion goes from the last covered pose to the next
/// that is taken out.
class FrameQueue {
 public:
  /// Ranges of ids that one step may have skipped: 16 KiB. With more (a reader that stalls, of
  /// frames whose ids do not follow each other) the two with the fewest ids between them become
  /// one. Fewer: reports say less exactly what was skipped; more: a session holds more.
  static constexpr std::size_t kMostRanges = 1024;

  /// `capacity`: frames that may wait, at least 2. `coalesce`: whether frames may be skipped when
  /// it is full: all that wait but the newest, and but the oldest while nothing is covered, so that
  /// whatever is skipped lies inside of a step. `even`: capture times are not looked at.
  FrameQueue(std::size_t capacity, bool coalesce, bool even);

  /// Refused frames (kFull, kBackwards) change nothing.
  Offer offer(PendingFrame frame);
  /// The oldest frame that waits. It counts as covered from now on: what is not newer is stale.
  std::optional<NextFrame> take();
  /// The newest, and all that wait before it count as skipped; while nothing is covered the oldest,
  /// so that whatever is skipped lies inside of a step. Throws std::bad_alloc, and nothing has
  /// happened.
  std::optional<NextFrame> take_newest();

  [[nodiscard]] std::size_t size() const { return waiting_.size(); }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] const FrameCounts& counts() const { return counts_; }
  /// The frame taken out last.
  [[nodiscard]] const std::optional<FrameStamp>& covered() const { return covered_; }
  /// Of those that wait, or covered: the last with a smaller id, and the first with a larger one.
  struct Neighbours {
    std::optional<FrameStamp> before;
    std::optional<FrameStamp> after;
  };
  [[nodiscard]] Neighbours neighbours(std::uint64_t id) const;
  /// The capture time that others are counted from (as LiveMotion does): the first covered
  /// frame's.
  [[nodiscard]] const std::optional<double>& origin() const { return origin_; }

 private:
  using Waiting = std::deque<PendingFrame>;
  [[nodiscard]] Waiting::const_iterator place_of(std::uint64_t id) const;
  [[nodiscard]] bool time_fits(const TrackFrame& frame) const;
  /// A frame that becomes the first of all, and so what times are counted from.
  [[nodiscard]] bool waiting_fit_from(double origin) const;
  /// Makes room for a frame that goes to `place`, if that may be.
  Offer coalesce(PendingFrame frame, const Waiting::const_iterator& place);

  std::size_t capacity_;
  bool coalesce_;
  bool even_;
  Waiting waiting_;               ///< by id
  std::vector<IdRange> skipped_;  ///< by id; not yet handed out
  std::optional<FrameStamp> covered_;
  std::optional<double> origin_;
  std::optional<std::uint64_t> floor_;  ///< ids up to here are stale
  FrameCounts counts_;
};

/// Why the queue did not take a frame that it was offered; none: it did, or passed it over.
std::optional<Problem> refusal(const FrameStamp& frame, Offer offer, const FrameQueue& queue);

}  // namespace tocsin::service
