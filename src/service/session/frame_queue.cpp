#include "service/session/frame_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace tocsin::service {
namespace {

FrameStamp stamp_of(const TrackFrame& frame) { return {frame.id, frame.capture_time}; }

/// Makes one of the two ranges that have the fewest ids between them. There must be two.
void join_nearest(std::vector<IdRange>& ranges) {
  std::size_t nearest = 0;
  std::uint64_t least = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t i = 0; i + 1 < ranges.size(); ++i) {
    const std::uint64_t between = ranges[i + 1].first - ranges[i].last;
    if (between >= least) continue;
    least = between;
    nearest = i;
  }
  ranges[nearest].last = ranges[nearest + 1].last;
  ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(nearest) + 1);
}

/// Adds an id that is larger than all before it. Needs room for one range more.
void append(std::vector<IdRange>& ranges, std::uint64_t id) {
  if (!ranges.empty() && ranges.back().last + 1 == id) {
    ranges.back().last = id;
    return;
  }
  ranges.push_back({id, id});
  if (ranges.size() > FrameQueue::kMostRanges) join_nearest(ranges);
}

/// Adds an id anywhere. Needs room for one range more.
void insert(std::vector<IdRange>& ranges, std::uint64_t id) {
  const auto next = std::find_if(ranges.begin(), ranges.end(),
                                 [id](const IdRange& range) { return range.last >= id; });
  if (next == ranges.end()) return append(ranges, id);
  if (next->first <= id) return;
  const bool joins_next = id + 1 == next->first;
  const bool joins_before = next != ranges.begin() && std::prev(next)->last + 1 == id;
  if (joins_next && joins_before) {
    std::prev(next)->last = next->last;
    ranges.erase(next);
  } else if (joins_next) {
    next->first = id;
  } else if (joins_before) {
    std::prev(next)->last = id;
  } else {
    ranges.insert(next, {id, id});
    if (ranges.size() > FrameQueue::kMostRanges) join_nearest(ranges);
  }
}

/// True if a motion that counts its ticks from `origin` can hold both: they must differ as they are
/// stored, too (LiveMotion::next).
bool ticks_in_order(double origin, double before, double after) {
  return before < after && before - origin < after - origin;
}

}  // namespace

FrameQueue::FrameQueue(std::size_t capacity, bool coalesce, bool even)
    : capacity_(std::max<std::size_t>(capacity, 2)), coalesce_(coalesce), even_(even) {}

std::size_t FrameQueue::place_of(std::uint64_t id) const {
  // From the end: frames mostly come in order.
  std::size_t place = pending_.size();
  while (place > 0 && pending_[place - 1].frame.id >= id) --place;
  return place;
}

FrameQueue::Neighbours FrameQueue::neighbours(std::uint64_t id) const {
  Neighbours out{covered_, std::nullopt};
  std::size_t place = place_of(id);
  if (place > 0) out.before = stamp_of(pending_[place - 1].frame);
  if (place < pending_.size() && pending_[place].frame.id == id) ++place;
  if (place < pending_.size()) out.after = stamp_of(pending_[place].frame);
  return out;
}

bool FrameQueue::time_fits(const TrackFrame& frame) const {
  if (even_) return true;
  const double time = frame.capture_time;
  const Neighbours beside = neighbours(frame.id);
  // While nothing is covered the oldest that waits is what will be covered first: it is never
  // skipped before.
  const double origin = origin_         ? *origin_
                        : beside.before ? pending_.front().frame.capture_time
                                        : time;
  if (beside.before && !ticks_in_order(origin, beside.before->capture_time, time)) return false;
  if (beside.after && !ticks_in_order(origin, time, beside.after->capture_time)) return false;
  return beside.before || pending_fit_from(time);
}

bool FrameQueue::pending_fit_from(double origin) const {
  for (std::size_t i = 1; i < pending_.size(); ++i) {
    const double before = pending_[i - 1].frame.capture_time;
    if (!ticks_in_order(origin, before, pending_[i].frame.capture_time)) return false;
  }
  return true;
}

Offer FrameQueue::offer(PendingFrame&& frame) {
  const std::uint64_t id = frame.frame.id;
  const std::size_t place = place_of(id);
  if (place < pending_.size() && pending_[place].frame.id == id) {
    ++counts_.duplicate;
    return Offer::kDuplicate;
  }
  if (covered_ && id == covered_->id) {
    ++counts_.duplicate;
    return Offer::kDuplicate;
  }
  if (floor_ && id <= *floor_) {
    ++counts_.stale;
    return Offer::kStale;
  }
  if (!time_fits(frame.frame)) return Offer::kBackwards;
  if (pending_.size() >= capacity_) return coalesce(std::move(frame), place);
  pending_.insert(place, std::move(frame));
  bad_in_a_row_ = 0;
  return Offer::kTaken;
}

std::optional<Problem> FrameQueue::pass_over(std::uint64_t id, Problem why) {
  if (!coalesce_) return Problem{Refusal::kInvalid, std::move(why.message)};
  if (bad_in_a_row_ + 1 >= kMostBadInARow) {
    return Problem{Refusal::kInvalid,
                   fmt::format("{} frames in a row cannot be used. The first: {}", kMostBadInARow,
                               first_in_row_)};
  }
  // What needs memory comes first: then nothing has happened yet.
  bad_.reserve(std::min(bad_.size(), kMostRanges) + 1);
  if (first_bad_.empty()) first_bad_ = why.message;
  if (bad_in_a_row_ == 0) first_in_row_ = std::move(why.message);
  if (!covered_ || id > covered_->id) insert(bad_, id);
  ++bad_in_a_row_;
  ++counts_.bad;
  return std::nullopt;
}

/// Takes the ranges before `id` out, and forgets a bad frame `id`.
std::vector<IdRange> FrameQueue::bad_before(std::uint64_t id) {
  std::vector<IdRange> before;
  if (bad_.empty() || bad_.front().first > id) return before;
  std::vector<IdRange> after;
  before.reserve(bad_.size());
  after.reserve(bad_.size());
  for (const IdRange& range : bad_) {
    if (range.first < id) before.push_back({range.first, std::min(range.last, id - 1)});
    if (range.last > id) after.push_back({std::max(range.first, id + 1), range.last});
  }
  bad_.swap(after);
  // Before the first covered frame there is no step.
  if (!covered_) before.clear();
  return before;
}

/// Those from `first` on but the newest. Needs room for their ranges.
void FrameQueue::skip_pending(std::size_t first) {
  const std::size_t newest = pending_.size() - 1;
  for (std::size_t i = first; i < newest; ++i) append(skipped_, pending_[i].frame.id);
  counts_.skipped += newest - first;
  pending_.erase(first, newest);
}

Offer FrameQueue::coalesce(PendingFrame&& frame, std::size_t place) {
  if (!coalesce_) return Offer::kFull;
  // What needs memory comes first: then nothing has happened yet.
  skipped_.reserve(std::min(skipped_.size() + pending_.size(), kMostRanges + 1));
  pending_.insert(place, std::move(frame));
  bad_in_a_row_ = 0;

  const std::size_t kept_first = covered_ ? 0 : 1;
  skip_pending(kept_first);
  floor_ = pending_.back().frame.id;
  return Offer::kTaken;
}

std::optional<NextFrame> FrameQueue::take() {
  std::optional<NextFrame> taken;
  if (pending_.empty()) return taken;
  NextFrame& out = taken.emplace();
  out.first_bad = first_bad_;
  const std::uint64_t id = pending_.front().frame.id;
  out.bad = bad_before(id);
  // All that was skipped so far, or nothing: the oldest frame is kept only before the first step.
  if (!skipped_.empty() && skipped_.front().first < id) out.skipped.swap(skipped_);
  out.frame = std::move(pending_.front());
  pending_.pop_front();
  ++counts_.covered;
  covered_ = stamp_of(out.frame.frame);
  if (!origin_) origin_ = covered_->capture_time;
  floor_ = std::max(floor_.value_or(id), id);
  out.counts = counts_;
  return taken;
}

void FrameQueue::go_on_from(const FrameStamp& covered, const FrameCounts& counts,
                            const std::string& first_bad) {
  first_bad_ = first_bad;
  counts_ = counts;
  covered_ = covered;
  if (!origin_) origin_ = covered.capture_time;
  floor_ = covered.id;
}

std::optional<NextFrame> FrameQueue::take_newest() {
  if (covered_ && pending_.size() > 1) {
    skipped_.reserve(std::min(skipped_.size() + pending_.size(), kMostRanges + 1));
    skip_pending(0);
  }
  return take();
}

std::optional<Problem> refusal(const FrameStamp& frame, Offer offer, const FrameQueue& queue) {
  if (offer == Offer::kFull) {
    return Problem{Refusal::kOverloaded,
                   fmt::format("frame {}: {} frames wait to be checked already, and the session "
                               "does not let any be skipped (coalesce)",
                               frame.id, queue.size())};
  }
  if (offer != Offer::kBackwards) return std::nullopt;
  const auto [before, after] = queue.neighbours(frame.id);
  const bool early = before && !(before->capture_time < frame.capture_time);
  if (!early && !(after && !(frame.capture_time < after->capture_time))) {
    return Problem{Refusal::kInvalid,
                   fmt::format("frame {}, captured at {} s: that is too far from the other frames' "
                               "times for telling them apart (times are counted from the first "
                               "pose's; a double has 53 bits)",
                               frame.id, frame.capture_time)};
  }
  const FrameStamp& other = early ? *before : *after;
  return Problem{
      Refusal::kInvalid,
      fmt::format("frame {}, captured at {} s, is not {} frame {}, captured at {} s", frame.id,
                  frame.capture_time, early ? "after" : "before", other.id, other.capture_time)};
}

}  // namespace tocsin::service
