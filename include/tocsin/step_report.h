// The answer for one step.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tocsin/contact.h"
#include "tocsin/result.h"

namespace tocsin {

/// Work done for a step; no part of its answer: a Stream does less of it than Detector::check. Nv,
/// Np and Nu are the terms of paper 001's cost, section 3.2.
struct StepCounters {
  std::uint64_t near_links = 0;  ///< links whose coarse box meets some triangle's box
  /// gl: (slab, cluster) pairs whose boxes overlap, and those that visibility left of them
  std::uint64_t box_pairs = 0;
  std::uint64_t seen_pairs = 0;
  /// Np: (link, triangle) pairs that the culler kept and that are active
  std::uint64_t candidates = 0;
  std::uint64_t evaluations = 0;      ///< of a link and a triangle, by certify or in its place
  std::uint64_t tree_queries = 0;     ///< questions asked of the tree
  std::uint64_t volume_tests = 0;     ///< Nv: bounding volumes of the tree tested to cull
  std::uint64_t primitive_tests = 0;  ///< triangles tested in its leaves
  std::uint64_t updates = 0;          ///< Nu: bounding volumes made for links
  std::uint64_t link_pairs = 0;  ///< pairs of links whose swept boxes meet, told by the first link

  /// Adds every count: the work for several steps.
  StepCounters& operator+=(const StepCounters& other) {
    near_links += other.near_links;
    box_pairs += other.box_pairs;
    seen_pairs += other.seen_pairs;
    candidates += other.candidates;
    evaluations += other.evaluations;
    tree_queries += other.tree_queries;
    volume_tests += other.volume_tests;
    primitive_tests += other.primitive_tests;
    updates += other.updates;
    link_pairs += other.link_pairs;
    return *this;
  }
};

/// The answer for one step. Take it by value() where an error is not handled: a report with an
/// error has no contacts, and must not be read as "no contact".
struct StepReport {
  std::int64_t step = 0;  ///< index of the step's first frame
  std::array<std::int64_t, 2> frames{};
  std::int32_t avatar = 0;  ///< index into the avatars that are checked together
  /// Nothing active is touched on [0, safe_until): proved. 1 if the whole step is free; 0 on an
  /// error, and with GlSurface::kPaper, which proves nothing.
  double safe_until = 0.0;
  /// In order of link; of one link, objects first, then other links in order of (avatar, link).
  std::vector<Contact> contacts;
  /// Per link, if asked for: a proved lower bound, metres, of the least distance over the step
  /// between the link's surface and anything active; 0 for a link in contact.
  std::vector<double> clearances;
  StepCounters counters;
  std::optional<Error> error;  ///< set if the step could not be checked; nothing is proved then
  /// False: the budget of the check was spent (StepBudget). Then this report is a part of the
  /// complete one: it has those of its contacts that begin before checked_until (toc[0] below it),
  /// bit for bit, and everything else is proved free until then. Clearances are 0 then.
  /// docs/exact.md, "A step in parts".
  bool complete = true;
  /// Local time up to which the step is checked: 1 if the report is complete. With Contacts::kFirst
  /// the first contact is told by the complete report.
  double checked_until = 1.0;

  /// This report. Throws an Exception with `error` if the step could not be checked.
  [[nodiscard]] const StepReport& value() const& {
    if (error) throw Exception(*error);
    return *this;
  }
  [[nodiscard]] StepReport value() && {
    static_cast<void>(std::as_const(*this).value());
    return std::move(*this);
  }
};

}  // namespace tocsin
