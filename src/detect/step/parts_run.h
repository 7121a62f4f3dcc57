// One call's work on a step that is checked in parts.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "detect/step/parts.h"

namespace tocsin::detect {

/// The earliest start of a contact; 1: there is none.
double least_start(std::span<const Contact> contacts);

/// One call's work on a step.
class PartsRun {
 public:
  PartsRun(const ExactStep& exact, const Member& member, const Workspace& work, const Known& known,
           StepInParts& parts)
      : exact_(exact), member_(member), work_(work), known_(known), parts_(parts) {}

  /// Does what is left. Throws Spent, Stopped, std::bad_alloc.
  void run() {
    using Stage = StepInParts::Stage;
    if (parts_.stage == Stage::kMovers) look_at_movers();
    if (parts_.stage == Stage::kLinks) look_at_links();
    if (parts_.stage == Stage::kPairs) look_at_pairs();
    if (parts_.stage == Stage::kAnswers) answer_all();
    if (parts_.stage == Stage::kClearances) add_clearances();
  }
  /// What is proved so far.
  [[nodiscard]] StepReport report() const;

 private:
  [[nodiscard]] bool avatar_is_clear();
  [[nodiscard]] bool is_clear(std::size_t link);
  void look_at_movers();
  void look_at_links();
  void look_at_link(std::size_t link);
  void look_at_pairs();
  void answer_all();
  /// False: all that matters is answered.
  [[nodiscard]] bool is_more() const;
  void take_next();
  /// True if all that is left of the question is answered.
  bool answer_room();
  void answer_pair();
  void note(const Contact& contact);
  [[nodiscard]] LinkRest& rest_now() {
    return parts_.now->rest == kNotKept ? parts_.again : parts_.rests[parts_.now->rest];
  }
  /// Cull, triage, and contacts at t = 0. The groups that are left go to `rest`.
  void triage(std::size_t link, LinkRest& rest, bool first);
  void keep(LinkRest& rest);
  /// All contacts are known.
  void end_contacts();
  void add_inside(StepReport& report) const;
  void lower_to_movers();
  void add_clearances();
  /// Until when what is left of the question that is being answered is proved free.
  [[nodiscard]] double bound_of_now() const;
  [[nodiscard]] double checked_until() const;

  const ExactStep& exact_;
  const Member& member_;
  const Workspace& work_;
  const Known& known_;
  StepInParts& parts_;
};

}  // namespace tocsin::detect
