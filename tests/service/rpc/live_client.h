// What the client library tells a watcher and a session's own client.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "service/rpc/live_server.h"
#include "tocsin/client.h"

namespace tocsin::test {

/// What a watcher was told.
class Seen {
 public:
  WatchHandler handler() {
    WatchHandler out;
    out.begun = [this] { note([&] { ++begun; }); };
    out.session = [this](const WatchedSession& one) {
      note([&] { sessions.insert_or_assign(one.session, one); });
    };
    out.step = [this](WatchedStep one) {
      note([&] { steps[one.session].push_back(std::move(one)); });
    };
    out.stream = [this](const WatchedStream& one) { note([&] { streams.push_back(one); }); };
    out.ended = [this](const WatchedEnd& one) {
      note([&] { ends.insert_or_assign(one.session, one); });
    };
    out.skipped = [this](std::uint64_t events) { note([&] { missed += events; }); };
    out.over = [this](StreamEnd how, const Error& why) {
      note([&] {
        end = how;
        error = why;
      });
    };
    return out;
  }
  /// Waits until it holds.
  template <class Holds>
  bool until(const Holds& holds) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kCallTimeLimit, holds);
  }

  std::map<std::string, WatchedSession> sessions;
  std::map<std::string, std::vector<WatchedStep>> steps;
  std::vector<WatchedStream> streams;
  std::map<std::string, WatchedEnd> ends;
  std::size_t begun = 0;
  std::uint64_t missed = 0;
  std::optional<StreamEnd> end;
  Error error;

 private:
  template <class Note>
  void note(const Note& what) {
    const std::scoped_lock lock(mutex_);
    what();
    changed_.notify_all();
  }
  std::mutex mutex_;
  std::condition_variable changed_;
};

/// What a session's own client was told.
struct Own {
  std::mutex mutex;
  std::vector<TrackReport> reports;
  TrackHandler handler() {
    TrackHandler out;
    out.report = [this](TrackReport report) {
      const std::scoped_lock lock(mutex);
      reports.push_back(std::move(report));
    };
    return out;
  }
  std::size_t count() {
    const std::scoped_lock lock(mutex);
    return reports.size();
  }
};

inline Connection connect(const LiveServer& live, const std::string& token = "") {
  ConnectionOptions options;
  options.target = live.address();
  options.token = token;
  options.timeout = kCallTimeLimit;
  return Connection::open(options).value();
}

}  // namespace tocsin::test
