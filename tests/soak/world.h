// What all sessions of a soak share: the room, the take, and where mistakes are noted.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "tocsin/tocsin.h"

namespace tocsin::test {

/// Waits end long before that, unless others take the machine.
inline constexpr std::chrono::seconds kTimeLimit{120};

/// Mistakes, from any thread. The first ones are kept, all are counted.
class Mistakes {
 public:
  void add(std::string text) {
    const std::lock_guard lock(mutex_);
    ++count_;
    if (texts_.size() < 20) texts_.push_back(std::move(text));
  }
  [[nodiscard]] std::uint64_t count() const {
    const std::lock_guard lock(mutex_);
    return count_;
  }
  [[nodiscard]] std::string text() const {
    const std::lock_guard lock(mutex_);
    std::string out;
    for (const std::string& text : texts_) out += text + "\n";
    return out;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> texts_;
  std::uint64_t count_ = 0;
};

/// Of all sessions.
struct SoakCounts {
  std::atomic<std::uint64_t> opened{0};
  std::atomic<std::uint64_t> resumed{0};
  std::atomic<std::uint64_t> abandoned{0};  ///< streams broken by the client
  std::atomic<std::uint64_t> forgotten{0};  ///< of these, sessions that nobody came back to
  std::atomic<std::uint64_t> expired{0};    ///< came back too late
  std::atomic<std::uint64_t> outrun{0};     ///< came back for reports that were kept no more
  std::atomic<std::uint64_t> ended{0};      ///< by the client, all reported
  std::atomic<std::uint64_t> told{0};       ///< of the server's end
  std::atomic<std::uint64_t> lost{0};       ///< streams that broke without anybody's doing
  std::atomic<std::uint64_t> frames{0};     ///< sent
  std::atomic<std::uint64_t> reports{0};    ///< every one compared with the Detector's
  std::atomic<std::uint64_t> contacts{0};
  std::atomic<std::uint64_t> skipped{0};  ///< frames, by the server, said so
  std::atomic<std::uint64_t> rooms{0};    ///< loaded and unloaded
  std::atomic<std::uint64_t> hostile{0};  ///< visits
};

struct World {
  std::filesystem::path room_file;
  Motion take;
  Avatar avatar;  ///< as the server binds it
  Detector detector;
  Mistakes mistakes = {};
  SoakCounts counts = {};
  /// Server-side latencies, microseconds: from 1 up, in steps of a factor of 2^(1/4).
  std::vector<std::atomic<std::uint64_t>> latencies = std::vector<std::atomic<std::uint64_t>>(128);

  World(std::filesystem::path file, Motion motion, Avatar bound, Detector room)
      : room_file(std::move(file)),
        take(std::move(motion)),
        avatar(std::move(bound)),
        detector(std::move(room)) {}

  void note_latency(double microseconds);
  /// Upper bound of the class in which this share of all lies.
  [[nodiscard]] double latency(double share) const;
};

}  // namespace tocsin::test
