// A session whose frames come from a sender of motion capture, and whose reports nobody asks for:
// they go to records, events and metrics.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "service/engine.h"
#include "service/session/delivery.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// Thread-safe. Lives as long as its session needs it.
class LiveSession final : public Outlet, public std::enable_shared_from_this<LiveSession> {
 public:
  using Time = std::chrono::steady_clock::time_point;

  /// Opens a session of the engine. `peer`: the sender, for people. Null: as Engine::open().
  static std::shared_ptr<LiveSession> open(Engine& engine,
                                           const std::shared_ptr<Principal>& principal,
                                           const TrackOptions& options, std::string peer,
                                           Problem& problem);

  /// As Session::offer(). After a problem the session has ended.
  std::optional<Problem> offer(TrackFrame frame, Time received);
  /// No more frames come. What is pending is still checked, then the session is over.
  void finish();
  /// Ends the session if the server refused it. Call now and then.
  std::optional<Problem> refusal();
  [[nodiscard]] const TrackOpened& opened() const { return opened_; }
  /// SessionIdentity::shown()
  [[nodiscard]] std::string shown() const { return shown_; }

  // Outlet
  void ready() override { drain(); }
  void refuse(const Problem& problem) override;
  [[nodiscard]] std::string peer() const override { return peer_; }

 private:
  explicit LiveSession(std::string peer) : peer_(std::move(peer)) {}
  [[nodiscard]] std::shared_ptr<Session> session() const;
  /// Takes all reports, and the end.
  void drain();
  /// Frees the session, if this has it.
  void leave(Detach how);

  const std::string peer_;
  TrackOpened opened_;
  std::string shown_;
  mutable std::mutex mutex_;  ///< of those below
  std::shared_ptr<Session> session_;
  std::optional<Problem> problem_;
};

}  // namespace tocsin::service
