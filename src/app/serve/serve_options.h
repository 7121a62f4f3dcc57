// The options of `tocsin serve`.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "service/engine.h"
#include "service/live/live_options.h"
#include "service/rpc/server_options.h"

namespace tocsin::app {

/// A room that is loaded at the start.
struct ServedRoom {
  std::string name;
  std::vector<std::filesystem::path> files;  ///< merged in this order
};

/// A source of motion capture.
struct LiveArgument {
  std::string option;            ///< "--vmc", ...
  service::LiveOptions options;  ///< without what files say
  std::string avatar = "auto";   ///< a shipped model's name, a model's file, or "auto"
  std::string skeleton = {};     ///< a motion file with the skeleton; empty: none
};

struct ServeOptions {
  std::vector<ServedRoom> rooms;
  EnvironmentOptions reading;  ///< how they are read
  service::RoomPolicy policy;
  service::EngineOptions engine;
  service::ServerOptions server;
  bool sessions_given = false;        ///< the number of sessions is not the default
  std::vector<LiveArgument> live;     ///< sources of motion capture
  std::string osc_out;                ///< HOST:PORT; empty: none
  std::string tokens;                 ///< file; empty: none
  std::string http;                   ///< HOST:PORT of the monitor; empty: none
  std::string control;                ///< socket file; empty: where it is usual (serve_http.h)
  std::chrono::seconds lame_duck{0};  ///< for which all goes on after a signal, but not ready
  std::chrono::seconds grace{10};     ///< that steps in flight may take after a signal
  bool quiet = false;                 ///< no status lines
  bool log_json = false;              ///< a JSON object a line, and what clients do
};

}  // namespace tocsin::app
