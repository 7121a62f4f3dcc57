#include "view/window/actions.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace tocsin::view {
namespace {

constexpr std::string_view kTime = "Time";
constexpr std::string_view kCameraGroup = "Camera";
constexpr std::string_view kShow = "What is shown";
constexpr std::string_view kList = "List and check";
constexpr std::string_view kFiles = "Window";

constexpr std::array kRows{
    KeyRow{"space", Action::kPlay, "play, pause", kTime},
    KeyRow{"n", Action::kNextContact, "next contact", kTime},
    KeyRow{"p", Action::kPreviousContact, "contact before", kTime},
    KeyRow{".", Action::kNextStep, "next step", kTime},
    KeyRow{",", Action::kPreviousStep, "step before", kTime},
    KeyRow{"l", Action::kLater, "later within the step, by a hundredth", kTime},
    KeyRow{"k", Action::kEarlier, "earlier within the step", kTime},
    KeyRow{"[", Action::kSlower, "slower, down to 1/1000", kTime},
    KeyRow{"]", Action::kFaster, "faster", kTime},
    KeyRow{"home", Action::kBegin, "to the begin", kTime},
    KeyRow{"end", Action::kEnd, "to the end; back to live", kTime},

    KeyRow{"left", Action::kTurnLeft, "turn left", kCameraGroup},
    KeyRow{"right", Action::kTurnRight, "turn right", kCameraGroup},
    KeyRow{"up", Action::kTurnUp, "turn up", kCameraGroup},
    KeyRow{"down", Action::kTurnDown, "turn down", kCameraGroup},
    KeyRow{"shift+left", Action::kMoveLeft, "move left", kCameraGroup},
    KeyRow{"shift+right", Action::kMoveRight, "move right", kCameraGroup},
    KeyRow{"shift+up", Action::kMoveUp, "move up", kCameraGroup},
    KeyRow{"shift+down", Action::kMoveDown, "move down", kCameraGroup},
    KeyRow{"+", Action::kNearer, "nearer", kCameraGroup},
    KeyRow{"-", Action::kFarther, "farther", kCameraGroup},
    KeyRow{"c", Action::kCamera, "orbit or walk", kCameraGroup},
    KeyRow{"w", Action::kForward, "walk forward", kCameraGroup},
    KeyRow{"s", Action::kBack, "walk back", kCameraGroup},
    KeyRow{"a", Action::kStepLeft, "walk left", kCameraGroup},
    KeyRow{"d", Action::kStepRight, "walk right", kCameraGroup},
    KeyRow{"pageup", Action::kRise, "walk: up", kCameraGroup},
    KeyRow{"pagedown", Action::kSink, "walk: down", kCameraGroup},
    KeyRow{"o", Action::kOverview, "overview", kCameraGroup},
    KeyRow{"v", Action::kLookAgain, "look at the chosen contact again", kCameraGroup},

    KeyRow{"enter", Action::kPick, "pick, follow: pointer, or cross", kShow},
    KeyRow{"f", Action::kFollow, "follow what is picked or chosen", kShow},
    KeyRow{"m", Action::kMeasure, "tape's point: pointer, or cross", kShow},
    KeyRow{"r", Action::kRoom, "room", kShow},
    KeyRow{"x", Action::kSweep, "swept surfaces of the step", kShow},
    KeyRow{"t", Action::kTree, "volumes of the tree near the link", kShow},
    KeyRow{"b", Action::kCandidates, "candidates; what culled others", kShow},

    KeyRow{"1", Action::kHits, "hits", kList},
    KeyRow{"2", Action::kOverlaps, "overlaps", kList},
    KeyRow{"3", Action::kGrazes, "grazes", kList},
    KeyRow{"i", Action::kLinkFilter, "episodes of the next link only", kList},
    KeyRow{"u", Action::kThingFilter, "episodes of the next object only", kList},
    KeyRow{"0", Action::kNoFilter, "all episodes", kList},
    KeyRow{"f3", Action::kMargin, "write a margin, check again", kList},
    KeyRow{"f4", Action::kIgnore, "write what to ignore, check again", kList},
    KeyRow{"f5", Action::kInBetween, "other in-between, check again", kList},

    KeyRow{"f2", Action::kScreenshot, "screenshot", kFiles},
    KeyRow{"f9", Action::kFilm, "film: begin, end", kFiles},
    KeyRow{"f1", Action::kKeys, "keys", kFiles},
    KeyRow{"h", Action::kKeys, "keys", kFiles},
    KeyRow{"escape", Action::kCancel, "back: close, stop following", kFiles},
    KeyRow{"ctrl+q", Action::kQuit, "quit", kFiles},
};

}  // namespace

std::span<const KeyRow> key_rows() { return kRows; }

std::optional<Action> action_of(std::string_view key) {
  const auto found =
      std::find_if(kRows.begin(), kRows.end(), [key](const KeyRow& row) { return row.key == key; });
  if (found == kRows.end()) return std::nullopt;
  return found->action;
}

std::string shown_key(std::string_view key) {
  std::string out;
  bool begins = true;
  for (const char c : key) {
    const bool names = key.size() > 1;
    out += begins && names ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins = c == '+' && names;
  }
  return out;
}

std::string key_text(Action action) {
  const auto found = std::find_if(kRows.begin(), kRows.end(),
                                  [action](const KeyRow& row) { return row.action == action; });
  return found == kRows.end() ? std::string() : shown_key(found->key);
}

std::string key_list() {
  std::string out;
  std::string_view group;
  for (const KeyRow& row : kRows) {
    if (row.group != group) {
      group = row.group;
      out += "  " + std::string(group) + ":\n";
    }
    std::string key = shown_key(row.key);
    key.resize(std::max<std::size_t>(key.size() + 1, 13), ' ');
    out += "    " + key + std::string(row.text) + "\n";
  }
  return out;
}

}  // namespace tocsin::view
