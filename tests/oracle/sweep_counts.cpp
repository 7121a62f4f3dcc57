#include "sweep_counts.h"

#include <fmt/format.h>

#include <algorithm>

namespace tocsin::oracle::test {

void ClassCounts::add(const core::Certificate& c, const Verdict& verdict) {
  ++queries;
  switch (c.outcome) {
    case core::Outcome::kFree:
      ++free;
      break;
    case core::Outcome::kOverlap:
      ++overlap;
      break;
    case core::Outcome::kHit:
      ++hit;
      break;
    case core::Outcome::kGraze:
    case core::Outcome::kPruned:
      ++graze;
      break;
  }
  if (c.limited) ++limited;
  evaluations += static_cast<std::uint64_t>(c.evaluations);
  most_evaluations = std::max(most_evaluations, c.evaluations);
  oracle_evaluations += static_cast<std::uint64_t>(verdict.evaluations);
  if (verdict.kind == Verdict::Kind::kUndecided) ++undecided;
  if (verdict.kind == Verdict::Kind::kRefuted) {
    ++(verdict.fault == Verdict::Fault::kMissedContact ? missed : wrong);
  }
}

void ClassCounts::add(const ClassCounts& o) {
  queries += o.queries;
  free += o.free;
  hit += o.hit;
  overlap += o.overlap;
  graze += o.graze;
  limited += o.limited;
  wide += o.wide;
  loose += o.loose;
  missed += o.missed;
  wrong += o.wrong;
  undecided += o.undecided;
  evaluations += o.evaluations;
  most_evaluations = std::max(most_evaluations, o.most_evaluations);
  oracle_evaluations += o.oracle_evaluations;
}

Claim claim_of(const core::Certificate& c) {
  switch (c.outcome) {
    case core::Outcome::kFree:
      return {Claim::Status::kFree, 0.0, 0.0};
    case core::Outcome::kOverlap:
      return {Claim::Status::kOverlap, c.lo, c.hi};
    case core::Outcome::kHit:
      return {Claim::Status::kHit, c.lo, c.hi};
    case core::Outcome::kGraze:
    case core::Outcome::kPruned:
      return {Claim::Status::kGraze, c.lo, c.hi};
  }
  return {};
}

const char* status_name(Claim::Status s) {
  switch (s) {
    case Claim::Status::kFree:
      return "free";
    case Claim::Status::kOverlap:
      return "overlap";
    case Claim::Status::kHit:
      return "hit";
    case Claim::Status::kGraze:
      return "graze";
  }
  return "?";
}

std::string heading() {
  return fmt::format(
      "{:<11}{:>10}{:>10}{:>10}{:>10}{:>8}{:>8}{:>8}{:>8}{:>7}{:>7}{:>7}{:>10}{:>9}{:>7}{:>9}\n",
      "class", "queries", "free", "hit", "overlap", "contact", "graze", "limited", "wide", "loose",
      "missed", "wrong", "undecided", "evals", "worst", "oracle");
}

std::string row(std::string_view name, const ClassCounts& c) {
  const auto n = static_cast<double>(std::max<std::uint64_t>(c.queries, 1));
  return fmt::format(
      "{:<11}{:>10}{:>10}{:>10}{:>10}{:>7.1f}%{:>8}{:>8}{:>8}{:>7}{:>7}{:>7}{:>10}{:>9.1f}{:>7}{:>"
      "9.1f}"
      "\n",
      name, c.queries, c.free, c.hit, c.overlap, 100.0 * static_cast<double>(c.contacts()) / n,
      c.graze, c.limited, c.wide, c.loose, c.missed, c.wrong, c.undecided,
      static_cast<double>(c.evaluations) / n, c.most_evaluations,
      static_cast<double>(c.oracle_evaluations) / n);
}

std::string numbers(const Vec3& v) { return fmt::format("({:a}, {:a}, {:a})", v.x, v.y, v.z); }

std::string numbers(const core::JointMotion& m) {
  return fmt::format("joint r0 {} {} {}\n  c {} s {}\n  u {} w {:a}\n  v {} h {:a}\n",
                     numbers(m.r0.row[0]), numbers(m.r0.row[1]), numbers(m.r0.row[2]), numbers(m.c),
                     numbers(m.s), numbers(m.u), m.w, numbers(m.v), m.h);
}

}  // namespace tocsin::oracle::test
