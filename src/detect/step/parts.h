// A step that is checked in parts: what is known of it so far, and what is left to do.
// docs/exact.md, "A step in parts"; paper 001, section 5.2.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/query/advance.h"
#include "detect/step/exact_step.h"
#include "tocsin/member.h"

namespace tocsin::detect {

/// What is left to do about one link and the room. Each object is asked about by itself.
struct LinkRest {
  scene::Candidates candidates;
  std::vector<Suspect> suspects;
  /// In order of their first suspects' free_until. Their suspects are those above, or, of a link
  /// that is looked up again, those of the scratch.
  std::vector<Triage::Group> groups;
  std::size_t next = 0;  ///< index of the first group that is not done

  /// Until when what is left is proved free.
  [[nodiscard]] double free_until() const {
    return next < groups.size() ? groups[next].suspects.front().free_until : core::kToEnd;
  }
};

/// A question that is not answered: a link and the room, or two links of the avatar.
struct OpenQuestion {
  double free_until = 0.0;  ///< step time: proved free before
  bool room = true;
  std::uint32_t rest = 0;  ///< of the room: index into StepInParts::rests, or kNotKept
  NearLinks pair;          ///< of the room: `other` is not used
};
inline constexpr std::uint32_t kNotKept = ~std::uint32_t{0};

/// Questions are answered in an order that depends on the step alone, always the one whose freedom
/// is proved for the shortest time. So the time before which all is known never falls. Everything
/// is used again from step to step.
struct StepInParts {
  enum class Stage : std::uint8_t { kMovers, kLinks, kPairs, kAnswers, kClearances, kDone };

  Stage stage = Stage::kDone;
  std::size_t link = 0;  ///< of kLinks, kPairs and kClearances: that comes next
  std::size_t other = 0;
  bool near = false;  ///< something of the room is near
  bool avatar_was_asked = false;
  std::size_t in_motion = 0;   ///< index of the object in motion that comes next, of a scene
  std::optional<Member> seen;  ///< of a scene: the member, with the scene's own pairs

  std::vector<OpenQuestion> open;  ///< a heap, the least free_until on top
  std::vector<LinkRest> rests;     ///< used again, the first few of them
  std::size_t rests_in_use = 0;
  std::size_t kept_candidates = 0;  ///< of these

  /// The question that is being answered; none: the next is taken from `open`.
  std::optional<OpenQuestion> now;
  LinkRest again;  ///< of `now`, if its rest is not kept
  PairCursor cursor;

  double first_hi = core::kToEnd;  ///< Contacts::kFirst: the earliest end of a touch so far
  StepReport known;                ///< contacts of all questions that are answered, and counters

  [[nodiscard]] bool has_rest() const { return stage != Stage::kDone; }
};

}  // namespace tocsin::detect
