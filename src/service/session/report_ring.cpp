#include "service/session/report_ring.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "service/rooms/environments.h"

namespace tocsin::service {

std::size_t bytes_of(const TrackReport& report) {
  return sizeof(TrackReport) +
         (report.skipped.capacity() + report.bad.capacity()) * sizeof(IdRange) +
         report.result.contacts.capacity() * sizeof(Contact) +
         report.result.clearances.capacity() * sizeof(double) +
         report.stop_pose.capacity() * sizeof(Transform) + report.fallback.capacity() +
         report.first_bad_frame.capacity() + report.record_ended.capacity() +
         report.distances.capacity() * sizeof(LinkDistance) +
         report.held.capacity() * sizeof(std::uint32_t) +
         (report.ahead ? report.ahead->contacts.capacity() * sizeof(ForeseenContact) +
                             report.ahead->pose_fault.capacity()
                       : 0);
}

namespace {

std::size_t bytes_of(const MemberCard& card) {
  std::size_t out = sizeof(MemberCard) + card.label.capacity();
  for (const std::string& name : card.links) out += sizeof(name) + name.capacity();
  return out;
}

/// Of the names that a report gets when it is pulled: at most, without those in place.
std::size_t name_bytes_of(const TrackReport& report, const MemberCards& others) {
  std::size_t label = 0;
  for (const auto& card : others) label = std::max(label, card->label.size());
  const std::size_t foreseen = report.ahead ? report.ahead->contacts.size() : 0;
  return (report.result.contacts.size() + foreseen) *
             (sizeof(ContactNames) + 2 * Environments::kMostObjectName + label) +
         report.distances.size() * (sizeof(std::string) + Environments::kMostObjectName);
}

/// Calls f(i, count) for count i of those that a row keeps.
template <class Report, class F>
void each_count(Report& report, const F& f) {
  static_assert(sizeof(StepCounters) == 10 * sizeof(std::uint64_t), "each must be kept");
  std::size_t i = 0;
  const auto next = [&](auto&... counts) { (f(i++, counts), ...); };
  next(report.result.step, report.stale_frames, report.duplicate_frames, report.bad_frames,
       report.timing.batch);
  auto& n = report.result.counters;
  next(n.near_links, n.box_pairs, n.seen_pairs, n.candidates, n.evaluations, n.tree_queries,
       n.volume_tests, n.primitive_tests, n.updates, n.link_pairs);
}

/// Contacts::kFirst leaves one contact in the memory of all that could have been it.
void drop_spare(std::vector<Contact>& contacts) {
  if (contacts.capacity() > 2 * contacts.size() + 1) contacts.shrink_to_fit();
}

}  // namespace

void ReportRing::keep_cards(const MemberCards& others) {
  for (const auto& card : others) {
    if (++cards_[card.get()] == 1) card_bytes_ += bytes_of(*card);
  }
}

void ReportRing::drop_cards(const MemberCards& others) {
  for (const auto& card : others) {
    const auto found = cards_.find(card.get());
    if (--found->second > 0) continue;
    card_bytes_ -= bytes_of(*card);
    cards_.erase(found);
  }
}

/// True if there is nothing in it that put_row() does not say.
bool ReportRing::is_free(const TrackReport& report) {
  const StepReport& result = report.result;
  const bool free = result.complete && result.contacts.empty() && result.safe_until == 1.0 &&
                    result.checked_until == 1.0 && result.clearances.empty() && !result.error &&
                    result.avatar == 0 && result.frames[0] == result.step &&
                    result.frames[1] == result.step + 1 &&
                    report.safe_until_time == report.to.capture_time;
  return free && report.timing.parts == 1 && report.skipped.empty() && report.bad.empty() &&
         report.held.empty() && report.names.empty() && report.stop_pose.empty() &&
         report.distances.empty() && report.distance_objects.empty() &&
         report.more_distances == 0 && !report.tick && !report.room && !report.ahead &&
         !report.unrecorded && report.fallback.empty() && report.first_bad_frame.empty() &&
         report.record_ended.empty();
}

bool ReportRing::Small::set(const TrackReport& report) {
  std::uint64_t bits = 0;
  each_count(report, [&](std::size_t i, const auto& count) {
    const auto wide = static_cast<std::uint64_t>(count);
    bits |= wide;
    counts[i] = static_cast<std::uint32_t>(wide);
  });
  return bits <= std::numeric_limits<std::uint32_t>::max();
}

void ReportRing::Small::put(TrackReport& out) const {
  each_count(out, [&](std::size_t i, auto& count) { count = counts[i]; });
}

/// False: the report must be kept whole.
bool ReportRing::set_row(const TrackReport& report, Kept& out) {
  if (!is_free(report) || !out.small.set(report)) return false;
  out.stamp_from = report.from;
  out.stamp_to = report.to;
  out.waited = report.timing.waited;
  out.checked = report.timing.checked;
  return true;
}

/// Into a new report.
void ReportRing::put_row(const Kept& row, TrackReport& out) {
  row.small.put(out);
  out.from = row.stamp_from;
  out.to = row.stamp_to;
  out.result.frames = {out.result.step, out.result.step + 1};
  out.result.safe_until = 1.0;
  out.safe_until_time = row.stamp_to.capture_time;
  out.timing.waited = row.waited;
  out.timing.checked = row.checked;
}

void ReportRing::prefetch_next() const {
  // If there are as many as may be, the oldest goes first: mostly the next takes its place.
  if (is_over(1)) prefetch(&kept_.front(), sizeof(Kept));
  prefetch(kept_.next_place(), sizeof(Kept));
}

void ReportRing::push(TrackReport&& report, Time received, MemberCards others) {
  Kept kept;
  kept.received = received;
  if (!others.empty() || !set_row(report, kept)) {
    drop_spare(report.result.contacts);
    const std::size_t bytes =
        sizeof(Kept) + bytes_of(report) + others.capacity() * sizeof(others[0]);
    keep_cards(others);
    kept.whole = std::make_unique<Whole>(Whole{std::move(report), std::move(others), bytes});
  }
  const std::size_t bytes = kept.bytes();
  // Before, so that it takes that place: memory grows no further.
  if (is_over(1)) drop_oldest();
  kept_.push_back(std::move(kept));
  bytes_ += bytes;
  unsent_bytes_ += bytes;
  ++next_;
  trim();
}

void ReportRing::pull(std::size_t most, std::size_t most_bytes, Time now,
                      std::vector<TrackReport>& out, std::vector<MemberCards>* others) {
  out.clear();
  if (others != nullptr) others->clear();
  const std::size_t begin = static_cast<std::size_t>(sent_ - first());
  const std::size_t end = static_cast<std::size_t>(released() - first());
  std::size_t kept_bytes = 0;
  std::size_t pulled = 0;
  for (std::size_t i = begin; i < end && out.size() < most; ++i) {
    const Kept& kept = kept_[i];
    const std::size_t names =
        kept.whole ? name_bytes_of(kept.whole->report, kept.whole->others) : 0;
    if (!out.empty() && pulled + kept.bytes() + names > most_bytes) break;
    if (kept.whole) {
      out.push_back(kept.whole->report);
      if (others != nullptr && !kept.whole->others.empty()) {
        others->resize(out.size());
        others->back() = kept.whole->others;
      }
    } else {
      put_row(kept, out.emplace_back());
    }
    pulled += kept.bytes() + names;
    kept_bytes += kept.bytes();
    out.back().timing.total =
        std::chrono::duration<double, std::micro>(now - kept.received).count();
  }
  if (others != nullptr && !others->empty()) others->resize(out.size());
  sent_ += out.size();
  unsent_bytes_ -= kept_bytes;
  trim();
}

std::uint64_t ReportRing::release_unrecorded(const std::string& why) {
  const std::uint64_t held = next_ - released();
  for (std::uint64_t i = 0; i < held; ++i) {
    Kept& kept = kept_[kept_.size() - static_cast<std::size_t>(held - i)];
    if (!kept.whole) {
      auto whole = std::make_unique<Whole>();
      put_row(kept, whole->report);
      whole->bytes = sizeof(Kept);
      kept.whole = std::move(whole);
    }
    TrackReport& report = kept.whole->report;
    if (report.unrecorded) continue;
    report.unrecorded = true;
    if (i == 0) report.record_ended = why;
  }
  released_ = next_;
  return held;
}

std::optional<FrameStamp> ReportRing::sent_to() const {
  if (kept_.empty()) return std::nullopt;
  if (sent_ == first()) return kept_.front().from();
  return kept_[static_cast<std::size_t>(sent_ - first()) - 1].to();
}

bool ReportRing::rewind(std::uint64_t step) {
  if (step < first() || step > next_) return false;
  sent_ = step;
  unsent_bytes_ = 0;
  for (std::size_t i = static_cast<std::size_t>(step - first()); i < kept_.size(); ++i) {
    unsent_bytes_ += kept_[i].bytes();
  }
  return true;
}

bool ReportRing::is_over(std::size_t more) const {
  return kept_.size() + more > std::max<std::size_t>(most_reports_, 1) && first() < sent_;
}

void ReportRing::drop_oldest() {
  const Kept& oldest = kept_.front();
  bytes_ -= oldest.bytes();
  if (oldest.whole) drop_cards(oldest.whole->others);
  kept_.pop_front();
}

void ReportRing::trim() {
  while (kept_.size() > 1 && first() < sent_ &&
         (kept_.size() > most_reports_ || bytes_ + card_bytes_ > most_bytes_)) {
    drop_oldest();
  }
}

}  // namespace tocsin::service
