#include "make/room/room_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/vector/trig.h"
#include "make/random.h"

namespace tocsin::make {
namespace {

/// Metres: a door's opening stays this far from the corners of its rooms, so that its leaf has
/// room.
constexpr double kDoorFromCorner = 0.35;
/// Metres, along a wall of two rooms.
constexpr double kWideDoorway = 1.9;
/// Streams of a house's seed.
constexpr std::uint64_t kPlanStream = 1;
constexpr std::uint64_t kWindowStream = 2;

/// A split of the house into tiles, before walls have a thickness.
struct Tiles {
  struct Tile {
    RoomUse use;
    Rect rect;
  };
  struct Line {
    bool along_x;
    double at, from, to;
  };
  std::vector<Tile> tiles;
  std::vector<Line> lines;  ///< the inner walls' middles

  void add(RoomUse use, const Rect& rect) { tiles.push_back({use, rect}); }
};

Tiles split_house(Random& random) {
  const double x = kHouseHalfX;
  const double z = kHouseHalfZ;
  Tiles out;
  const double a = -x + random.uniform(5.9, 6.6);
  const double b = x - random.uniform(5.4, 6.2);
  out.lines = {{false, a, -z, z}, {false, b, -z, z}};
  const auto flip = [&](Rect r, bool on) {
    if (on) r = {r.x0, -r.z1, r.x1, -r.z0};
    return r;
  };
  {  // Bedroom; and behind it bathroom (outside) and study.
    const bool on = random.chance(0.5);
    const double split = -z + random.uniform(5.8, 6.6);
    const double bath = -x + random.uniform(2.8, 3.1);
    out.add(RoomUse::kBedroom, flip({-x, -z, a, split}, on));
    out.add(RoomUse::kBathroom, flip({-x, split, bath, z}, on));
    out.add(RoomUse::kStudy, flip({bath, split, a, z}, on));
    out.lines.push_back({true, on ? -split : split, -x, a});
    out.lines.push_back({false, bath, on ? -z : split, on ? -split : z});
  }
  {  // Living room and hall.
    const bool on = random.chance(0.5);
    const double split = -z + random.uniform(6.9, 7.6);
    out.add(RoomUse::kLiving, flip({a, -z, b, split}, on));
    out.add(RoomUse::kHall, flip({a, split, b, z}, on));
    out.lines.push_back({true, on ? -split : split, a, b});
  }
  {  // Kitchen and a second bedroom, or a second study.
    const bool on = random.chance(0.5);
    const double split = -z + random.uniform(6.0, 6.8);
    out.add(RoomUse::kKitchen, flip({b, -z, x, split}, on));
    out.add(random.chance(0.75) ? RoomUse::kBedroom : RoomUse::kStudy, flip({b, split, x, z}, on));
    out.lines.push_back({true, on ? -split : split, b, x});
  }
  if (random.chance(0.5)) {  // Left and right change places.
    for (Tiles::Tile& t : out.tiles) t.rect = {-t.rect.x1, t.rect.z0, -t.rect.x0, t.rect.z1};
    for (Tiles::Line& l : out.lines) {
      if (l.along_x) {
        l = {true, l.at, -l.to, -l.from};
      } else {
        l.at = -l.at;
      }
    }
  }
  return out;
}

const char* word_of(RoomUse use) {
  switch (use) {
    case RoomUse::kLiving:
      return "LivingRoom";
    case RoomUse::kHall:
      return "Hall";
    case RoomUse::kKitchen:
      return "Kitchen";
    case RoomUse::kBedroom:
      return "Bedroom";
    case RoomUse::kStudy:
      return "Study";
    case RoomUse::kBathroom:
      break;
  }
  return "Bathroom";
}

void add_rooms(RoomPlan& plan, const Tiles& tiles) {
  for (const Tiles::Tile& t : tiles.tiles) {
    const auto inset = [](double edge, double house, int inward) {
      return edge + inward * (std::fabs(edge) == house ? kOuterWall : 0.5 * kInnerWall);
    };
    PlanRoom room;
    room.use = t.use;
    room.tile = t.rect;
    room.inner = {inset(t.rect.x0, kHouseHalfX, 1), inset(t.rect.z0, kHouseHalfZ, 1),
                  inset(t.rect.x1, kHouseHalfX, -1), inset(t.rect.z1, kHouseHalfZ, -1)};
    const auto same = std::count_if(plan.rooms.begin(), plan.rooms.end(),
                                    [&](const PlanRoom& r) { return r.use == t.use; });
    room.name = word_of(t.use);
    if (same > 0) room.name += "_" + std::to_string(same + 1);
    plan.rooms.push_back(room);
  }
}

void add_walls(RoomPlan& plan, const Tiles& tiles) {
  const double x = kHouseHalfX;
  const double z = kHouseHalfZ;
  const double t = kOuterWall;
  plan.walls.push_back({{-x, -z, x, -z + t}, true, true, {}});
  plan.walls.push_back({{-x, z - t, x, z}, true, true, {}});
  plan.walls.push_back({{-x, -z + t, -x + t, z - t}, false, true, {}});
  plan.walls.push_back({{x - t, -z + t, x, z - t}, false, true, {}});
  for (const Tiles::Line& line : tiles.lines) {
    // An inner wall ends at the face of the wall that it meets.
    const double half = 0.5 * kInnerWall;
    const double limit = line.along_x ? x : z;
    const auto end = [&](double v, int inward) {
      return v + inward * (std::fabs(v) == limit ? t : half);
    };
    const double from = end(line.from, 1);
    const double to = end(line.to, -1);
    plan.walls.push_back({line.along_x ? Rect{from, line.at - half, to, line.at + half}
                                       : Rect{line.at - half, from, line.at + half, to},
                          line.along_x,
                          false,
                          {}});
  }
}

/// The wall between two rooms, and what of it both have; `to - from` is 0 if there is none.
struct Shared {
  std::size_t wall = 0;
  double from = 0.0;
  double to = 0.0;
  int side = 1;  ///< where the first room lies

  [[nodiscard]] double length() const { return to - from; }
};

Shared shared_wall(const RoomPlan& plan, const Rect& a, const Rect& b) {
  constexpr double kTouch = 1e-6;  // m; inner faces and walls agree to rounding
  for (std::size_t w = 0; w < plan.walls.size(); ++w) {
    const PlanWall& wall = plan.walls[w];
    const auto meets = [&](double p, double q) { return std::fabs(p - q) < kTouch; };
    const double low = wall.along_x ? wall.base.z0 : wall.base.x0;
    const double high = wall.along_x ? wall.base.z1 : wall.base.x1;
    const auto near_low = [&](const Rect& r) { return meets(wall.along_x ? r.z1 : r.x1, low); };
    const auto near_high = [&](const Rect& r) { return meets(wall.along_x ? r.z0 : r.x0, high); };
    const bool first_low = near_low(a) && near_high(b);
    if (!first_low && !(near_high(a) && near_low(b))) continue;
    const double from =
        wall.along_x ? std::max({a.x0, b.x0, wall.base.x0}) : std::max({a.z0, b.z0, wall.base.z0});
    const double to =
        wall.along_x ? std::min({a.x1, b.x1, wall.base.x1}) : std::min({a.z1, b.z1, wall.base.z1});
    if (to > from) return {w, from, to, first_low ? -1 : 1};
  }
  return {};
}

/// Fills in what follows from wall and opening, and cuts the wall.
void add_door(RoomPlan& plan, Doorway door, Random& random) {
  PlanWall& wall = plan.walls[door.wall];
  door.hinge_low = random.chance(0.5);
  door.angle = door.leaf == Leaf::kOpen   ? random.uniform(92.0, 100.0)
               : door.leaf == Leaf::kAjar ? random.uniform(20.0, 60.0)
                                          : 0.0;
  const double from = door.opening.from + kFrame;
  const double to = door.opening.to - kFrame;
  door.passage = wall.along_x ? Rect{from, wall.base.z0, to, wall.base.z1}
                              : Rect{wall.base.x0, from, wall.base.x1, to};
  wall.openings.push_back(door.opening);
  plan.doors.push_back(door);
}

void join_rooms(RoomPlan& plan, int room, int other, const Shared& shared, bool required,
                Random& random) {
  const PlanRoom& r = plan.rooms[static_cast<std::size_t>(room)];
  const PlanRoom& o = plan.rooms[static_cast<std::size_t>(other)];
  const bool wide = (r.use == RoomUse::kKitchen && o.use == RoomUse::kLiving) ||
                    (r.use == RoomUse::kLiving && o.use == RoomUse::kHall) ||
                    (r.use == RoomUse::kHall && o.use == RoomUse::kLiving);
  const double width = wide && shared.length() > kWideDoorway + 1.2 ? kWideDoorway : kDoorWidth;
  const double from =
      random.uniform(shared.from + kDoorFromCorner, shared.to - kDoorFromCorner - width);
  Doorway door;
  door.wall = shared.wall;
  door.opening = {from, from + width, 0.0, kDoorHeight};
  door.room = room;
  door.other = other;
  door.side = shared.side;
  door.leaf = !required             ? Leaf::kAjar
              : width > kDoorWidth  ? Leaf::kNone
              : random.chance(0.85) ? Leaf::kOpen
                                    : Leaf::kNone;
  door.required = required;
  add_door(plan, door, random);
}

/// Doors along a tree that begins in the hall, and one more, ajar, where two rooms lie beside each
/// other without one.
void add_inner_doors(RoomPlan& plan, Random& random) {
  constexpr double kLeast = kDoorWidth + 2.0 * kDoorFromCorner + 0.1;
  const int n = static_cast<int>(plan.rooms.size());
  const auto room = [&](int i) -> const PlanRoom& {
    return plan.rooms[static_cast<std::size_t>(i)];
  };
  const auto shared = [&](int i, int j) { return shared_wall(plan, room(i).inner, room(j).inner); };
  std::vector<int> reached;
  std::vector<bool> known(plan.rooms.size(), false);
  const auto visit = [&](int i) {
    reached.push_back(i);
    known[static_cast<std::size_t>(i)] = true;
  };
  for (int i = 0; i < n; ++i) {
    if (room(i).use == RoomUse::kHall) visit(i);
  }
  for (std::size_t next = 0; next < reached.size(); ++next) {
    const int from = reached[next];
    // A bathroom is no way to anywhere.
    if (room(from).use == RoomUse::kBathroom) continue;
    for (int to = 0; to < n; ++to) {
      if (known[static_cast<std::size_t>(to)] || shared(to, from).length() < kLeast) continue;
      join_rooms(plan, to, from, shared(to, from), true, random);
      visit(to);
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      const bool joined = std::any_of(plan.doors.begin(), plan.doors.end(), [&](const Doorway& d) {
        return (d.room == i && d.other == j) || (d.room == j && d.other == i);
      });
      const Shared wall = shared(i, j);
      if (joined || wall.length() < kLeast + 1.0 || room(i).use == RoomUse::kBathroom ||
          room(j).use == RoomUse::kBathroom) {
        continue;
      }
      join_rooms(plan, i, j, wall, false, random);
      return;
    }
  }
}

void add_front_door(RoomPlan& plan, Random& random) {
  for (std::size_t i = 0; i < plan.rooms.size(); ++i) {
    const PlanRoom& hall = plan.rooms[i];
    if (hall.use != RoomUse::kHall) continue;
    const bool low = hall.tile.z0 == -kHouseHalfZ;
    const double from = random.uniform(hall.inner.x0 + kDoorFromCorner + 0.6,
                                       hall.inner.x1 - kDoorFromCorner - 0.6 - kDoorWidth);
    Doorway door;
    door.wall = low ? 0 : 1;
    door.opening = {from, from + kDoorWidth, 0.0, kDoorHeight};
    door.room = static_cast<int>(i);
    door.side = low ? 1 : -1;
    door.leaf = Leaf::kClosed;
    door.required = false;
    add_door(plan, door, random);
    return;
  }
}

}  // namespace

RoomPlan plan_rooms(std::uint64_t seed) {
  Random random(seed, kPlanStream);
  const Tiles tiles = split_house(random);
  RoomPlan plan;
  add_rooms(plan, tiles);
  add_walls(plan, tiles);
  add_front_door(plan, random);
  add_inner_doors(plan, random);
  return plan;
}

void plan_windows(RoomPlan& plan, std::uint64_t seed, const std::vector<Rect>& blocked) {
  Random random(seed, kWindowStream);
  constexpr double kFromCorner = 0.55;  // m: a curtain hangs there
  for (std::size_t w = 0; w < 4; ++w) {
    PlanWall& wall = plan.walls[w];
    const double face = wall.along_x ? (w == 0 ? wall.base.z1 : wall.base.z0)
                                     : (w == 2 ? wall.base.x1 : wall.base.x0);
    const int inward = w == 0 || w == 2 ? 1 : -1;
    for (std::size_t r = 0; r < plan.rooms.size(); ++r) {
      const Rect& inner = plan.rooms[r].inner;
      const double near =
          wall.along_x ? (inward > 0 ? inner.z0 : inner.z1) : (inward > 0 ? inner.x0 : inner.x1);
      if (near != face) continue;
      const double low = (wall.along_x ? inner.x0 : inner.z0) + kFromCorner;
      const double high = (wall.along_x ? inner.x1 : inner.z1) - kFromCorner;
      const bool bathroom = plan.rooms[r].use == RoomUse::kBathroom;
      const int count = bathroom || high - low < 4.2 ? 1 : 2;
      const double share = (high - low) / count;
      for (int i = 0; i < count; ++i) {
        const double width = bathroom ? 0.8 : random.uniform(1.2, 1.7);
        const double from = low + i * share + random.uniform(0.3, 0.7) * (share - width);
        const Opening opening{from, from + width, bathroom ? 1.5 : 0.95, kDoorHeight};
        const double reach = 0.5;  // m: what stands there is in front of the window
        const Rect front = wall.along_x
                               ? Rect{from - reach, std::min(face, face + inward * reach),
                                      from + width + reach, std::max(face, face + inward * reach)}
                               : Rect{std::min(face, face + inward * reach), from - reach,
                                      std::max(face, face + inward * reach), from + width + reach};
        const bool free =
            std::none_of(blocked.begin(), blocked.end(),
                         [&](const Rect& b) { return overlap(b, front); }) &&
            std::none_of(wall.openings.begin(), wall.openings.end(), [&](const Opening& o) {
              return o.from < opening.to + reach && opening.from - reach < o.to;
            });
        if (!free) continue;
        wall.openings.push_back(opening);
        plan.windows.push_back({w, opening, static_cast<int>(r), inward});
      }
    }
  }
}

Rect leaf_box(const RoomPlan& plan, const Doorway& door) {
  const PlanWall& wall = plan.walls[door.wall];
  // Along the wall from the hinge into the doorway (u), and out of the wall into the room (v).
  const core::SinCos turn = core::sincos_degrees(door.angle);
  const double width = (door.opening.to - door.opening.from) - 2.0 * kFrame - 0.01;
  const std::array<std::array<double, 2>, 4> corners{
      {{0.0, 0.0},
       {width * turn.cos, width * turn.sin},
       {kLeafThickness * turn.sin, -kLeafThickness * turn.cos},
       {width * turn.cos + kLeafThickness * turn.sin,
        width * turn.sin - kLeafThickness * turn.cos}}};
  const double hinge = door.hinge_low ? door.opening.from + kFrame : door.opening.to - kFrame;
  const double face = wall.along_x ? (door.side > 0 ? wall.base.z1 : wall.base.z0)
                                   : (door.side > 0 ? wall.base.x1 : wall.base.x0);
  Rect box{1e9, 1e9, -1e9, -1e9};
  for (const auto& [u, v] : corners) {
    const double along = hinge + (door.hinge_low ? u : -u);
    const double across = face + door.side * v;
    const double x = wall.along_x ? along : across;
    const double z = wall.along_x ? across : along;
    box = {std::min(box.x0, x), std::min(box.z0, z), std::max(box.x1, x), std::max(box.z1, z)};
  }
  return box;
}

}  // namespace tocsin::make
