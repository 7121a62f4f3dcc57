// `tocsin watch`: says what a server checks, line by line; or downloads one of its rooms.
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "app/cli/exit_status.h"
#include "tocsin/client.h"

namespace tocsin::app {

struct FollowOptions {
  ConnectionOptions connection;
  std::string token_file;  ///< whose first line is the token; empty: none
  WatchOptions what;       ///< without poses
  bool all = false;        ///< free steps, too
  bool json = false;
  std::optional<double> seconds;  ///< how long; none: until the server or a signal ends it
  std::string room;               ///< a file for a room, which is all then; empty: watch
};

ExitStatus run_watch(const FollowOptions& options, const std::stop_token& stop);

}  // namespace tocsin::app
