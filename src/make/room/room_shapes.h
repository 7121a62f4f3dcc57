// The shapes of the pieces of a made house.
//
// Every function shapes one piece in its own frame: the origin on the floor (or on the surface that
// it stands on) in the middle of its box, +y up, +z to its front; metres. A piece has the same
// shape at every grain, to within a centimetre or two, and only more triangles.
#pragma once

#include <cstdint>
#include <vector>

#include "make/room/room_frame.h"
#include "make/room/room_sculptor.h"

namespace tocsin::make {

/// Width, height, depth, metres.
struct Size {
  double x = 1.0;
  double y = 1.0;
  double z = 1.0;
};

// Seats and beds (room_seats.cpp).
inline constexpr Size kChair{0.48, 0.94, 0.52};
inline constexpr Size kStool{0.38, 0.5, 0.38};
inline constexpr double kSofaDepth = 0.94;
inline constexpr double kSofaHeight = 0.84;
void chair(Sculptor& s, const Frame& at, int style);
void stool(Sculptor& s, const Frame& at);
void sofa(Sculptor& s, const Frame& at, double width, int seats);
void bed(Sculptor& s, const Frame& at, const Size& size, int pillows);
void loose_cushion(Sculptor& s, const Frame& at);

// Tables and pieces with drawers or boards (room_tables.cpp).
void table(Sculptor& s, const Frame& at, const Size& size, int style);
/// Doors or drawers, columns x rows of them, with a handle each, in a rectangle of the plane z.
struct Fronts {
  double x0, y0, x1, y1;
  double z;
  int columns, rows;
  bool upright;  ///< the handles
};
void fronts(Sculptor& s, const Frame& at, const Fronts& f);
void round_table(Sculptor& s, const Frame& at, double radius, double height);
void desk(Sculptor& s, const Frame& at, const Size& size);
void drawers(Sculptor& s, const Frame& at, const Size& size, int columns, int rows);
void wardrobe(Sculptor& s, const Frame& at, const Size& size, int doors);
void bookshelf(Sculptor& s, const Frame& at, const Size& size, int boards);
/// Height of the k-th board's upper side.
double board_height(const Size& size, int boards, int k);
inline constexpr double kBoard = 0.022;  ///< m, thickness of a shelf's boards and sides
void book(Sculptor& s, const Frame& at, const Size& size);
void upright_piano(Sculptor& s, const Frame& at);
void piano_keys(Sculptor& s, const Frame& at);
inline constexpr Size kPiano{1.5, 1.25, 0.62};

// Kitchen and bath (room_kitchen_bath.cpp).
void kitchen_block(Sculptor& s, const Frame& at, double width);
void wall_cupboards(Sculptor& s, const Frame& at, double width);
void refrigerator(Sculptor& s, const Frame& at);
void bathtub(Sculptor& s, const Frame& at);
void washbasin(Sculptor& s, const Frame& at);
void toilet(Sculptor& s, const Frame& at);
inline constexpr double kKitchenDepth = 0.64;
inline constexpr Size kRefrigerator{0.64, 1.86, 0.68};
inline constexpr Size kBathtub{1.72, 0.58, 0.78};
inline constexpr Size kWashbasin{0.62, 0.9, 0.5};
inline constexpr Size kToilet{0.42, 0.8, 0.68};

// Lamps, music, ornaments (room_lamps.cpp, room_ornaments.cpp).
void floor_lamp(Sculptor& s, const Frame& at);
void table_lamp(Sculptor& s, const Frame& at);
/// Hangs from `height` above its frame's origin, its lowest point at `low`.
void pendant_lamp(Sculptor& s, const Frame& at, double low, double height, int style);
void music_stand(Sculptor& s, const Frame& at);
void sheet_music(Sculptor& s, const Frame& at);
inline constexpr Size kMusicStand{0.5, 1.35, 0.5};
void plant(Sculptor& s, const Frame& at, double height, std::uint64_t seed);
void vase(Sculptor& s, const Frame& at, double height);
void bowl(Sculptor& s, const Frame& at, double radius);
void plate(Sculptor& s, const Frame& at);
void cup(Sculptor& s, const Frame& at);
void knot(Sculptor& s, const Frame& at, double size, int winds);
void globe(Sculptor& s, const Frame& at);
void screen(Sculptor& s, const Frame& at, double width);
/// Hangs on a wall: its back at z = 0, the middle of its lower edge at the origin.
void picture(Sculptor& s, const Frame& at, double width, double height);
void carpet(Sculptor& s, const Frame& at, double width, double depth);

// Stairs to a gallery (room_stairs.cpp): along a wall behind, steps from the end at -x (`side` 1)
// or +x (-1) up to a platform at the other end.
struct Gallery {
  double length = 5.2;    ///< m, along the wall: stairs and platform
  double depth = 2.1;     ///< m, of the platform
  double platform = 2.1;  ///< m, of `length`
  double stairs = 0.95;   ///< m, width of the stairs
  double height = 2.1;    ///< m, upper side of the platform
  double side = 1.0;
};
inline constexpr double kGallerySlab = 0.1;  ///< m, thickness of the platform
void stairs(Sculptor& s, const Frame& at, const Gallery& g);
void stairs_railing(Sculptor& s, const Frame& at, const Gallery& g);
void gallery(Sculptor& s, const Frame& at, const Gallery& g);
/// `outer`: also where the platform would end at a wall.
void gallery_railing(Sculptor& s, const Frame& at, const Gallery& g, bool outer);

}  // namespace tocsin::make
