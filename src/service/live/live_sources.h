// All sources of motion capture of a server, and the thread that reads them.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "service/live/live_source.h"
#include "service/rpc/socket_address.h"
#include "tocsin/result.h"

namespace tocsin::service {

/// One owner's.
class LiveSources {
 public:
  /// Binds all of them, and begins to read. Errors: as LiveSource::open().
  static Result<std::unique_ptr<LiveSources>> start(const std::vector<LiveOptions>& options,
                                                    const LiveSurroundings& around);
  LiveSources(const LiveSources&) = delete;
  LiveSources& operator=(const LiveSources&) = delete;
  ~LiveSources() { stop(); }

  /// LiveSource::name() of each.
  [[nodiscard]] std::vector<std::string> names() const;
  /// Reads nothing more; ends all sessions.
  void stop();

 private:
  LiveSources() = default;
  void run();

  std::vector<std::unique_ptr<LiveSource>> sources_;
  Waker waker_;
  std::atomic<bool> stopping_{false};
  std::thread thread_;
};

}  // namespace tocsin::service
