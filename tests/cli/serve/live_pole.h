// The pole of scenes.h as a live client of a `tocsin serve`.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "cli/scenes.h"
#include "soak/serve_process.h"
#include "support/contains.h"
#include "tocsin/client.h"
#include "tocsin/io.h"

namespace tocsin::test {

inline constexpr std::chrono::seconds kTimeLimit{120};

inline Connection connect(const ServeProcess& server, const std::string& token = {}) {
  return Connection::open({.target = server.address(), .token = token, .timeout = kTimeLimit})
      .value();
}

/// The pole of scenes.h, live.
class Pole {
 public:
  explicit Pole(const PoleScene& scene)
      : motion_(*load_motion(scene.full("take.bvh"), {.unit_metres = 1.0})) {
    options.skeleton = motion_.skeleton();
    options.model = *load_avatar_model(scene.full("pole.json"));
    options.frame_seconds = motion_.frame_time();
    handler.report = [this](const TrackReport& report) {
      const std::scoped_lock lock(mutex_);
      contacts_ += report.result.contacts.size();
      ++steps_;
    };
    handler.over = [this](StreamEnd how, const TrackEnded& what, const Error& why) {
      const std::scoped_lock lock(mutex_);
      end_ = how;
      ended_ = what;
      error_ = why;
    };
  }

  [[nodiscard]] std::vector<TrackFrame> frames() const {
    std::vector<TrackFrame> out;
    const std::int64_t count = std::min<std::int64_t>(motion_.frame_count(), 3'000);
    for (std::int64_t k = 0; k < count; ++k) {
      const auto pose = motion_.pose(k);
      out.push_back({static_cast<std::uint64_t>(k), 0.0, {pose.begin(), pose.end()}});
    }
    return out;
  }
  [[nodiscard]] std::size_t steps() const {
    const std::scoped_lock lock(mutex_);
    return steps_;
  }
  [[nodiscard]] std::size_t contacts() const {
    const std::scoped_lock lock(mutex_);
    return contacts_;
  }
  [[nodiscard]] StreamEnd end() const {
    const std::scoped_lock lock(mutex_);
    return end_;
  }
  [[nodiscard]] TrackEnded ended() const {
    const std::scoped_lock lock(mutex_);
    return ended_;
  }

  TrackOptions options;
  TrackHandler handler;

 private:
  Motion motion_;
  mutable std::mutex mutex_;
  std::size_t steps_ = 0;
  std::size_t contacts_ = 0;
  StreamEnd end_ = StreamEnd::kBroken;
  TrackEnded ended_;
  Error error_;
};

}  // namespace tocsin::test
