// What was received of a server's sessions, as a story that grows: bounded in memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tocsin/live/watch.h"
#include "view/sight.h"
#include "view/window/story.h"

namespace tocsin::view {

/// What is kept of all sessions together. Beyond any of these the oldest steps are dropped with
/// their contacts, and counted.
struct KeptLimits {
  std::size_t steps = 40'000;
  std::size_t contacts = 20'000;
  std::size_t bytes = std::size_t{512} << 20U;  ///< of poses
};

/// Which room a session is in: the server may load another one by the same name.
struct RoomKey {
  std::string name;
  std::uint64_t revision = 0;
  friend bool operator==(const RoomKey&, const RoomKey&) = default;
};

/// A room, or a version of one, that is not here yet.
struct MissingRoom {
  RoomKey key;
  std::uint64_t version = 0;
  std::string session;  ///< that is in it
};

/// The sessions of one room at a time: while some run in it, those of other rooms are counted. Once
/// all of them are over, the room of another one is shown. Seconds are the caller's, from 0 on.
/// Not for several threads at once.
class WatchedStory {
 public:
  explicit WatchedStory(std::string server, const KeptLimits& limits = {});

  // What a watcher is told (WatchHandler).
  void session(const WatchedSession& told);
  void step(const WatchedStep& told, double now);
  void stream(const WatchedStream& told);
  void ended(const WatchedEnd& told);
  void skipped(std::uint64_t events) { counts_.missed += events; }
  /// The connection is there, for the first time or again: sessions are told anew.
  void connected();
  /// It is lost: what was received stays.
  void lost();
  /// Of a connection that is there again: sessions that were not told again are over. Call it some
  /// seconds after connected().
  void forget_absent();

  /// The room that is shown, or its version, if it is not here. None while nothing is watched.
  [[nodiscard]] std::optional<MissingRoom> missing_room() const;
  /// `sight`: of the room; null: cameras do not mind what hides the avatars.
  void put_room(const RoomKey& key, std::uint64_t version, Environment room,
                std::shared_ptr<const Sight> sight = nullptr);
  /// The avatar of a session with the shapes that were left out of what was told.
  void put_avatar(const std::string& session, Avatar avatar);

  [[nodiscard]] const LiveCounts& counts() const { return counts_; }
  [[nodiscard]] const std::optional<RoomKey>& room() const { return shown_; }
  /// Goes up with every change of what make() gives.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  /// About what is kept and what is not, for people.
  [[nodiscard]] std::vector<std::string> lines() const;
  /// As it is now.
  [[nodiscard]] std::shared_ptr<const Story> make() const;

 private:
  struct KeptContact {
    StoryContact contact;  ///< without episode and object
    bool part = false;     ///< of a step that is not complete yet
  };
  /// What a session's frames have come to, as its last report told it.
  struct FrameCounts {
    std::uint64_t late = 0;
    std::uint64_t duplicate = 0;
    std::uint64_t bad = 0;
  };
  struct Session {
    WatchedSession told;
    std::int32_t index = 0;  ///< of its figure
    std::string name;        ///< for people
    std::shared_ptr<const Skeleton> skeleton;
    RoomKey room;
    bool over = false;
    std::string cause;
    std::uint64_t told_in = 0;  ///< the connection
    std::optional<double> offset;
    std::optional<double> last;  ///< the end of its last step
    std::optional<std::int64_t> next_step;
    std::optional<FrameCounts> frames;
    std::deque<Step> steps;
    std::deque<KeptContact> contacts;
    std::deque<StoryMark> marks;
  };
  using Sessions = std::map<std::string, Session>;
  struct KeptRoom {
    RoomKey key;
    std::uint64_t version = 0;
    StoryRoom room;
    std::unordered_map<std::string, std::uint32_t> numbers;  ///< of its objects, by name
    std::shared_ptr<const Sight> sight;
  };

  [[nodiscard]] bool is_shown(const Session& session) const {
    return shown_ && session.room == *shown_;
  }
  void choose_room();
  void show(const Session& session);
  void over(Session& session, std::string cause);
  void count_running();
  [[nodiscard]] std::string name_for(const WatchedSession& told) const;
  std::array<double, 2> place(Session& session, const TrackReport& report, double now);
  void add_step(Session& session, const WatchedStep& told, const std::array<double, 2>& seconds);
  void add_contacts(Session& session, const TrackReport& report,
                    const std::array<double, 2>& seconds);
  void add_marks(Session& session, const TrackReport& report, const std::array<double, 2>& seconds);
  void mark(Session& session, MarkKind kind, const std::array<double, 2>& seconds,
            std::string text);
  void see_room(const Session& session, const TrackReport& report, double begin);
  static std::size_t kept_bytes_of(const Step& step);
  void limit();
  bool drop_oldest();
  [[nodiscard]] std::int32_t avatar_of(const Session& session, std::int32_t member) const;
  void add_episodes(Story& story) const;
  void add_cameras(Story& story) const;
  [[nodiscard]] std::string summary() const;

  std::string server_;
  KeptLimits limits_;
  Sessions sessions_;
  std::int32_t next_index_ = 0;
  std::optional<RoomKey> shown_;
  std::uint64_t wanted_version_ = 0;  ///< of the room that is shown
  double wanted_from_ = 0.0;          ///< when it was first told of
  std::deque<KeptRoom> rooms_;
  /// Offsets of meetings, by their room's revision (place_step).
  std::map<std::uint64_t, std::optional<double>> meetings_;
  double newest_ = 0.0;
  std::size_t kept_contacts_ = 0;
  std::size_t kept_bytes_ = 0;
  std::uint64_t kept_triangles_ = 0;
  bool connected_ = false;
  LiveCounts counts_;
  std::uint64_t changes_ = 0;
  std::string problem_;  ///< of the last step that could not be drawn
};

}  // namespace tocsin::view
