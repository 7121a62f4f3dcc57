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

/// A line of the timeline: a link that touches something, or whose clearance is told.
struct StoryLane {
  std::int32_t avatar = 0;
  std::string link;
  std::string name;
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
  std::vector<StoryLane> lanes;
  std::size_t links = 0;  ///< of all figures
  bool complete = true;   ///< false: it grows
  /// From where an episode is seen best, in a picture of that size; none: no such place. Some
  /// hundredths of a second.
  std::function<std::optional<View>(std::size_t episode, int width, int height)> camera;
};

/// Where a story comes from, and how it goes on.
class StorySource {
 public:
  StorySource() = default;
  StorySource(const StorySource&) = delete;
  StorySource& operator=(const StorySource&) = delete;
  virtual ~StorySource() = default;
  /// Never null; another object once there is more, or something else. From the window's thread.
  [[nodiscard]] virtual std::shared_ptr<const Story> latest() = 0;
};

/// The contacts that are proved to touch at this time, or may: from the first touch to the end of
/// their step. Indices.
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

/// The room at a time. Precondition: a story with rooms.
std::size_t room_at(const Story& story, double seconds);

/// Fills lanes and links from figures, episodes and contacts; `clearance` lanes are kept.
void make_lanes(Story& story);

/// Metres: clearances below it are drawn, thicker the nearer.
inline constexpr double kNearClearance = 0.1;

}  // namespace tocsin::view
