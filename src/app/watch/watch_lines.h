// What a watcher is told, as lines: for people, or JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

#include "tocsin/live/watch.h"

namespace tocsin::app {

/// One watcher's. Each function returns whole lines, or nothing.
class WatchLines {
 public:
  WatchLines(bool json, bool all) : json_(json), all_(all) {}

  std::string session(const WatchedSession& session);
  std::string step(const WatchedStep& step);
  [[nodiscard]] std::string stream(const WatchedStream& stream) const;
  std::string ended(const WatchedEnd& end);
  [[nodiscard]] std::string skipped(std::uint64_t events) const;

 private:
  /// So far, as the last step told.
  struct Counts {
    std::uint64_t stale = 0;
    std::uint64_t duplicate = 0;
    std::uint64_t bad = 0;
  };
  /// before: none: it is the first report of a session that was there before this watcher.
  [[nodiscard]] std::string words_of(const TrackReport& report,
                                     const std::optional<Counts>& before) const;

  const bool json_;
  const bool all_;
  std::unordered_map<std::string, Counts> counts_;
};

}  // namespace tocsin::app
