// The house itself: floors, walls, beams, doors, windows and curtains.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "make/room/room_piece.h"
#include "make/room/room_shapes.h"

namespace tocsin::make {
namespace {

constexpr double kSlab = 0.12;        // m, thickness of floors
constexpr double kBeamHeight = 0.18;  // m
constexpr double kBeamWidth = 0.12;   // m
constexpr double kLeafTop = 2.03;     // m; 1 cm below the frame's head

/// A wall's own frame: +x along it from the end at lower x or z, y up, z across it from 0 to its
/// thickness.
struct WallFrame {
  Frame at;
  double length = 0.0;
  double thickness = 0.0;
  double start = 0.0;  ///< x or z of its end

  explicit WallFrame(const PlanWall& wall) {
    if (wall.along_x) {
      at.origin = {wall.base.x0, 0.0, wall.base.z0};
      length = wall.base.width();
      thickness = wall.base.depth();
      start = wall.base.x0;
    } else {
      // x of the wall is z of the house, so z of the wall is -x of the house.
      at = turned_y({.turn = at.turn, .origin = {wall.base.x1, 0.0, wall.base.z0}}, -90.0);
      length = wall.base.depth();
      thickness = wall.base.width();
      start = wall.base.z0;
    }
  }
  /// z of the wall's face towards the side where the house's x or z rises (1) or falls (-1).
  [[nodiscard]] double face(const PlanWall& wall, int side) const {
    return (side > 0) == wall.along_x ? thickness : 0.0;
  }
  /// A frame on that face at s along the wall, +z out of the wall, +x still along it or against it.
  [[nodiscard]] Frame on_face(const PlanWall& wall, int side, double s, double y) const {
    const Frame f = moved(at, {s - start, y, face(wall, side)});
    return (side > 0) == wall.along_x ? f : turned_y(f, 180.0);
  }
};

void wall_shape(Sculptor& s, const PlanWall& wall) {
  const WallFrame frame(wall);
  std::vector<double> xs{0.0, frame.length};
  std::vector<double> ys{0.0, kWallHeight};
  for (const Opening& o : wall.openings) {
    xs.push_back(o.from - frame.start);
    xs.push_back(o.to - frame.start);
    ys.push_back(o.bottom);
    ys.push_back(o.top);
  }
  for (std::vector<double>* cuts : {&xs, &ys}) {
    std::sort(cuts->begin(), cuts->end());
    cuts->erase(std::unique(cuts->begin(), cuts->end()), cuts->end());
  }
  std::vector<std::vector<bool>> filled(xs.size() - 1, std::vector<bool>(ys.size() - 1, true));
  for (std::size_t c = 0; c + 1 < xs.size(); ++c) {
    for (std::size_t r = 0; r + 1 < ys.size(); ++r) {
      const double x = 0.5 * (xs[c] + xs[c + 1]) + frame.start;
      const double y = 0.5 * (ys[r] + ys[r + 1]);
      for (const Opening& o : wall.openings) {
        if (x > o.from && x < o.to && y > o.bottom && y < o.top) filled[c][r] = false;
      }
    }
  }
  s.panel(frame.at, xs, ys, frame.thickness, filled);
}

/// A frame around an opening, 1 cm proud of the wall on both sides. Doors have no threshold.
void opening_frame(Sculptor& s, const PlanWall& wall, const Opening& o, bool threshold) {
  const WallFrame frame(wall);
  const double x0 = o.from - frame.start;
  const double x1 = o.to - frame.start;
  // Doors: a frame that stands on the floor. Windows: all around, and a bar in the middle.
  const Frame at = moved(frame.at, {0.0, 0.0, -0.01});
  const double depth = frame.thickness + 0.02;
  if (!threshold) {
    s.panel(at, {x0, x0 + kFrame, x1 - kFrame, x1}, {o.bottom, o.top - kFrame, o.top}, depth,
            {{true, true}, {false, true}, {true, true}});
    return;
  }
  const double middle = 0.5 * (x0 + x1);
  s.ring(at, {x0, o.bottom, 0.0}, {x1, o.top, depth}, kFrame);
  if (!s.has_trimmings()) return;
  s.box(at, {middle - 0.02, o.bottom + 0.04, 0.3 * depth},
        {middle + 0.02, o.top - 0.04, 0.7 * depth});
}

void leaf_shape(Sculptor& s, const PlanWall& wall, const Doorway& door) {
  const WallFrame frame(wall);
  const double hinge = door.hinge_low ? door.opening.from + kFrame : door.opening.to - kFrame;
  const Frame face = frame.on_face(wall, door.side, hinge, 0.0);
  // From the hinge along the doorway: +x or -x of the face's frame.
  const bool along = (door.side > 0) == wall.along_x ? door.hinge_low : !door.hinge_low;
  const Frame turned = turned_y(face, along ? -door.angle : door.angle);
  const double width = (door.opening.to - door.opening.from) - 2.0 * kFrame - 0.01;
  const auto x = [&](double from_hinge) { return along ? from_hinge : -from_hinge; };
  const auto low_high = [&](double a, double b, double y0, double y1, double z0, double z1) {
    s.box(turned, {std::min(x(a), x(b)), y0, z0}, {std::max(x(a), x(b)), y1, z1});
  };
  const double back = -kLeafThickness;
  low_high(0.0, width, 0.012, kLeafTop, back, 0.0);
  if (!s.has_trimmings()) return;
  // Raised fields that show on both sides, and a handle on each.
  for (const double y : {0.18, 1.18}) {
    low_high(0.14, width - 0.14, y, y + (y < 1.0 ? 0.85 : 0.7), back - 0.006, 0.006);
  }
  for (const double z : {back, 0.0}) {
    const double out = z < 0.0 ? -1.0 : 1.0;
    const Vec3 pin{x(width - 0.07), 1.02, z};
    s.rod(turned, pin - Vec3{0.0, 0.0, 0.004 * out}, pin + Vec3{0.0, 0.0, 0.055 * out}, 0.009);
    const Vec3 grip = pin + Vec3{0.0, 0.0, 0.05 * out};
    s.rod(turned, grip, grip - Vec3{x(0.12), 0.0, 0.0}, 0.009, 0.008);
  }
}

void curtain(Sculptor& s, const Frame& at, double width, double height) {
  const int nx = s.segments(1.6 * width, 5, 3000);
  const int ny = s.segments(height, 1, 3000);
  const int folds = 3;
  s.lattice(at, nx, ny, 1, [&](int i, int j, int k) {
    const double u = static_cast<double>(i) / nx;
    const double v = static_cast<double>(j) / ny;
    const double fold =
        0.022 * wave(folds * u + 0.25) * (1.0 - 0.25 * v) + 0.003 * wave(2.0 * v + 5.0 * u);
    const double spread = 1.0 - 0.06 * (1.0 - v) * wave(0.5 * v);
    return Vec3{width * (u - 0.5) * spread, height * v, fold + 0.004 * k};
  });
}

void add_window(House& house, const Window& window) {
  const PlanWall& wall = house.plan.walls[window.wall];
  const Opening o = window.opening;
  const std::string name = house.pieces.next("Window");
  house.pieces.add(name + "_Frame", [=](Sculptor& s) { opening_frame(s, wall, o, true); });
  house.pieces.add(
      name + "_Glass",
      [=](Sculptor& s) {
        const WallFrame frame(wall);
        const double middle = 0.5 * frame.thickness;
        s.box(moved(frame.at, {o.from - frame.start, o.bottom, middle}), {0.04, 0.04, -0.003},
              {o.to - o.from - 0.04, o.top - o.bottom - 0.04, 0.003});
      },
      kTrimmings);
  if (house.plan.rooms[static_cast<std::size_t>(window.room)].use == RoomUse::kBathroom) return;
  const WallFrame frame(wall);
  for (const bool left : {true, false}) {
    const double s_at = left ? o.from - 0.06 : o.to + 0.06;
    const Frame at = moved(frame.on_face(wall, window.inward, s_at, 0.88), {0.0, 0.0, 0.06});
    house.pieces.add(
        name + (left ? "_Curtain_1" : "_Curtain_2"),
        [=](Sculptor& s) { curtain(s, at, 0.38, 1.34); }, kTrimmings);
  }
  const Frame rail =
      moved(frame.on_face(wall, window.inward, 0.5 * (o.from + o.to), 2.245), {0.0, 0.0, 0.06});
  const double half = 0.5 * (o.to - o.from) + 0.29;
  house.pieces.add(
      name + "_CurtainRail",
      [=](Sculptor& s) {
        s.rod(rail, {-half, 0.0, 0.0}, {half, 0.0, 0.0}, 0.012);
      },
      kTrimmings);
}

void add_beams(House& house, const PlanRoom& room, const Rect& gallery) {
  const Rect& r = room.inner;
  const bool living = room.use == RoomUse::kLiving;
  // Beams span the shorter way; those of the living room run along its gallery.
  const bool along_x = living ? gallery.width() > gallery.depth() : r.width() < r.depth();
  const double length = along_x ? r.depth() : r.width();
  const int count = living ? 5 : (length < 4.0 ? 1 : 3);
  for (int i = 0; i < count; ++i) {
    const double t = (i + 0.5) / count;
    const double rest = 0.06;  // m, that a beam lies on its walls
    const double at = (along_x ? r.z0 : r.x0) + t * length;
    const Rect box =
        along_x ? Rect{r.x0 - rest, at - 0.5 * kBeamWidth, r.x1 + rest, at + 0.5 * kBeamWidth}
                : Rect{at - 0.5 * kBeamWidth, r.z0 - rest, at + 0.5 * kBeamWidth, r.z1 + rest};
    if (overlap(box, grown(gallery, 0.1))) continue;
    house.pieces.add(house.pieces.next("Beam"), [=](Sculptor& s) {
      s.box(Frame{}, {box.x0, kWallHeight, box.z0}, {box.x1, kWallHeight + kBeamHeight, box.z1});
    });
  }
}

}  // namespace

void add_shell(House& house, const Rect& gallery) {
  RoomPlan& plan = house.plan;
  for (const PlanRoom& room : plan.rooms) {
    const Rect tile = room.tile;
    house.pieces.add("Floor_" + room.name, [=](Sculptor& s) {
      s.box(Frame{}, {tile.x0, -kSlab, tile.z0}, {tile.x1, 0.0, tile.z1});
    });
  }
  for (const PlanWall& wall : plan.walls) {
    house.pieces.add(house.pieces.next("Wall"), [=](Sculptor& s) { wall_shape(s, wall); });
  }
  for (const Doorway& door : plan.doors) {
    const PlanWall& wall = plan.walls[door.wall];
    const std::string name = house.pieces.next("Door");
    house.pieces.add(name + "_Frame",
                     [=](Sculptor& s) { opening_frame(s, wall, door.opening, false); });
    if (door.leaf == Leaf::kNone) continue;
    house.pieces.add(name + "_Leaf", [=](Sculptor& s) { leaf_shape(s, wall, door); });
  }
  for (const Window& window : plan.windows) add_window(house, window);
  for (const PlanRoom& room : plan.rooms) {
    add_beams(house, room, room.use == RoomUse::kLiving ? gallery : Rect{});
  }
}

}  // namespace tocsin::make
