// Several avatars, all moving at the same time: which of their links touch which? docs/exact.md,
// "Two links"; docs/many-bodies.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/bounds/box.h"
#include "cpu/broadphase/interval_sweep.h"
#include "cpu/broadphase/sweep_and_prune.h"
#include "detect/crowd/link_contact.h"
#include "detect/step/moving_links.h"
#include "tocsin/detector_options.h"
#include "tocsin/step_budget.h"
#include "tocsin/step_report.h"

namespace tocsin::detect {

/// One avatar that takes part.
struct Guest {
  std::int32_t avatar = 0;       ///< how reports call it
  MovingLinks* links = nullptr;  ///< begun with a box that holds the refs of all guests
  StepReport* report = nullptr;  ///< what is known of it without the others; no error
};

/// How guests are checked against each other.
struct MeetingRun {
  bool parallel = false;  ///< on all threads of the current arena; the reports are the same
  std::stop_token stop = {};
  const StepBudget* budget = nullptr;  ///< for every two whose boxes meet; null: there is none
};

/// Owns memory that is used again; one thread at a time asks.
class Meeting {
 public:
  /// `remembers`: the avatars' boxes stay sorted from one time to the next, which pays if the same
  /// ones come again and have moved little.
  explicit Meeting(bool remembers = false) : remembers_(remembers) {}

  /// Checks the guests against each other and adds the results to their reports: contacts,
  /// safe_until, clearances (if the reports have them), counters. Guests come in order of `avatar`.
  /// Gives up, somewhere, once `run.stop` asks for it. If a budget is spent, here or in a report
  /// before, all reports are checked until the same time. Throws std::bad_alloc only.
  void hold(std::span<const Guest> guests, const DetectorOptions& options, const MeetingRun& run);
  /// The part of it that is about clearances, where contacts, safe_until and the zeros that
  /// contacts make of clearances are there already.
  void add_clearances(std::span<const Guest> guests, const DetectorOptions& options, bool parallel,
                      const std::stop_token& stop);
  /// Knows nothing of earlier times any more. Needed after hold() has thrown.
  void forget() { prune_ = {}; }

 private:
  /// Two avatars whose boxes meet.
  struct Encounter {
    std::size_t first = 0;  ///< index among the guests
    std::size_t second = 0;
    std::vector<NearLinks> near;
    std::vector<Contact> contacts;
    StepCounters counters;
    double checked_until = 1.0;  ///< step time: pairs that are not certified are free before
  };

  /// The pairs of guests whose boxes overlap, by their indices, in order.
  std::span<const cpu::BodyPair> find_pairs();
  std::span<const cpu::BodyPair> find_pairs_again();
  void meet(std::span<const cpu::BodyPair> pairs, bool parallel, const std::stop_token& stop);
  void find_near(Encounter& encounter, const std::stop_token& stop) const;
  void certify(Encounter& encounter, const std::stop_token& stop) const;
  /// Throws Stopped.
  void certify_near(Encounter& encounter, const Guest& first, const Guest& second,
                    const std::stop_token& stop) const;
  /// The same for as long as the budget lasts, the pairs that are free for the shortest time first.
  void certify_within(Encounter& encounter, const Guest& first, const Guest& second,
                      const std::stop_token& stop) const;
  void report(const Encounter& encounter) const;
  /// Cuts all reports at the time until which all of them are checked. False: they are whole.
  bool cut_reports(double checked_until) const;
  /// Lowers each guest's clearances to its distances from the others.
  void add_clearances(bool parallel, const std::stop_token& stop) const;
  /// The same for one guest. Precondition: all links' motions and boxes. Throws Stopped.
  void add_clearances(const Guest& guest, const std::stop_token& stop) const;

  std::span<const Guest> guests_;
  DetectorOptions options_;
  const StepBudget* budget_ = nullptr;
  bool remembers_;
  cpu::IntervalSweep sweep_;                    ///< used if not remembers_
  cpu::SweepAndPrune prune_;                    ///< used if remembers_; a body is an avatar
  std::vector<cpu::BodyPair> pairs_;            ///< the same: of guests
  std::vector<std::int32_t> guest_of_;          ///< the same: per avatar
  std::vector<core::Box> boxes_;                ///< of whole guests
  std::vector<Encounter> encounters_;           ///< used again, the first few of them
  std::vector<std::uint8_t> paired_;            ///< per guest: some box meets its own
  std::vector<std::vector<std::size_t>> need_;  ///< per guest the links that are asked about
};

}  // namespace tocsin::detect
