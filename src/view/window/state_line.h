// The state of a window as a line of JSON, for scripts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "view/window/checker.h"
#include "view/window/player.h"

namespace tocsin::view {

/// How fast pictures of the window followed each other, since it was asked.
struct FramePace {
  std::int64_t frames = 0;    ///< of the window
  std::int64_t pictures = 0;  ///< of the view: it is drawn anew when something changes
  double seconds = 0.0;       ///< in which they were shown
  double busy = 0.0;          ///< seconds in which they were made; the rest was waited
  double slowest = 0.0;       ///< seconds of one frame
  void add(double took) {
    ++frames;
    busy += took;
    slowest = std::max(slowest, took);
  }
};

/// What else the line says.
struct StateNotes {
  std::string device = {};  ///< what draws
  std::string message;
  std::string check;
  int width = 0;  ///< of the window, pixels
  int height = 0;
  double scale = 1.0;
  int overlapping_letters = 0;
  bool filming = false;
  int lost_contexts = 0;
  std::vector<std::string> controls;
  std::vector<std::string> study;
  std::vector<std::string> labels = {};
  std::string field_error = {};
  CheckWish wish;
  std::optional<LiveCounts> live = std::nullopt;
  std::vector<std::string> live_lines = {};
  std::vector<std::string> shown_lines = {};  ///< the same as the panel wraps them
  int cut_texts = 0;
  FramePace pace = {};
};

/// With a newline.
std::string state_line(const Player& player, const StateNotes& notes);

}  // namespace tocsin::view
