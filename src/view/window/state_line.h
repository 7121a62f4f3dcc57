// The state of a window as a line of JSON, for scripts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "view/window/checker.h"
#include "view/window/player.h"

namespace tocsin::view {

/// What else the line says.
struct StateNotes {
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
};

/// With a newline.
std::string state_line(const Player& player, const StateNotes& notes);

}  // namespace tocsin::view
