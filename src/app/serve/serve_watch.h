// What a server does while it serves: status lines, what signals ask for, what is tidied.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "app/cli/interrupt.h"
#include "app/cli/stopwatch.h"
#include "app/serve/heap.h"
#include "app/serve/serve_log.h"
#include "app/serve/serve_options.h"
#include "service/access/access.h"
#include "service/engine.h"
#include "service/rpc/server.h"

namespace tocsin::app {

/// What was checked, for the log.
std::string counts_text(const service::EngineCounts& counts);

/// Writes status lines from time to time, if the numbers have changed.
class StatusLines {
 public:
  explicit StatusLines(const service::EngineCounts& start) : before_(start) {}
  void say(const service::EngineCounts& now, double seconds, const ServeLog& said);

 private:
  service::EngineCounts before_;
};

/// Not thread-safe. Everything that is referred to lives longer.
class ServeWatch {
 public:
  /// `each_second`: what else is to be done.
  ServeWatch(const ServeOptions& options, service::Engine& engine, service::Server& server,
             service::Access& access, InterruptWatch& interrupt, const ServeLog& said,
             std::function<void()> each_second);

  /// Until a signal asks for the end.
  void until_signal();
  /// For so long; a second signal ends the process.
  void go_on_for(std::chrono::milliseconds time);

 private:
  void do_what_is_due();
  void reload();

  const ServeOptions& options_;
  service::Engine& engine_;
  service::Server& server_;
  service::Access& access_;
  InterruptWatch& interrupt_;
  const ServeLog& said_;
  const std::function<void()> each_second_;
  StatusLines lines_;
  HeapKeeper heap_;
  Stopwatch since_line_;
  int hangups_ = 0;
};

}  // namespace tocsin::app
