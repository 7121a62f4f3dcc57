// Several avatars that are checked together, instant after instant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "detect/backends/detector_core.h"
#include "detect/crowd/meeting.h"
#include "detect/step/coherence.h"
#include "detect/step/moving_links.h"
#include "tocsin/detector.h"

namespace tocsin::detect {

/// One avatar's step at an instant.
struct Presence {
  std::size_t member = 0;  ///< index among the members
  const Step* step = nullptr;
};

/// Adds the questions of an instant: one for each avatar that is present, in order.
void add_questions(std::span<const Member> members, std::span<const Presence> present,
                   std::size_t instant, std::vector<Question>& questions);

/// How an instant is checked.
struct CrowdOptions {
  bool meet = false;
  bool parallel = false;            ///< on all threads of the current arena
  bool room_is_known = false;       ///< reports have all but the meeting already
  bool contacts_are_known = false;  ///< and the meeting's contacts, too
  std::stop_token stop = {};
  const StepBudget* budget = nullptr;  ///< RunOptions::budget; null: there is none
};

/// Keeps what the avatars' steps share from instant to instant. One thread at a time asks.
class CrowdCheck {
 public:
  /// Both must outlive this. `remembers`: also uses what earlier instants proved, which pays if
  /// the same members are asked about again and again.
  CrowdCheck(const detail::DetectorCore& core, std::span<const Member> members,
             bool remembers = false);

  /// Checks the avatars that are present: in order of members, each once. reports[i] is that of
  /// present[i]. Errors are in the reports; nothing is thrown. After a stop request the reports are
  /// not valid.
  void check(std::span<const Presence> present, const CrowdOptions& options,
             std::span<StepReport> reports);
  /// One step of every member: Detector::check_batch, but for what is wrong with the detector.
  [[nodiscard]] std::vector<StepReport> check_batch(std::span<const Step> steps,
                                                    const RunOptions& options);

 private:
  /// Makes the members' working memory, at the first check on the CPU. Checks on a device do not
  /// need it.
  void prepare_members();
  void check_everybody(std::span<const Step> steps, const RunOptions& options,
                       std::span<StepReport> reports);
  /// What a device answers of it ahead.
  void ask_ahead(CrowdOptions& how, std::span<StepReport> reports);
  /// The box of the refs of all avatars that are present: their roots at the start of the step.
  [[nodiscard]] core::Box refs_of(std::span<const Presence> present) const;
  void check_rooms(std::span<const Presence> present, const CrowdOptions& options,
                   std::span<StepReport> reports);
  void check_room(const Presence& present, const core::Box& refs, const CrowdOptions& options,
                  StepReport& report);

  const detail::DetectorCore& core_;
  std::span<const Member> members_;
  bool remembers_;
  std::vector<MovingLinks> links_;                ///< per member; empty: not prepared
  std::vector<std::vector<std::int32_t>> roots_;  ///< per member, joints without a parent
  std::vector<Coherence> coherence_;              ///< per member, if it remembers
  std::vector<Guest> guests_;
  std::vector<Presence> everybody_;
  Meeting meeting_;
};

/// The same error in every report.
std::vector<StepReport> all_failed(std::size_t count, std::span<const Step> steps,
                                   const Error& error);

}  // namespace tocsin::detect
