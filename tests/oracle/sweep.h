// Many random queries: core's certify answers, the oracle judges.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/certify.h"
#include "query_generator.h"

namespace tocsin::oracle::test {

/// What core's certify says about a query.
core::Certificate certify_query(const LinkQuery& query, double tolerance);

/// The rounding margin eta that certify uses for it, metres.
double eta_of(const LinkQuery& query);

/// The same, as a claim that the oracle can judge.
Claim claim_of(const core::Certificate& certificate);

/// Counts over queries of one class.
struct ClassCounts {
  std::uint64_t queries = 0;
  std::uint64_t free = 0;
  std::uint64_t hit = 0;
  std::uint64_t overlap = 0;
  std::uint64_t graze = 0;
  std::uint64_t limited = 0;      ///< of the grazes
  std::uint64_t wide = 0;         ///< hits whose bracket is wider than the tolerance
  std::uint64_t loose = 0;        ///< of these, lo is early by more than 8 eta of distance
  std::uint64_t missed = 0;       ///< refuted: claimed free, touches
  std::uint64_t wrong = 0;        ///< refuted otherwise
  std::uint64_t undecided = 0;    ///< the oracle could not tell
  std::uint64_t evaluations = 0;  ///< by certify
  std::int32_t most_evaluations = 0;
  std::uint64_t oracle_evaluations = 0;

  [[nodiscard]] std::uint64_t contacts() const { return hit + overlap; }
  void add(const ClassCounts& other);
};

/// A query whose answer the oracle refutes.
struct Refutation {
  QueryClass query_class = QueryClass::kMix;
  std::uint64_t seed = 0;
  std::uint64_t index = 0;
  Claim claim;
  Verdict verdict;
};

struct SweepOptions {
  std::uint64_t queries = 1'000'000;  ///< over all classes together
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all
  double tolerance = 1e-9;
  std::vector<QueryClass> classes;                   ///< empty: all
  std::function<void(std::uint64_t done)> progress;  ///< called now and then, from any thread
};

struct SweepResult {
  std::array<ClassCounts, kClassCount> counts;
  std::vector<Refutation> refutations;  ///< the first 100
};

/// Queries 0 .. queries / classes - 1 of every class, an even number. The result does not depend on
/// `threads`.
SweepResult sweep(const SweepOptions& options);

/// The counts as an aligned table, a line per class that has queries, and totals.
std::string table(const SweepResult& result);

/// One line with all that is needed to see a refutation again.
std::string describe(const Refutation& refutation);

/// A query as numbers, for a person.
std::string describe(const LinkQuery& query);

}  // namespace tocsin::oracle::test
