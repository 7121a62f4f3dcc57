// A whole check as a film: its avatars and bodies over time, the room, and marks at its contacts.
// What other programs play is written from it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"
#include "tocsin/types.h"

namespace tocsin::view {

/// An avatar or a body, and where its joints are at increasing times.
struct FilmFigure {
  std::string name;        ///< for people
  std::string take;        ///< its file; of a body, its motion or mesh
  std::int32_t index = 0;  ///< of its avatar among those checked together
  Avatar avatar;
  bool is_body = false;
  /// True: only the sampled poses were looked at, and nothing is said about the time between them.
  bool held = false;
  std::vector<double> seconds;   ///< of the samples, since frame 0, increasing; at least one
  std::vector<Transform> poses;  ///< joint to parent, metres: seconds.size() times all joints
  /// When it is there, seconds; infinite where it stays in its first or last pose.
  std::array<double, 2> there{};

  [[nodiscard]] std::size_t joint_count() const { return avatar.skeleton().joints().size(); }
  [[nodiscard]] const Transform& pose(std::size_t sample, std::size_t joint) const {
    return poses[sample * joint_count() + joint];
  }
};

/// How many parts a step is cut into, by its place in the list: a sample at the beginning of each.
/// At least 1.
using Parts = std::function<std::int64_t(std::size_t step)>;

/// Appends the samples of an avatar's steps: where each part begins, and where the last step ends.
/// Within a step it is the motion that is checked (pose_between). Precondition: consecutive steps.
void sample_steps(FilmFigure& figure, std::span<const Step> steps, const Parts& parts);

/// While a mark stands at one place.
struct FilmTouch {
  double from = 0.0;  ///< seconds
  double until = 0.0;
  Vec3 point;                  ///< world, metres
  std::optional<Vec3> normal;  ///< unit
};

/// The contacts of one episode: a mark that moves from contact to contact.
struct FilmMark {
  std::string name;    ///< "left_foot - Floor"
  std::string extras;  ///< a JSON object about it
  bool proved = true;  ///< false: a graze, which may be no contact
  std::vector<FilmTouch> touches;
};

struct Film {
  std::string title;  ///< the report's file
  std::string notes;  ///< a JSON object about the report
  std::vector<FilmFigure> figures;
  std::vector<FilmMark> marks;
  std::optional<Environment> room;
  double margin = 0.0;      ///< metres; it grows all links
  double frame_rate = 1.0;  ///< of the first take, per second
};

/// True if a joint's place in its parent is not always the same.
bool moves(const FilmFigure& figure, std::size_t joint);

/// The least and greatest time of a film, seconds.
std::array<double, 2> film_times(const Film& film);

/// A rotation that takes +Y to a unit vector.
Quat turn_from_y(const Vec3& to);

/// Sizes of a mark, metres: seen from some metres away, and smaller than a hand.
inline constexpr double kMarkRadius = 0.02;
inline constexpr double kMarkArrow = 0.18;
inline constexpr double kMarkShaft = 0.005;

}  // namespace tocsin::view
