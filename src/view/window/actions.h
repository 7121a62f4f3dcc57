// What a window can be told to do, and the keys for it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tocsin::view {

enum class Action : std::uint8_t {
  kPlay,
  kNextContact,
  kPreviousContact,
  kNextStep,
  kPreviousStep,
  kLater,
  kEarlier,
  kSlower,
  kFaster,
  kBegin,
  kEnd,
  kTurnLeft,
  kTurnRight,
  kTurnUp,
  kTurnDown,
  kMoveLeft,
  kMoveRight,
  kMoveUp,
  kMoveDown,
  kNearer,
  kFarther,
  kForward,
  kBack,
  kStepLeft,
  kStepRight,
  kRise,
  kSink,
  kCamera,
  kOverview,
  kLookAgain,
  kFollow,
  kPick,
  kMeasure,
  kRoom,
  kSweep,
  kTree,
  kCandidates,
  kHits,
  kOverlaps,
  kGrazes,
  kLinkFilter,
  kThingFilter,
  kNoFilter,
  kMargin,
  kIgnore,
  kInBetween,
  kScreenshot,
  kFilm,
  kKeys,
  kCancel,
  kQuit,
};

/// A key, what it does, and how that is told.
struct KeyRow {
  std::string_view key;  ///< as scripts name it: "space", "n", "shift+left"
  Action action;
  std::string_view text;
  std::string_view group;
};

/// All keys, by group.
std::span<const KeyRow> key_rows();

/// What a key does; none: nothing. `key`: as KeyRow::key, lower case.
std::optional<Action> action_of(std::string_view key);

/// The first key of an action, for people: "Space", "Shift+Left".
std::string key_text(Action action);
/// The same of a key.
std::string shown_key(std::string_view key);

/// The key list as lines of text, for `--help` and docs.
std::string key_list();

}  // namespace tocsin::view
