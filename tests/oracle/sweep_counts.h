// What a sweep counts of each class of queries, and how that is printed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/query/certify.h"
#include "oracle/verify_bracket.h"

namespace tocsin::oracle::test {

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
  std::uint64_t evaluations = 0;  ///< by core
  std::int32_t most_evaluations = 0;
  std::uint64_t oracle_evaluations = 0;

  [[nodiscard]] std::uint64_t contacts() const { return hit + overlap; }
  void add(const ClassCounts& other);
  void add(const core::Certificate& certificate, const Verdict& verdict);
};

/// What core answers, as a claim that the oracle can judge.
Claim claim_of(const core::Certificate& certificate);

/// "free", "overlap", ...
const char* status_name(Claim::Status s);

/// The head of a table of counts, and a line of it.
std::string heading();
std::string row(std::string_view name, const ClassCounts& c);

/// A joint's stored parameters and a vector, exactly, for a person.
std::string numbers(const Vec3& v);
std::string numbers(const core::JointMotion& m);

}  // namespace tocsin::oracle::test
