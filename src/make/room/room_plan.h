// The plan of a made house: rooms, walls, doors and windows, as a seed decides them.
//
// Seen from above: x to the right, z downwards, metres, the origin in the middle of the house. The
// house is three bands of rooms side by side, 20 x 12 m over all; widths, depths, the order of the
// rooms and the places of doors and windows are drawn. Every room can be reached from the hall.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tocsin::make {

inline constexpr double kHouseHalfX = 10.0;     ///< m, outer faces of the outer walls
inline constexpr double kHouseHalfZ = 6.0;      ///< m
inline constexpr double kOuterWall = 0.3;       ///< m, thickness
inline constexpr double kInnerWall = 0.14;      ///< m, thickness
inline constexpr double kWallHeight = 2.8;      ///< m; beams lie on the walls
inline constexpr double kDoorHeight = 2.1;      ///< m, of the opening in the wall
inline constexpr double kDoorWidth = 1.1;       ///< m, of the opening in the wall
inline constexpr double kFrame = 0.05;          ///< m, thickness of door and window frames
inline constexpr double kLeafThickness = 0.04;  ///< m, of a door's leaf

/// A rectangle seen from above.
struct Rect {
  double x0 = 0.0;
  double z0 = 0.0;
  double x1 = 0.0;
  double z1 = 0.0;

  [[nodiscard]] double width() const { return x1 - x0; }
  [[nodiscard]] double depth() const { return z1 - z0; }
};

/// True if the insides of two rectangles meet.
inline bool overlap(const Rect& a, const Rect& b) {
  return a.x0 < b.x1 && b.x0 < a.x1 && a.z0 < b.z1 && b.z0 < a.z1;
}
inline Rect grown(const Rect& r, double by) { return {r.x0 - by, r.z0 - by, r.x1 + by, r.z1 + by}; }
inline bool inside(const Rect& inner, const Rect& outer) {
  return inner.x0 >= outer.x0 && inner.z0 >= outer.z0 && inner.x1 <= outer.x1 &&
         inner.z1 <= outer.z1;
}

enum class RoomUse : std::uint8_t { kLiving, kHall, kKitchen, kBedroom, kStudy, kBathroom };

struct PlanRoom {
  RoomUse use = RoomUse::kLiving;
  std::string name;  ///< as in `Floor_Kitchen`; distinct
  Rect inner;        ///< between its walls
  Rect tile;         ///< its share of the house's floor: to the middle of inner walls
};

/// A hole in a wall: from..to along it (x or z), bottom..top.
struct Opening {
  double from = 0.0;
  double to = 0.0;
  double bottom = 0.0;
  double top = 0.0;
};

struct PlanWall {
  Rect base;
  bool along_x = false;  ///< it runs along x, else along z
  bool outer = false;
  std::vector<Opening> openings;
};

enum class Leaf : std::uint8_t {
  kNone,    ///< an open doorway
  kOpen,    ///< turned by 92 to 100 degrees: the doorway is free
  kClosed,  ///< the front door
  kAjar,    ///< turned by 20 to 60 degrees, in the way; only where another door is free
};

struct Doorway {
  std::size_t wall = 0;
  Opening opening;
  int room = 0;    ///< the leaf turns into this one
  int other = -1;  ///< the room on the other side; -1: outside
  int side = 1;    ///< `room` lies on the wall's side of rising (1) or falling (-1) x or z
  Leaf leaf = Leaf::kOpen;
  double angle = 0.0;     ///< degrees, by which the leaf is turned
  bool hinge_low = true;  ///< the hinge is at opening.from, else at opening.to
  Rect passage;           ///< the wall's part between the frames
  bool required = true;   ///< part of the tree of doors that joins all rooms: free
};

struct Window {
  std::size_t wall = 0;
  Opening opening;
  int room = 0;
  int inward = 1;  ///< as Doorway::side
};

struct RoomPlan {
  std::vector<PlanRoom> rooms;
  std::vector<PlanWall> walls;
  std::vector<Doorway> doors;
  std::vector<Window> windows;
  /// Obstacles for a person, once furnished: boxes of everything between the floor and 2 m, walls
  /// and frames included.
  std::vector<Rect> obstacles;
};

/// Rooms, walls and doors. No windows yet: they go where stairs leave room for them.
RoomPlan plan_rooms(std::uint64_t seed);

/// Adds windows to the outer walls, none where `blocked` (rectangles in the rooms) is near.
void plan_windows(RoomPlan& plan, std::uint64_t seed, const std::vector<Rect>& blocked);

/// The rectangle that a door's leaf covers, seen from above.
Rect leaf_box(const RoomPlan& plan, const Doorway& door);

}  // namespace tocsin::make
