// What an operator on the same machine sees and does: `tocsin status`, `tocsin sessions`.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "service/engine.h"
#include "service/http/answer.h"
#include "service/rpc/server.h"
#include "service/session/session_problems.h"

namespace tocsin::service {

struct ControlOptions {
  std::filesystem::path record = {};  ///< folder of records; empty: there is none
  std::string http = {};              ///< the monitor's address; empty: there is none
  Log log = nullptr;                  ///< what the operator did
};

/// The pages of `serve --control`, on a socket file that only the server's user may open:
/// GET /status, GET /sessions, POST /sessions/NAME/end. JSON, as `tocsin status --json` and
/// `tocsin sessions --json` print it. docs/reference/serve.md, "Control". Called by one thread.
class Control {
 public:
  /// `server` lives longer.
  Control(std::shared_ptr<Engine> engine, const Server& server, ControlOptions options)
      : engine_(std::move(engine)), server_(server), options_(std::move(options)) {}

  HttpAnswer operator()(const HttpRequest& request);

 private:
  HttpAnswer status() const;
  HttpAnswer sessions() const;
  HttpAnswer end(const std::string& name);

  const std::shared_ptr<Engine> engine_;
  const Server& server_;
  const ControlOptions options_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tocsin::service
