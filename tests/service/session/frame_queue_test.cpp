// The frame queue against a model of it that is as plain as it can be.
#include "service/session/frame_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

namespace tocsin::service::frame_queue_test {
namespace {

PendingFrame frame_at(std::uint64_t id, double time) { return {{id, time, {}}, {}, {}}; }

std::vector<IdRange> ranges_of(const std::set<std::uint64_t>& ids) {
  std::vector<IdRange> out;
  for (const std::uint64_t id : ids) {
    if (!out.empty() && out.back().last + 1 == id) {
      out.back().last = id;
    } else {
      out.push_back({id, id});
    }
  }
  return out;
}

/// What the header says, in sets.
struct Model {
  std::size_t capacity = 2;
  bool coalesce = true;
  bool even = false;
  std::map<std::uint64_t, double> waiting = {};
  std::map<std::uint64_t, double> covered = {};
  std::optional<double> origin = {};     ///< when the first was covered
  std::set<std::uint64_t> skipped = {};  ///< not handed out
  std::set<std::uint64_t> bad = {};      ///< not handed out
  std::uint64_t bad_in_a_row = 0;
  std::uint64_t below = 0;  ///< ids below are stale
  FrameCounts counts = {};

  [[nodiscard]] bool fits(std::uint64_t id, double time) const {
    // The whole motion that would be: as it is given, and as it is stored.
    std::map<std::uint64_t, double> all = waiting;
    if (!covered.empty()) all.insert(*covered.rbegin());
    all[id] = time;
    const double first = origin.value_or(all.begin()->second);
    for (auto i = all.begin(); std::next(i) != all.end(); ++i) {
      const double next = std::next(i)->second;
      if (!even && !(i->second < next && i->second - first < next - first)) return false;
    }
    return true;
  }

  Offer offer(std::uint64_t id, double time) {
    const bool is_last = !covered.empty() && covered.rbegin()->first == id;
    if (is_last || waiting.contains(id)) return ++counts.duplicate, Offer::kDuplicate;
    if (id < below) return ++counts.stale, Offer::kStale;
    if (!fits(id, time)) return Offer::kBackwards;
    if (waiting.size() < capacity) {
      waiting[id] = time;
      bad_in_a_row = 0;
      return Offer::kTaken;
    }
    if (!coalesce) return Offer::kFull;
    bad_in_a_row = 0;
    std::map<std::uint64_t, double> all = waiting;
    all[id] = time;
    std::map<std::uint64_t, double> kept{*all.rbegin()};
    if (covered.empty()) kept.insert(*all.begin());
    std::set<std::uint64_t> gone = skipped;
    for (const auto& one : all) {
      if (!kept.contains(one.first)) gone.insert(one.first);
    }
    counts.skipped += gone.size() - skipped.size();
    skipped = gone;
    waiting = kept;
    below = kept.rbegin()->first + 1;
    return Offer::kTaken;
  }

  /// True: refused.
  bool pass_over(std::uint64_t id) {
    if (!coalesce || bad_in_a_row + 1 == FrameQueue::kMostBadInARow) return true;
    ++bad_in_a_row;
    ++counts.bad;
    if (covered.empty() || id > covered.rbegin()->first) bad.insert(id);
    return false;
  }

  struct Taken {
    std::uint64_t id;
    std::vector<IdRange> skipped;
    std::vector<IdRange> bad;
  };

  /// Takes the oldest; there must be one.
  Taken take() {
    const auto oldest = *waiting.begin();
    std::set<std::uint64_t> across;
    if (!covered.empty()) across.insert(bad.begin(), bad.lower_bound(oldest.first));
    bad.erase(bad.begin(), bad.upper_bound(oldest.first));
    waiting.erase(waiting.begin());
    covered.insert(oldest);
    if (!origin) origin = oldest.second;
    below = std::max(below, oldest.first + 1);
    std::set<std::uint64_t> mine(skipped.begin(), skipped.lower_bound(oldest.first));
    for (const std::uint64_t id : mine) skipped.erase(id);
    return {oldest.first, ranges_of(mine), ranges_of(across)};
  }
};

/// What happened to the frames of all sequences.
struct Totals {
  std::uint64_t offered = 0;
  std::uint64_t refused = 0;
  std::uint64_t covered = 0;
  std::uint64_t sequences_that_skip = 0;
  std::uint64_t named_bad = 0;  ///< in steps
  std::uint64_t split_bad = 0;  ///< steps that left bad frames for later ones
  FrameCounts counts;
};

class Sequence {
 public:
  explicit Sequence(std::uint64_t seed)
      : random_(seed),
        model_{.capacity = 2 + random_() % 6,
               .coalesce = random_() % 5 != 0,
               .even = random_() % 4 == 0},
        far_below_(random_() % 6 == 0 ? 3 + random_() % 9 : 0) {}

  void run(Totals& totals) {
    FrameQueue queue(model_.capacity, model_.coalesce, model_.even);
    const int length = 10 + static_cast<int>(random_() % 50);
    for (int i = 0; i < length && !testing::Test::HasFailure(); ++i) {
      if (random_() % 4 == 0) {
        take(queue, totals);
      } else if (random_() % 6 == 0) {
        pass_over(queue);
      } else {
        offer(queue);
      }
      check(queue);
    }
    // Whatever came is accounted for, once.
    const FrameCounts& counts = queue.counts();
    EXPECT_EQ(offered_ - refused_, model_.covered.size() + queue.size() + counts.skipped +
                                       counts.stale + counts.duplicate + counts.bad);
    totals.offered += offered_;
    totals.refused += refused_;
    totals.covered += model_.covered.size();
    totals.counts.skipped += counts.skipped;
    totals.counts.stale += counts.stale;
    totals.counts.duplicate += counts.duplicate;
    totals.counts.bad += counts.bad;
    totals.sequences_that_skip += counts.skipped > 0 ? 1 : 0;
  }

 private:
  /// Around the newest: late, double, ahead, or far off; by steps of one or of some.
  std::uint64_t next_id() {
    const std::uint64_t back = random_() % 8;
    newest_ += random_() % 3;
    return newest_ > back && random_() % 3 == 0 ? newest_ - back : newest_;
  }

  void pass_over(FrameQueue& queue) {
    const std::uint64_t id = next_id();
    ++offered_;
    const bool refused = model_.pass_over(id);
    EXPECT_EQ(queue.pass_over(id, {Refusal::kBadFrame, "bad"}).has_value(), refused);
    refused_ += refused ? 1 : 0;
  }

  void offer(FrameQueue& queue) {
    const std::uint64_t id = next_id();
    const double wrong = random_() % 40 == 0 ? static_cast<double>(random_() % 9) - 4.0 : 0.0;
    const double time = time_of(id) + wrong;
    ++offered_;
    const Offer want = model_.offer(id, time);
    EXPECT_EQ(queue.offer(frame_at(id, time)), want);
    refused_ += want == Offer::kFull || want == Offer::kBackwards ? 1 : 0;
  }

  /// In some sequences the first are so long ago that seen from there others are at one time.
  [[nodiscard]] double time_of(std::uint64_t id) const {
    const auto number = static_cast<double>(id);
    if (far_below_ == 0) return 0.25 * number;
    return id < far_below_ ? -0x1p52 + number : number * (id % 4 == 0 ? 1.0 : 0.1875);
  }

  void take(FrameQueue& queue, Totals& totals) {
    const std::optional<FrameStamp> before = queue.covered();
    const auto next = queue.take();
    ASSERT_EQ(next.has_value(), !model_.waiting.empty());
    if (!next) return;
    const auto [id, skipped, bad] = model_.take();
    EXPECT_EQ(next->frame.frame.id, id);
    EXPECT_EQ(next->skipped, skipped);
    EXPECT_EQ(next->bad, bad);
    for (const IdRange& range : bad) totals.named_bad += range.last - range.first + 1;
    totals.split_bad += !bad.empty() && !model_.bad.empty() ? 1 : 0;
    EXPECT_EQ(queue.covered()->id, id);
    // Increasing, and what was skipped lies between the two; nothing before the first.
    std::uint64_t last = before ? before->id : id;
    for (const IdRange& range : next->skipped) {
      EXPECT_LT(last, range.first);
      EXPECT_LE(range.first, range.last);
      last = range.last;
    }
    EXPECT_TRUE(!before || last < id);
  }

  void check(const FrameQueue& queue) const {
    EXPECT_LE(queue.size(), model_.capacity);
    EXPECT_EQ(queue.size(), model_.waiting.size());
    EXPECT_EQ(queue.counts().skipped, model_.counts.skipped);
    EXPECT_EQ(queue.counts().stale, model_.counts.stale);
    EXPECT_EQ(queue.counts().duplicate, model_.counts.duplicate);
    EXPECT_EQ(queue.counts().bad, model_.counts.bad);
  }

  std::mt19937_64 random_;
  Model model_;
  std::uint64_t far_below_;
  std::uint64_t newest_ = 3;
  std::uint64_t offered_ = 0;
  std::uint64_t refused_ = 0;
};

TEST(FrameQueue, DoesWhatAPlainModelDoes) {
  Totals totals;
  constexpr std::uint64_t kSequences = 100'000;
  for (std::uint64_t seed = 1; seed <= kSequences && !HasFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Sequence(seed).run(totals);
  }
  // It cannot pass by trying nothing.
  EXPECT_GT(totals.sequences_that_skip, kSequences / 3);
  EXPECT_GT(totals.covered, totals.offered / 10);
  EXPECT_GT(totals.counts.skipped, totals.offered / 10);
  EXPECT_GT(totals.counts.stale, totals.offered / 50);
  EXPECT_GT(totals.counts.duplicate, totals.offered / 50);
  EXPECT_GT(totals.refused, totals.offered / 100);
  EXPECT_GT(totals.counts.bad, totals.offered / 20);
  EXPECT_GT(totals.named_bad, totals.counts.bad / 5);
  EXPECT_GT(totals.split_bad, kSequences / 20);
  std::cout << kSequences << " sequences: " << totals.offered << " frames offered, "
            << totals.covered << " covered, " << totals.counts.skipped << " skipped, "
            << totals.counts.stale << " stale, " << totals.counts.duplicate << " duplicate, "
            << totals.counts.bad << " bad (" << totals.named_bad << " named), " << totals.refused
            << " refused\n";
}

TEST(FrameQueue, KeepsTheFirstFrameSoThatNothingIsSkippedOutsideOfAStep) {
  FrameQueue queue(3, true, true);
  for (std::uint64_t id = 10; id < 20; ++id) EXPECT_EQ(queue.offer(frame_at(id, 0)), Offer::kTaken);
  const auto first = queue.take();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->frame.frame.id, 10U);
  EXPECT_TRUE(first->skipped.empty());
  const auto second = queue.take();
  ASSERT_TRUE(second);
  // Two wait and the third and fourth come: 11 and 12 go, then 13 and 14, ... up to 18 or 19.
  ASSERT_EQ(second->skipped.size(), 1U);
  EXPECT_EQ(second->skipped[0].first, 11U);
  EXPECT_EQ(second->skipped[0].last + 1, second->frame.frame.id);
}

// A reader stalls, of frames whose ids do not follow each other: the ranges are those of all ids,
// joined over all but the widest gaps.
// At a tick: the first pose is the oldest frame, and then it is the newest that counts.
TEST(FrameQueue, TheNewestLeavesTheOthersSkipped) {
  FrameQueue queue(8, true, true);
  EXPECT_FALSE(queue.take_newest());
  for (std::uint64_t id = 1; id <= 3; ++id) queue.offer(frame_at(id, 0));
  auto next = queue.take_newest();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->frame.frame.id, 1U);
  EXPECT_TRUE(next->skipped.empty());
  for (const std::uint64_t id : {9U, 6U, 7U}) queue.offer(frame_at(id, 0));
  next = queue.take_newest();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->frame.frame.id, 9U);
  EXPECT_EQ(next->skipped, (std::vector<IdRange>{{2, 3}, {6, 7}}));
  EXPECT_EQ(queue.counts().skipped, 4U);
  EXPECT_EQ(queue.offer(frame_at(8, 0)), Offer::kStale);
  EXPECT_FALSE(queue.take_newest());
  // What was skipped by being too many comes with the next.
  for (std::uint64_t id = 10; id <= 20; ++id) queue.offer(frame_at(id, 0));
  next = queue.take_newest();
  ASSERT_TRUE(next);
  EXPECT_EQ(next->frame.frame.id, 20U);
  EXPECT_EQ(next->skipped, (std::vector<IdRange>{{10, 19}}));
}

TEST(FrameQueue, JoinsTheNearestRangesWhenThereAreTooMany) {
  std::vector<std::uint64_t> gaps(5000);
  for (std::size_t i = 0; i < gaps.size(); ++i) gaps[i] = i + 1;
  std::shuffle(gaps.begin(), gaps.end(), std::mt19937_64(5));
  FrameQueue queue(4, true, true);
  std::set<std::uint64_t> offered;
  std::uint64_t id = 7;
  EXPECT_EQ(queue.offer(frame_at(id, 0)), Offer::kTaken);
  ASSERT_TRUE(queue.take());
  for (const std::uint64_t gap : gaps) {
    id += gap;
    ASSERT_EQ(queue.offer(frame_at(id, 0)), Offer::kTaken);
    offered.insert(id);
  }
  const auto next = queue.take();
  ASSERT_TRUE(next);
  offered.erase(offered.lower_bound(next->frame.frame.id), offered.end());
  EXPECT_EQ(offered.size(), queue.counts().skipped);

  std::vector<std::uint64_t> widest;
  for (auto i = offered.begin(); std::next(i) != offered.end(); ++i) {
    widest.push_back(*std::next(i) - *i);
  }
  std::sort(widest.rbegin(), widest.rend());
  const std::uint64_t joined_below = widest[FrameQueue::kMostRanges - 2];
  std::vector<IdRange> want;
  for (const std::uint64_t one : offered) {
    if (want.empty() || one - want.back().last >= joined_below) {
      want.push_back({one, one});
    } else {
      want.back().last = one;
    }
  }
  EXPECT_EQ(want.size(), FrameQueue::kMostRanges);
  EXPECT_EQ(next->skipped, want);
}

TEST(FrameQueue, RefusesTimesThatAMotionCouldNotTellApart) {
  FrameQueue queue(8, true, false);
  EXPECT_EQ(queue.offer(frame_at(1, -0x1p52)), Offer::kTaken);
  EXPECT_EQ(queue.offer(frame_at(2, 0.0)), Offer::kTaken);
  EXPECT_EQ(queue.offer(frame_at(3, 1e-10)), Offer::kBackwards);
  ASSERT_TRUE(queue.take());
  EXPECT_EQ(queue.origin(), -0x1p52);
  EXPECT_EQ(queue.offer(frame_at(3, 1e-10)), Offer::kBackwards);
  EXPECT_EQ(queue.offer(frame_at(3, 1.0)), Offer::kTaken);
  // The one that all would be counted from comes late.
  FrameQueue late(8, true, false);
  EXPECT_EQ(late.offer(frame_at(2, 0.0)), Offer::kTaken);
  EXPECT_EQ(late.offer(frame_at(3, 1e-10)), Offer::kTaken);
  EXPECT_EQ(late.offer(frame_at(1, -0x1p52)), Offer::kBackwards);
  EXPECT_EQ(late.offer(frame_at(1, -1e-3)), Offer::kTaken);
}

TEST(FrameQueue, SaysBetweenWhichFramesATimeMustLie) {
  FrameQueue queue(8, true, false);
  EXPECT_EQ(queue.offer(frame_at(5, 1.0)), Offer::kTaken);
  EXPECT_EQ(queue.offer(frame_at(7, 2.0)), Offer::kTaken);
  EXPECT_EQ(queue.offer(frame_at(6, 2.0)), Offer::kBackwards);
  EXPECT_EQ(queue.offer(frame_at(6, 0.5)), Offer::kBackwards);
  EXPECT_EQ(queue.offer(frame_at(8, std::numeric_limits<double>::quiet_NaN())), Offer::kBackwards);
  const FrameQueue::Neighbours beside = queue.neighbours(6);
  EXPECT_EQ(beside.before->id, 5U);
  EXPECT_EQ(beside.after->id, 7U);
  EXPECT_EQ(queue.offer(frame_at(6, 1.5)), Offer::kTaken);
  ASSERT_TRUE(queue.take());
  EXPECT_EQ(queue.offer(frame_at(5, 1.0)), Offer::kDuplicate);
  EXPECT_EQ(queue.offer(frame_at(4, 9.0)), Offer::kStale);
}

}  // namespace
}  // namespace tocsin::service::frame_queue_test
