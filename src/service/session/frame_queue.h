// The pending frames of one session: in order of id, bounded, and every frame is accounted for.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "service/schedule/prefetch.h"
#include "service/schedule/ring.h"
#include "service/session/problem.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// A pending frame: as received, and its poses after LiveMotion::take().
struct PendingFrame {
  TrackFrame frame;
  std::vector<Transform> taken;
  std::chrono::steady_clock::time_point received;
  std::vector<Transform> ahead = {};  ///< TrackFrame::ahead; empty: there is none of use
  std::string ahead_fault = {};       ///< why it is not; empty: it is, or there was none
  /// Joints that the tracker had lost, in order: they are held (TrackerPoses::hold_missing).
  std::vector<std::uint32_t> missing = {};
  bool is_local = false;  ///< a record's pose: no tracker's any more, and `missing` are filled in
};

/// What became of an offered frame.
enum class Offer : std::uint8_t {
  kTaken,      ///< it is pending, or was skipped for a newer one; others may have been skipped
  kStale,      ///< a later frame is covered, or was kept when the frames around this were skipped
  kDuplicate,  ///< it is pending already, or was the last that was taken out
  kFull,       ///< the queue is full, and no frame may be skipped
  kBackwards,  ///< its capture time is not between those of its neighbours, or would not be when
               ///< counted from the first covered frame's time
};

/// Counts over the life of the queue. A frame that was not refused (kFull, kBackwards, by
/// pass_over()) is pending, or is in one of these counts.
struct FrameCounts {
  std::uint64_t skipped = 0;
  std::uint64_t stale = 0;
  std::uint64_t duplicate = 0;
  std::uint64_t covered = 0;  ///< taken out
  std::uint64_t bad = 0;
};

/// A frame that was taken out to be checked.
struct NextFrame {
  PendingFrame frame;
  /// Frames skipped since the one taken before: those received with ids in these ranges, which are
  /// in order. Both ends of a range were received and skipped.
  std::vector<IdRange> skipped;
  /// The same of the bad frames between the two (pass_over()).
  std::vector<IdRange> bad = {};
  FrameCounts counts = {};     ///< when it was taken out, itself included
  std::string first_bad = {};  ///< FrameQueue::first_bad(), then
};

/// A state machine without threads or clocks. Main paper, end of section 8. Late, lost, duplicate
/// and reordered frames leave no gap, because each step goes from the last covered pose to the pose
/// of the frame that is taken out next.
class FrameQueue {
 public:
  /// Ranges of skipped ids of one step, and of bad ones: 16 KiB each. More ranges arise if a reader
  /// stalls and ids have gaps. Then the two with the fewest ids between them become one. Smaller:
  /// reports say less exactly what was skipped. Larger: a session needs more memory.
  static constexpr std::size_t kMostRanges = 1024;
  /// With so many bad frames in a row the stream ends: a client that sends nothing else is wrong,
  /// and must not take silence for freedom. It is three seconds at 100 frames a second. Smaller: a
  /// sensor that loses its body for a moment ends the stream. Larger: a wrong client learns later.
  static constexpr std::uint64_t kMostBadInARow = 300;

  /// `capacity`: of pending frames, at least 2. `coalesce`: when the queue is full, all pending
  /// frames but the newest may be skipped. While nothing is covered the oldest is kept, too, so
  /// that all skipped frames lie inside of a step. `even`: capture times are ignored.
  FrameQueue(std::size_t capacity, bool coalesce, bool even);

  /// Refused frames (kFull, kBackwards) change nothing.
  Offer offer(PendingFrame&& frame);
  /// A frame came whose values cannot be used; `why` names it and the cause. It is counted each
  /// time it comes, and the step across it names it: one that comes before the first or after a
  /// later covered frame lies in no step. A problem: nothing may be skipped, or this would be one
  /// of kMostBadInARow without a frame between them that offer() took; then nothing has changed.
  std::optional<Problem> pass_over(std::uint64_t id, Problem why);
  /// Takes the oldest pending frame. It is covered from now on: frames that are not newer are
  /// stale. Throws std::bad_alloc; then none is taken.
  std::optional<NextFrame> take();
  /// Takes the newest pending frame and skips the others. While nothing is covered it takes the
  /// oldest, so that all skipped frames lie inside of a step. Throws std::bad_alloc; then none is
  /// taken.
  std::optional<NextFrame> take_newest();

  /// The frame was covered before, by another server, which had counted this by then, with that
  /// first bad frame. Call in order, before any other function. Throws std::bad_alloc.
  void go_on_from(const FrameStamp& covered, const FrameCounts& counts,
                  const std::string& first_bad = {});

  /// Asks for the memory of the next frame (prefetch.h).
  void prefetch_next() const { prefetch(pending_.next_place(), sizeof(PendingFrame)); }

  [[nodiscard]] std::size_t size() const { return pending_.size(); }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] const FrameCounts& counts() const { return counts_; }
  /// The first bad frame and the cause; empty: there was none.
  [[nodiscard]] const std::string& first_bad() const { return first_bad_; }
  /// The frame taken out last.
  [[nodiscard]] const std::optional<FrameStamp>& covered() const { return covered_; }
  /// Of the pending and covered frames: the last with a smaller id, the first with a larger one.
  struct Neighbours {
    std::optional<FrameStamp> before;
    std::optional<FrameStamp> after;
  };
  [[nodiscard]] Neighbours neighbours(std::uint64_t id) const;
  /// The capture time of the first covered frame. Other times are counted from it, as LiveMotion
  /// does.
  [[nodiscard]] const std::optional<double>& origin() const { return origin_; }

 private:
  /// The pending frame with this id, or else the first with a larger one; size(): there is none.
  [[nodiscard]] std::size_t place_of(std::uint64_t id) const;
  [[nodiscard]] bool time_fits(const TrackFrame& frame) const;
  /// True if the pending frames keep their order when times are counted from `origin`.
  [[nodiscard]] bool pending_fit_from(double origin) const;
  /// Inserts a frame at `place` of the full queue, and skips others for it if that is allowed.
  Offer coalesce(PendingFrame&& frame, std::size_t place);
  void skip_pending(std::size_t first);
  [[nodiscard]] std::vector<IdRange> bad_before(std::uint64_t id);

  std::size_t capacity_;
  bool coalesce_;
  bool even_;
  Ring<PendingFrame> pending_;    ///< by id
  std::vector<IdRange> skipped_;  ///< by id; not yet handed out
  std::vector<IdRange> bad_;      ///< the same; after the covered frame
  std::uint64_t bad_in_a_row_ = 0;
  std::string first_in_row_;  ///< frame and cause
  std::string first_bad_;
  std::optional<FrameStamp> covered_;
  std::optional<double> origin_;
  std::optional<std::uint64_t> floor_;  ///< ids up to here are stale
  FrameCounts counts_;
};

/// Why the queue refused a frame. None: it did not refuse it.
std::optional<Problem> refusal(const FrameStamp& frame, Offer offer, const FrameQueue& queue);

}  // namespace tocsin::service
