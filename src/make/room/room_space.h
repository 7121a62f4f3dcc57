// The floor of a made house as a place to stand and to walk: where furniture may go, and whether
// a person still gets through.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "make/random.h"
#include "make/room/room_frame.h"
#include "make/room/room_plan.h"

namespace tocsin::make {

/// Metres: the width of the way that stays free from every door of a room to every other.
inline constexpr double kFreeWay = 0.8;

enum class Prefer : std::uint8_t { kAnywhere, kCorner, kMiddle };

/// What a piece, or a group of pieces, needs. Its width is along its own x, its front towards +z.
struct Want {
  double width = 1.0;   ///< m
  double depth = 1.0;   ///< m
  double height = 1.0;  ///< m; decides whether it may stand before a window or below a gallery
  double front = 0.0;   ///< m; kept free before it
  bool wall = true;     ///< its back to a wall, else anywhere
  Prefer prefer = Prefer::kAnywhere;
};

/// Where it stands: the middle of its box, and quarter turns (1 maps +z to +x).
struct Spot {
  Rect box;
  int turn = 0;

  [[nodiscard]] Frame frame() const {
    const Vec3 middle{0.5 * (box.x0 + box.x1), 0.0, 0.5 * (box.z0 + box.z1)};
    return turned_y(Frame{.turn = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, .origin = middle},
                    90.0 * turn);
  }
};

/// A grid of the places where the middle of a square of side kFreeWay can be. Squares at two
/// neighbouring places cover all that lies between, so a way along the grid is free exactly.
class WalkGrid {
 public:
  explicit WalkGrid(const RoomPlan& plan);

  void add(const Rect& obstacle) { stamp(obstacle, 1); }
  void remove(const Rect& obstacle) { stamp(obstacle, -1); }
  /// True if within `area` a way joins all of the targets; each must hold a free place.
  [[nodiscard]] bool joined(const Rect& area, const std::vector<Rect>& targets) const;
  /// The shortest way from a place in `from` to one in `to`, without its straight parts' inner
  /// points; empty if there is none.
  [[nodiscard]] std::vector<std::array<double, 2>> way(const Rect& from, const Rect& to) const;

 private:
  struct Cells {
    int i0, j0, i1, j1;  ///< inclusive
  };
  void stamp(const Rect& obstacle, int by);
  [[nodiscard]] Cells cells_in(const Rect& area) const;
  [[nodiscard]] std::vector<int> distances(const Rect& from, const Rect& area) const;

  std::vector<std::int16_t> blocked_;
};

class FloorSpace {
 public:
  /// Keeps walls, leaves of doors and the ground before doors free.
  explicit FloorSpace(RoomPlan& plan);

  /// Finds a place, the same for the same random numbers, and takes it; nothing if there is none.
  std::optional<Spot> place(int room, const Want& want, Random& random);
  /// Windows are known from now on: nothing high is put before them.
  void add_windows();
  /// What was placed last stands on these parts of its box only.
  void replace_last(const std::vector<Rect>& parts);
  /// Furniture higher than 1.9 m does not go here.
  void add_gallery(const Rect& box) { galleries_.push_back(box); }
  /// Nothing at all goes here.
  void keep_free(const Rect& box) { keep_free_.push_back(box); }
  /// True if a carpet on `box` lies in no door's way.
  [[nodiscard]] bool clear_of_doors(const Rect& box) const;

 private:
  struct Taken {
    Rect box;
    Rect front;
  };
  [[nodiscard]] bool fits(const PlanRoom& room, const Want& want, const Spot& spot) const;
  [[nodiscard]] bool leaves_a_way(int room, const Rect& box);
  [[nodiscard]] std::vector<Spot> candidates(const PlanRoom& room, const Want& want,
                                             Random& random) const;

  RoomPlan& plan_;
  WalkGrid grid_;
  std::vector<Taken> taken_;
  std::vector<Rect> keep_free_;
  std::vector<Rect> windows_;
  std::vector<Rect> galleries_;
};

/// A way on foot through all rooms, from inside the front door: corners of a line, at least
/// kFreeWay / 2 (in x and z) from all obstacles of a furnished plan.
std::vector<std::array<double, 2>> walk_through(const RoomPlan& plan);

}  // namespace tocsin::make
