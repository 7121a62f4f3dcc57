// The state of a window, without OpenGL and without a window: time, what is chosen and shown, the
// camera. Keys and panels change it; pictures and panels are made from it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tocsin/contact.h"
#include "view/window/actions.h"
#include "view/window/rig.h"
#include "view/window/story.h"

namespace tocsin::view {

/// Which episodes the list has. Kinds: of an episode's first contact.
struct Filters {
  std::string link;                             ///< StoryEpisode::link_text; empty: all
  std::string thing;                            ///< thing_text
  std::array<bool, 3> kinds{true, true, true};  ///< by ContactStatus
};

/// What can be picked and followed: a link, or an object of the room.
struct Followed {
  std::int32_t avatar = -1;  ///< -1: an object
  std::size_t index = 0;     ///< of the link, or of the object
  friend bool operator==(const Followed&, const Followed&) = default;
};

/// What is shown besides avatars and contacts.
struct Shown {
  bool room = true;
  bool sweep = false;
  bool tree = false;
  bool candidates = false;
  bool keys = false;
};

/// The speeds, real time first.
struct Speed {
  double factor;
  const char* text;
};
inline constexpr std::array<Speed, 5> kSpeeds{
    {{1.0, "real time"}, {0.25, "1/4"}, {0.05, "1/20"}, {0.01, "1/100"}, {0.001, "1/1000"}}};

class Player {
 public:
  /// Begins at the first contact, if there is one; of a live story, at its end.
  explicit Player(std::shared_ptr<const Story> story);

  /// It goes on, or was checked again: time and camera stay; the chosen episode is looked for.
  void tell(std::shared_ptr<const Story> story);
  [[nodiscard]] const Story& story() const { return *story_; }
  [[nodiscard]] std::shared_ptr<const Story> shared_story() const { return story_; }

  /// So many seconds went by.
  void tick(double seconds);
  /// True if the action was one of the player's: all but pick, measure, screenshot, film, what
  /// checks again, and quit.
  bool act(Action action);

  // Time.
  [[nodiscard]] double now() const { return now_; }
  [[nodiscard]] bool playing() const { return playing_ || live_; }
  /// At the end of a live story, and going along with it. Whatever goes elsewhere in time ends it;
  /// playing to the end, and kEnd, begin it again.
  [[nodiscard]] bool live() const { return live_; }
  [[nodiscard]] std::size_t speed() const { return speed_; }
  void set_speed(std::size_t speed);
  void set_playing(bool playing);
  void seek(double seconds);
  /// The step whose inside the slider shows: that of a contact; else that of the figure that is
  /// followed or picked; else of the first that moves.
  struct Within {
    std::array<double, 2> span{};  ///< seconds
    std::array<std::int64_t, 2> frames{};
    double t = 0.0;
    std::int32_t avatar = 0;  ///< whose step it is
    bool contact = false;     ///< its contact is why it was taken
  };
  [[nodiscard]] std::optional<Within> within() const;
  void seek_within(double t);

  // Episodes.
  [[nodiscard]] std::optional<std::size_t> chosen() const { return chosen_; }
  /// Those that the filters leave, in order of first touch.
  [[nodiscard]] std::vector<std::size_t> listed() const;
  [[nodiscard]] const Filters& filters() const { return filters_; }
  void set_filters(Filters filters) { filters_ = std::move(filters); }
  /// Goes there: pauses at its first proved touch, and asks for its camera.
  void choose(std::size_t episode);
  void jump(int direction);
  /// True once after each choose(): the window looks for the camera.
  [[nodiscard]] bool take_camera_wish();
  /// True once after each overview(): the window may know a better one.
  [[nodiscard]] bool take_overview_wish();
  [[nodiscard]] std::vector<std::string> link_texts() const;
  [[nodiscard]] std::vector<std::string> thing_texts() const;

  // Camera and what is shown.
  [[nodiscard]] Rig& rig() { return rig_; }
  [[nodiscard]] const Rig& rig() const { return rig_; }
  void overview();
  /// The camera of an episode, and the objects that it opens.
  void look(const View& view);
  /// The same, of an overview: it is chosen anew when an avatar is added, until the camera moves.
  void look_over(const View& view);
  [[nodiscard]] const View& opened() const { return opened_; }
  [[nodiscard]] const Shown& shown() const { return shown_; }
  [[nodiscard]] Shown& shown() { return shown_; }

  // Picking, following, measuring.
  void pick(const std::optional<Followed>& what) { picked_ = what; }
  [[nodiscard]] const std::optional<Followed>& picked() const { return picked_; }
  /// centres: the camera first turns to it; else it stays, and goes along from there.
  void follow(const std::optional<Followed>& what, bool centres = true);
  [[nodiscard]] const std::optional<Followed>& followed() const { return followed_; }
  /// Where the middle of what is followed is now, metres; the camera goes along.
  void followed_at(const Vec3& place);
  /// A point of the tape: the first, then the second, then the first again.
  void measure(const Vec3& point);
  [[nodiscard]] const std::vector<Vec3>& tape() const { return tape_; }
  /// The link that volumes of the tree and candidates are about: the one that is followed or
  /// picked, else the chosen episode's.
  [[nodiscard]] std::optional<Followed> studied() const;
  /// "left_foot of dancer", "Sofa".
  [[nodiscard]] std::string name_of(const Followed& what) const;

 private:
  bool act_on_time(Action action);
  bool act_on_camera(Action action);
  bool act_on_list(Action action);
  bool act_on_shown(Action action);
  void step(int direction);
  void cycle(std::string& filter, const std::vector<std::string>& all);
  void cancel();
  [[nodiscard]] std::optional<Followed> link_of_chosen() const;
  [[nodiscard]] const StoryFigure* watched_figure() const;

  std::shared_ptr<const Story> story_;
  double now_ = 0.0;
  bool playing_ = false;
  bool live_ = false;
  std::size_t speed_ = 0;
  std::optional<std::size_t> chosen_;
  bool wishes_camera_ = false;
  bool wishes_overview_ = false;
  std::optional<std::array<Vec3, 2>> over_;  ///< eye and target of the last overview
  Filters filters_;
  Rig rig_;
  View opened_;
  Shown shown_;
  std::optional<Followed> picked_;
  std::optional<Followed> followed_;
  std::optional<Vec3> followed_place_;
  bool centres_ = true;
  std::vector<Vec3> tape_;
};

/// "frames 4 to 5, t = 0.2500, no contact"; of several figures it says whose step it is, and what
/// touches is said elsewhere.
std::string within_text(const Story& story, const Player::Within& within, double t);

}  // namespace tocsin::view
