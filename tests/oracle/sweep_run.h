// Many random queries of every class: core answers, the oracle judges.
//
// `Queries` says what is asked:
//   Class, Query; kClasses;
//   name(Class); make_pair(Class, seed, number): a query that touches, the same moved clear;
//   certify(query, tolerance); starts_early(query, lo): true if the links are farther from touching
//   at lo than core's rounding can excuse.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sweep_counts.h"

namespace tocsin::oracle::test {

/// A query whose answer the oracle refutes.
template <class Queries>
struct RefutationOf {
  typename Queries::Class query_class{};
  std::uint64_t seed = 0;
  std::uint64_t index = 0;
  Claim claim;
  Verdict verdict;
};

template <class Queries>
struct SweepOptionsOf {
  std::uint64_t queries = 1'000'000;  ///< over all classes together
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all
  double tolerance = 1e-9;
  std::vector<typename Queries::Class> classes;      ///< empty: all
  std::function<void(std::uint64_t done)> progress;  ///< called now and then, from any thread
  /// Who answers. Another than core, to see whether the oracle notices.
  decltype(&Queries::certify) certify = &Queries::certify;
};

template <class Queries>
struct SweepResultOf {
  std::array<ClassCounts, Queries::kClasses> counts;
  std::vector<RefutationOf<Queries>> refutations;  ///< the first 100
};

/// Work is handed out in chunks of one class; every chunk is counted on its own and added up, so
/// that nothing depends on who did it.
template <class Queries>
class SweepRun {
 public:
  using Class = typename Queries::Class;
  using Query = typename Queries::Query;
  using Refutation = RefutationOf<Queries>;

  explicit SweepRun(const SweepOptionsOf<Queries>& options)
      : options_(options), classes_(options.classes) {
    if (classes_.empty()) {
      for (int i = 0; i < Queries::kClasses; ++i) classes_.push_back(static_cast<Class>(i));
    }
    per_class_ = options.queries / classes_.size() / 2 * 2;
    chunks_per_class_ = (per_class_ + kChunk - 1) / kChunk;
  }

  SweepResultOf<Queries> go() {
    int threads = options_.threads;
    if (threads <= 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    std::vector<std::thread> pool;
    for (int i = 0; i < threads; ++i) pool.emplace_back([this] { work(); });
    for (std::thread& thread : pool) thread.join();
    auto& found = result_.refutations;
    std::sort(found.begin(), found.end(), [](const Refutation& a, const Refutation& b) {
      return std::pair(a.query_class, a.index) < std::pair(b.query_class, b.index);
    });
    return result_;
  }

 private:
  static constexpr std::uint64_t kChunk = 256;

  void work() {
    for (;;) {
      const std::uint64_t chunk = next_.fetch_add(1);
      if (chunk >= chunks_per_class_ * classes_.size()) return;
      const Class c = classes_[chunk % classes_.size()];
      const std::uint64_t first = chunk / classes_.size() * kChunk;
      const std::uint64_t last = std::min(first + kChunk, per_class_);
      run_chunk(c, first, last);
      const std::uint64_t done = done_.fetch_add(last - first) + (last - first);
      if (options_.progress) options_.progress(done);
    }
  }

  void run_chunk(Class c, std::uint64_t first, std::uint64_t last) {
    ClassCounts counts;
    std::vector<Refutation> found;
    for (std::uint64_t i = first; i < last; i += 2) {
      const std::array<Query, 2> pair = Queries::make_pair(c, options_.seed, i / 2);
      judge(c, i, pair[0], counts, found);
      judge(c, i + 1, pair[1], counts, found);
    }
    const std::lock_guard lock(mutex_);
    result_.counts[static_cast<std::size_t>(c)].add(counts);
    for (Refutation& r : found) {
      if (result_.refutations.size() < 100) result_.refutations.push_back(r);
    }
  }

  void judge(Class c, std::uint64_t index, const Query& query, ClassCounts& counts,
             std::vector<Refutation>& found) const {
    const auto certificate = options_.certify(query, options_.tolerance);
    const auto claim = claim_of(certificate);
    const Verdict verdict = verify(query, claim);
    counts.add(certificate, verdict);
    if (claim.status == Claim::Status::kHit && claim.hi - claim.lo > options_.tolerance) {
      ++counts.wide;
      if (Queries::starts_early(query, claim.lo)) ++counts.loose;
    }
    if (verdict.kind == Verdict::Kind::kRefuted) {
      found.push_back({c, options_.seed, index, claim, verdict});
    }
  }

  const SweepOptionsOf<Queries>& options_;
  std::vector<Class> classes_;
  std::uint64_t per_class_ = 0;
  std::uint64_t chunks_per_class_ = 0;
  std::atomic<std::uint64_t> next_{0};
  std::atomic<std::uint64_t> done_{0};
  std::mutex mutex_;
  SweepResultOf<Queries> result_;
};

/// Queries 0 .. queries / classes - 1 of every class, an even number. The result does not depend on
/// `threads`.
template <class Queries>
SweepResultOf<Queries> sweep(const SweepOptionsOf<Queries>& options) {
  return SweepRun<Queries>(options).go();
}

/// The counts as an aligned table, a line per class that has queries, and totals.
template <class Queries>
std::string table(const SweepResultOf<Queries>& result) {
  std::string out = heading();
  ClassCounts total;
  for (std::size_t i = 0; i < result.counts.size(); ++i) {
    const ClassCounts& c = result.counts[i];
    if (c.queries == 0) continue;
    out += row(Queries::name(static_cast<typename Queries::Class>(i)), c);
    total.add(c);
  }
  return out + row("all", total);
}

/// One line with all that is needed to see a refutation again.
template <class Queries>
std::string describe(const RefutationOf<Queries>& r) {
  return fmt::format(
      "{}: class {} seed {} index {}: claimed {} [{:.17g}, {:.17g}], refuted at t = {:.21Lg}, "
      "distance {:.21Lg} m\n",
      name_of(r.verdict.fault), Queries::name(r.query_class), r.seed, r.index,
      status_name(r.claim.status), r.claim.lo, r.claim.hi, r.verdict.time, r.verdict.distance);
}

}  // namespace tocsin::oracle::test
