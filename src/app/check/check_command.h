// What `tocsin check` is asked for.
#pragma once

#include <optional>
#include <string>

#include "app/check/episode_table.h"
#include "app/cli/options.h"

namespace tocsin::app {

/// What is checked, and how its result is shown.
struct CheckCommand {
  CheckOptions check;  ///< with `each`: `out` is a folder, of a report a take
  TableWishes table;
  std::optional<std::string> csv;  ///< the file of the episodes; "-": standard output
  /// The report or record whose takes, rooms and question are checked; empty: those of `check`.
  std::string like;
  bool each = false;  ///< every take alone in the room
};

}  // namespace tocsin::app
