// The source of a window's story that is live: the sessions of a server.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/view/shown_server.h"
#include "tocsin/client.h"
#include "view/watched/watched_story.h"

namespace tocsin::app {

/// Watches a server until it is destroyed. Where the connection is lost, it keeps what was
/// received and tries again. Rooms are downloaded by a thread of its own.
class Follower final : public view::StorySource {
 public:
  /// Waits until the watch has begun. Errors: as `tocsin watch`: kResource: no server; kInput: it
  /// refuses (token, room), files of the room; kUsage.
  static Result<std::unique_ptr<Follower>> start(const ShownServer& server);
  ~Follower() override;

  [[nodiscard]] std::shared_ptr<const view::Story> latest() override;
  [[nodiscard]] std::optional<view::LiveCounts> live() const override;
  [[nodiscard]] std::vector<std::string> lines() const override;

 private:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<std::mutex>;

  explicit Follower(const ShownServer& server);
  [[nodiscard]] double seconds() const;
  WatchHandler handler();
  /// Told of anything: the connection is there. Precondition: the lock.
  void arrived();
  void work(const std::stop_token& stop);
  void watch_once(const std::stop_token& stop);
  void fetch_room(Lock& lock, const std::stop_token& stop);
  Result<WatchedRoom> room_of(const view::MissingRoom& missing, const std::stop_token& stop);
  void fetch_avatar(Lock& lock, const std::stop_token& stop);

  const ShownServer server_;
  std::vector<Connection> connection_;  ///< one, once it is open
  std::optional<Environment> own_room_;
  std::array<std::uint8_t, 32> own_sha256_{};
  const Clock::time_point begin_ = Clock::now();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  view::WatchedStory story_;
  std::shared_ptr<const view::Story> made_;
  std::uint64_t made_changes_ = 0;
  Clock::time_point make_after_{};
  bool here_ = false;  ///< this watch has begun: the server has not refused it
  bool over_ = false;  ///< this watch is over
  Error end_;          ///< why
  std::optional<Error> first_problem_;
  bool ever_here_ = false;
  std::string trouble_;  ///< of the connection; empty: none
  std::string room_text_;
  std::string room_problem_;
  Clock::time_point ask_room_after_{};
  std::optional<WatchedRoom> last_room_;
  std::vector<WatchedSession> shapes_of_;  ///< sessions whose shapes are to be fetched
  std::jthread worker_;                    ///< last: it uses all of the above
};

}  // namespace tocsin::app
