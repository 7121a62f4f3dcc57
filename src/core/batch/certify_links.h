// Contacts of pairs of links: bodies of the certify stage. docs/cuda.md, "Stages".
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/batch/certify.h"
#include "core/batch/layout.h"
#include "core/query/contact_point.h"
#include "core/query/early_out_pair.h"
#include "core/query/link_pair.h"
#include "core/query/pair_contact.h"
#include "core/vector/atomic.h"

namespace tocsin::core::batch {

/// The early-out of pairs, one pair a thread: nearly all are settled then. contacts, touched, open:
/// per pair, set; links of one step share one array of joints, as certify_pair requires.
struct LookAtPairs {
  View view;
  const LinkPair* pairs = nullptr;
  StepTally* tallies = nullptr;
  PairContact* contacts = nullptr;
  std::uint8_t* touched = nullptr;
  std::uint8_t* open = nullptr;  ///< 1: not settled

  TOCSIN_HD void operator()(std::size_t i) const {
    const LinkPair& pair = pairs[i];
    const SeenPair seen = seen_pair(link_motion(view, pair.first), link_motion(view, pair.second));
    if (seen.finite) atomic_add(tallies[view.step_of_link[pair.first]].evaluations, 1);
    const EarlyOut::Kind kind = early_out(seen);
    PairContact contact;
    if (kind == EarlyOut::Kind::kOverlap) contact.add(0, {Outcome::kOverlap, 0.0, 0.0, false, 1});
    contacts[i] = contact;
    touched[i] = contact.any() ? 1 : 0;
    open[i] = kind == EarlyOut::Kind::kSuspect ? 1 : 0;
  }
};

/// Prepares pairs for certify, one pair a thread. It then reads their motions where it needs them,
/// and has its registers for the query.
struct SeePairs {
  View view;
  const LinkPair* pairs = nullptr;
  const std::uint32_t* open = nullptr;  ///< which pairs
  SeenPair* seen = nullptr;             ///< per open pair

  TOCSIN_HD void operator()(std::size_t i) const {
    const LinkPair& pair = pairs[open[i]];
    seen[i] = seen_pair(link_motion(view, pair.first), link_motion(view, pair.second));
  }
};

/// The contacts of open pairs, one pair a thread. contacts, touched: per pair, set.
struct CertifyPairs {
  View view;
  const LinkPair* pairs = nullptr;
  const std::uint32_t* open = nullptr;  ///< which pairs
  const SeenPair* seen = nullptr;       ///< per open pair
  double tolerance = 0.0;               ///< step time
  StepTally* tallies = nullptr;
  PairContact* contacts = nullptr;
  std::uint8_t* touched = nullptr;

  TOCSIN_HD void operator()(std::size_t i) const {
    const std::uint32_t at = open[i];
    const LinkPair& pair = pairs[at];
    const Certificate c = certify_seen(seen[i], tolerance, kToEnd);
    atomic_add(tallies[view.step_of_link[pair.first]].evaluations,
               static_cast<std::uint64_t>(c.evaluations));
    PairContact contact;
    // A graze that volumes around both motions prove free counts as free, so that no answer depends
    // on the broad phase.
    if (c.outcome != Outcome::kGraze ||
        may_graze(link_motion(view, pair.first), link_motion(view, pair.second))) {
      contact.add(0, c);
    }
    contacts[at] = contact;
    touched[at] = contact.any() ? 1 : 0;
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
