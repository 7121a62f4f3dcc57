// What a window plays: takes, their room, and what was found out about them. A value that does not
// change: what grows, or is checked again, is told by the next one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/report/told.h"
#include "tocsin/avatar.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"
#include "view/choose_camera.h"

namespace tocsin::view {

/// An avatar or a body, and its way.
struct StoryFigure {
  std::string name;
  std::int32_t index = 0;  ///< among the avatars checked together
  Avatar avatar;
  StepList steps;  ///< in order of time; at least one
  bool is_body = false;
  bool held = false;  ///< only the poses were looked at: nothing is said about the time between
  bool goes = false;  ///< it is not there outside of its own time
  /// Metres on its radii; none: the story's.
  std::optional<double> margin = std::nullopt;
  bool live = false;       ///< a session of a server: it has a lane of its own
  bool stays = false;      ///< live, and not over: behind its last step it stands there, touching
  std::string state = {};  ///< of a live one: "no stream", "over: ..."; empty: it runs
};

struct StoryEpisode {
  io::ToldEpisode told;
  std::string link_text;   ///< "left_foot", of several avatars "left_foot of dancer"
  std::string thing_text;  ///< what is touched
};

struct StoryContact {
  io::ToldContact told;
  std::size_t episode = 0;
  std::array<double, 2> span{};         ///< its step, seconds
  std::optional<std::uint32_t> object;  ///< in the room
};

/// What a live session, or its watcher, did not get, and when.
enum class MarkKind : std::uint8_t {
  kLate,       ///< frames came after later ones were covered
  kDuplicate,  ///< frames came twice
  kSkipped,    ///< frames that the server skipped under load: the step goes across them
  kBad,        ///< frames that could not be used: likewise
  kMissed,     ///< steps that this watcher did not get
  kNoStream,   ///< the session had no stream, or this watcher no connection
  kEnded,      ///< the session is over
};

struct StoryMark {
  std::int32_t avatar = 0;
  MarkKind kind = MarkKind::kLate;
  std::array<double, 2> seconds{};
  std::string text;  ///< "skipped: frames 157 to 159"
};

/// A line of the timeline: a link that touches something, or whose clearance is told; or a live
/// session.
struct StoryLane {
  std::int32_t avatar = 0;
  std::string link;  ///< empty: a session's
  std::string name;
  std::vector<std::size_t> marks = {};  ///< of a session
  std::vector<std::size_t> episodes;
  std::vector<std::size_t> contacts;
  /// The least clearance in equal parts of the time, metres; none: it is not told there.
  std::vector<std::optional<double>> clearance;
};

/// The room from an instant on.
struct StoryRoom {
  double from = -std::numeric_limits<double>::infinity();  ///< seconds
  Environment room;
};

struct Story {
  std::string title;    ///< what is shown: files
  std::string verdict;  ///< "CONTACT", "CLEAN", ...
  std::string summary;  ///< "3 episodes, 12 contacts; margin 0 m, screw"
  std::vector<std::string> notes;
  std::vector<StoryFigure> figures;
  std::vector<StoryRoom> rooms;        ///< in order; at least one
  double margin = 0.0;                 ///< metres, on every radius
  std::array<double, 2> times{};       ///< seconds
  bool instants = false;               ///< steps join instants, not frames
  std::vector<StoryEpisode> episodes;  ///< in order of first touch
  std::vector<StoryContact> contacts;  ///< in order of proved touch
  std::vector<StoryMark> marks = {};   ///< of live sessions, in order of their begin
  std::vector<StoryLane> lanes;
  std::size_t links = 0;  ///< of all figures
  bool complete = true;   ///< false: it is live, and grows
  /// From where an episode is seen best, in a picture of that size; none: no such place. Some
  /// hundredths of a second.
  std::function<std::optional<View>(std::size_t episode, int width, int height)> camera;
  /// From where all that are there at a time are seen best; likewise. Empty: the player's own.
  std::function<std::optional<View>(double seconds, int width, int height)> overview = {};
};

/// What a live source has received so far, dropped steps included.
struct LiveCounts {
  std::uint64_t sessions = 0;   ///< that were told, in the room that is shown
  std::uint64_t running = 0;    ///< of those
  std::uint64_t elsewhere = 0;  ///< sessions that run in other rooms
  std::uint64_t ended = 0;
  std::uint64_t steps = 0;
  std::uint64_t contacts = 0;
  std::uint64_t late = 0;  ///< frames, as the sessions count them
  std::uint64_t duplicate = 0;
  std::uint64_t skipped = 0;
  std::uint64_t bad = 0;
  std::uint64_t missed = 0;  ///< events that this end was too slow for
  std::uint64_t kept_steps = 0;
  std::uint64_t dropped_steps = 0;     ///< the oldest: more are kept of none
  std::uint64_t dropped_contacts = 0;  ///< with them
  std::uint64_t connections = 0;
  std::uint64_t losses = 0;  ///< of the connection
  std::uint64_t rooms = 0;   ///< that came, versions of one included
};

/// A count by its name: "steps", "kept_steps"; none: there is no such count.
std::optional<std::uint64_t> count_named(const LiveCounts& counts, std::string_view name);
void for_each_count(const LiveCounts& counts,
                    const std::function<void(std::string_view name, std::uint64_t count)>& visit);
/// All names, with commas.
std::string count_names();

class StoryChecker;

/// Where a story comes from, and how it goes on. Its functions are called from the window's thread,
/// and do not wait.
class StorySource {
 public:
  StorySource() = default;
  StorySource(const StorySource&) = delete;
  StorySource& operator=(const StorySource&) = delete;
  virtual ~StorySource() = default;
  /// Never null; another object once there is more, or something else.
  [[nodiscard]] virtual std::shared_ptr<const Story> latest() = 0;
  /// Null: its options cannot be checked again.
  [[nodiscard]] virtual StoryChecker* checker() { return nullptr; }
  /// None: it is not live.
  [[nodiscard]] virtual std::optional<LiveCounts> live() const { return std::nullopt; }
  /// About a live one, for people: its connection, its room, what is kept.
  [[nodiscard]] virtual std::vector<std::string> lines() const { return {}; }
};

/// Metres on the radii of a figure.
double margin_of(const Story& story, const StoryFigure& figure);

/// The time at which a figure is shown: that of a live one that is not over ends with its last
/// step.
double own_time(const StoryFigure& figure, double seconds);

/// The contacts that are proved to touch at this time, or may: from the first touch to the end of
/// their step. Each at its figure's own time. Indices.
std::vector<std::size_t> contacts_at(const Story& story, double seconds);

/// The contact whose step a time is in, one of `chosen` first; none: no step with a contact.
std::optional<std::size_t> contact_step_at(const Story& story, double seconds,
                                           std::optional<std::size_t> chosen);

/// The step of a figure at a time: its place among the steps, and the local time, 0 to 1. Before
/// the first step and behind the last it is an end of them; there: whether the figure is there.
struct StoryMoment {
  std::size_t step = 0;
  double t = 0.0;
  bool there = true;
};
StoryMoment moment_at(const StoryFigure& figure, double seconds);

/// The marks of live sessions that a time lies in, each at its figure's own time. Indices.
std::vector<std::size_t> marks_at(const Story& story, double seconds);

/// The room at a time. Precondition: a story with rooms.
std::size_t room_at(const Story& story, double seconds);

/// Fills lanes and links from figures, episodes and contacts; `clearance` lanes are kept.
void make_lanes(Story& story);

/// Metres: clearances below it are drawn, thicker the nearer.
inline constexpr double kNearClearance = 0.1;

}  // namespace tocsin::view
