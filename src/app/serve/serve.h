// `tocsin serve`: the service. docs/service.md.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/exit_status.h"
#include "app/cli/interrupt.h"
#include "app/cli/options.h"
#include "service/engine.h"
#include "service/rpc/server.h"

namespace tocsin::app {

/// A room that is loaded at the start.
struct ServedRoom {
  std::string name;
  std::vector<std::filesystem::path> files;  ///< merged in this order
};

struct ServeOptions {
  std::vector<ServedRoom> rooms;
  EnvironmentOptions reading;  ///< how they are read
  service::RoomPolicy policy;
  service::EngineOptions engine;
  service::ServerOptions server;
  bool sessions_given = false;        ///< the number of sessions is not the default
  std::string tokens;                 ///< file; empty: none
  std::string http;                   ///< HOST:PORT of the monitor; empty: none
  std::chrono::seconds lame_duck{0};  ///< for which all goes on after a signal, but not ready
  std::chrono::seconds grace{10};     ///< that steps in flight may take after a signal
  bool quiet = false;                 ///< no status lines
  bool log_json = false;              ///< a JSON object a line, and what clients do
};

/// Serves until a signal comes, then lets steps in flight finish. Writes its address to standard
/// output, one line, once it listens. All other messages go to standard error.
ExitStatus run_serve(const ServeOptions& options, InterruptWatch& interrupt);

/// `[NAME=]FILE` of every `--env`: without a name the file's stem is it; files of one NAME are
/// merged. Throws UsageError: a name that is none, or that two files without one would share.
std::vector<ServedRoom> parse_rooms(const std::vector<std::string>& values);

}  // namespace tocsin::app
