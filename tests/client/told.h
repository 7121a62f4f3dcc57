// A session of two joints, and what its handler was told.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "client/fake_server.h"
#include "tocsin/client.h"

namespace tocsin::test {

/// For what should come at once.
inline constexpr std::chrono::minutes kLong{2};

inline Skeleton two_joints() {
  return Skeleton::create(
             {{.name = "root", .parent = -1, .rest = {}},
              {.name = "tip", .parent = 0, .rest = {.rotation = {}, .translation = {0, 1, 0}}}})
      .value();
}

inline TrackOptions options() {
  TrackOptions out;
  out.skeleton = two_joints();
  return out;
}

inline TrackFrame frame(std::uint64_t id) {
  TrackFrame out;
  out.id = id;
  out.capture_time = static_cast<double>(id) / 90.0;
  out.pose = {{.rotation = {}, .translation = {static_cast<double>(id), 0, 0}},
              {.rotation = {}, .translation = {0, 1, 0}}};
  return out;
}

/// Everything that a handler was told.
class Told {
 public:
  TrackHandler handler() {
    return {.opened =
                [this](const TrackOpened& opened) {
                  const Call call(*this);
                  session_id = opened.session_id;
                },
            .report =
                [this](TrackReport report) {
                  const Call call(*this);
                  reports.push_back(std::move(report));
                },
            .over =
                [this](StreamEnd how, const TrackEnded& last, const Error& why) {
                  const Call call(*this);
                  ++overs;
                  end = how;
                  ended = last;
                  error = why;
                },
            .partial =
                [this](TrackReport report) {
                  const Call call(*this);
                  partials.push_back(std::move(report));
                }};
  }

  std::string session_id;
  std::vector<TrackReport> reports;
  std::vector<TrackReport> partials;
  int overs = 0;
  StreamEnd end = StreamEnd::kRefused;
  TrackEnded ended;
  Error error;
  std::atomic<bool> overlapped{false};  ///< two calls at a time

 private:
  struct Call {
    explicit Call(Told& told) : told_(told) {
      if (told_.busy_.exchange(true)) told_.overlapped = true;
    }
    ~Call() { told_.busy_ = false; }
    Told& told_;
  };
  std::atomic<bool> busy_{false};
};

inline Connection connect(const FakeServer& server) {
  return Connection::open({.target = server.address(), .timeout = kLong}).value();
}

}  // namespace tocsin::test
