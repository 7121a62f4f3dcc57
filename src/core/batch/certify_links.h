// Contacts of pairs of links: bodies of the certify stage. docs/cuda.md, "Stages".
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/batch/certify.h"
#include "core/batch/layout.h"
#include "core/query/contact_point.h"
#include "core/query/link_pair.h"
#include "core/query/pair_contact.h"
#include "core/vector/atomic.h"

namespace tocsin::core::batch {

/// A stop_after with which certify_pair makes one iteration. Nearly all pairs are settled then, and
/// the others answer kPruned. Every other answer is the same as without it.
inline constexpr double kOneIteration = -1.0;

/// The contacts of pairs, one pair a thread. contacts, touched, open: per pair, set; links of one
/// step share one array of joints, as certify_pair requires.
struct CertifyPairs {
  View view;
  const LinkPair* pairs = nullptr;
  const std::uint32_t* chosen = nullptr;  ///< which pairs; null: all
  double tolerance = 0.0;                 ///< step time
  double stop_after = kToEnd;
  StepTally* tallies = nullptr;
  PairContact* contacts = nullptr;
  std::uint8_t* touched = nullptr;
  std::uint8_t* open = nullptr;  ///< 1: not settled before stop_after

  TOCSIN_HD void operator()(std::size_t i) const {
    const std::size_t at = chosen == nullptr ? i : chosen[i];
    const LinkPair& pair = pairs[at];
    const LinkMotion a = link_motion(view, pair.first);
    const LinkMotion b = link_motion(view, pair.second);
    const Certificate c =
        certify_pair(a, evaluate(a, 0.0), b, evaluate(b, 0.0), tolerance, stop_after);
    atomic_add(tallies[view.step_of_link[pair.first]].evaluations,
               static_cast<std::uint64_t>(c.evaluations));
    PairContact contact;
    // A graze that volumes around both motions prove free counts as free, so that no answer depends
    // on the broad phase.
    if (c.outcome != Outcome::kGraze || may_graze(a, b)) contact.add(0, c);
    contacts[at] = contact;
    touched[at] = contact.any() ? 1 : 0;
    open[at] = c.outcome == Outcome::kPruned ? 1 : 0;
  }
};

/// Writes the contact of every pair that has one.
struct RecordPairs {
  View view;
  const LinkPair* pairs = nullptr;
  const PairContact* contacts = nullptr;
  const std::uint32_t* touched = nullptr;
  ContactRecord* records = nullptr;

  TOCSIN_HD void operator()(std::size_t i) const {
    const LinkPair& pair = pairs[touched[i]];
    const PairContact& contact = contacts[touched[i]];
    const LinkMotion a = link_motion(view, pair.first);
    const LinkMotion b = link_motion(view, pair.second);
    const double t = contact.place_time() > 0.0 ? contact.place_time() : 0.0;
    ContactRecord record = record_of(contact, contact_point(a, evaluate(a, t), b, evaluate(b, t)));
    record.link = pair.first;
    record.other = pair.second;
    records[i] = record;
  }
};

}  // namespace tocsin::core::batch
