#include "make/room/room_space.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace tocsin::make {
namespace {

/// Metres, of the grid. A doorway leaves 0.16 m for the middle of a walker: three places.
constexpr double kCell = 0.05;
constexpr int kColumns = static_cast<int>(2.0 * kHouseHalfX / kCell) + 1;
constexpr int kRows = static_cast<int>(2.0 * kHouseHalfZ / kCell) + 1;
/// Metres between the boxes of two pieces, and between a piece and a wall.
constexpr double kGap = 0.06;
constexpr double kWallGap = 0.03;
/// Metres before a door that stay free.
constexpr double kBeforeDoor = 1.0;
/// The ground before a piece.
Rect front_of(const Spot& spot, double depth) {
  Rect front = spot.box;
  if (spot.turn == 0) front.z1 += depth;
  if (spot.turn == 1) front.x1 += depth;
  if (spot.turn == 2) front.z0 -= depth;
  if (spot.turn == 3) front.x0 -= depth;
  return front;
}

/// Metres: higher things do not stand before windows; curtains and sills end above.
constexpr double kBelowWindow = 0.85;
/// Metres, below a gallery.
constexpr double kBelowGallery = 1.9;

int column_of(double x) { return static_cast<int>(std::floor((x + kHouseHalfX) / kCell)); }
int row_of(double z) { return static_cast<int>(std::floor((z + kHouseHalfZ) / kCell)); }
double x_of(int i) { return -kHouseHalfX + kCell * i; }
double z_of(int j) { return -kHouseHalfZ + kCell * j; }
std::size_t cell(int i, int j) {
  return static_cast<std::size_t>(j) * static_cast<std::size_t>(kColumns) +
         static_cast<std::size_t>(i);
}

/// The ground before a door, on the side of `room`: as wide as the doorway, from `near` to `far`
/// metres from the wall.
Rect before_door(const RoomPlan& plan, const Doorway& door, int room, double near, double far) {
  const PlanWall& wall = plan.walls[door.wall];
  const int side = room == door.room ? door.side : -door.side;
  Rect r = door.passage;
  double& low = wall.along_x ? r.z0 : r.x0;
  double& high = wall.along_x ? r.z1 : r.x1;
  const double face = side > 0 ? high : low;
  low = side > 0 ? face + near : face - far;
  high = side > 0 ? face + far : face - near;
  return r;
}

bool opens_into(const Doorway& door, int room) { return door.room == room || door.other == room; }

/// Where the doors of a room must be reached.
std::vector<Rect> door_targets(const RoomPlan& plan, int room) {
  std::vector<Rect> targets;
  for (const Doorway& door : plan.doors) {
    if (!opens_into(door, room)) continue;
    if (door.required) targets.push_back(door.passage);
    if (door.leaf == Leaf::kClosed) targets.push_back(before_door(plan, door, room, 0.45, 0.8));
  }
  return targets;
}

/// The parts of a wall that stand between floor and door height, and the frames in its doorways.
void add_wall_boxes(const RoomPlan& plan, std::size_t w, std::vector<Rect>& out) {
  const PlanWall& wall = plan.walls[w];
  std::vector<std::pair<double, double>> gaps;
  for (const Doorway& door : plan.doors) {
    if (door.wall != w) continue;
    gaps.emplace_back(door.opening.from + kFrame, door.opening.to - kFrame);
    if (door.leaf == Leaf::kClosed) out.push_back(door.passage);
  }
  std::sort(gaps.begin(), gaps.end());
  double from = wall.along_x ? wall.base.x0 : wall.base.z0;
  const double end = wall.along_x ? wall.base.x1 : wall.base.z1;
  gaps.emplace_back(end, end);
  for (const auto& [low, high] : gaps) {
    if (low > from) {
      out.push_back(wall.along_x ? Rect{from, wall.base.z0, low, wall.base.z1}
                                 : Rect{wall.base.x0, from, wall.base.x1, low});
    }
    from = high;
  }
}

}  // namespace

WalkGrid::WalkGrid(const RoomPlan& plan)
    : blocked_(static_cast<std::size_t>(kColumns) * static_cast<std::size_t>(kRows), 0) {
  for (const Rect& obstacle : plan.obstacles) add(obstacle);
}

WalkGrid::Cells WalkGrid::cells_in(const Rect& area) const {
  return {std::clamp(column_of(area.x0) + 1, 0, kColumns - 1),
          std::clamp(row_of(area.z0) + 1, 0, kRows - 1),
          std::clamp(column_of(area.x1), 0, kColumns - 1),
          std::clamp(row_of(area.z1), 0, kRows - 1)};
}

void WalkGrid::stamp(const Rect& obstacle, int by) {
  const Cells c = cells_in(grown(obstacle, 0.5 * kFreeWay));
  for (int j = c.j0; j <= c.j1; ++j) {
    for (int i = c.i0; i <= c.i1; ++i) {
      std::int16_t& count = blocked_[cell(i, j)];
      count = static_cast<std::int16_t>(count + by);
    }
  }
}

std::vector<int> WalkGrid::distances(const Rect& from, const Rect& area) const {
  std::vector<int> steps(blocked_.size(), -1);
  std::vector<std::pair<int, int>> queue;
  const Cells bounds = cells_in(area);
  const auto visit = [&](int i, int j, int distance) {
    if (i < bounds.i0 || i > bounds.i1 || j < bounds.j0 || j > bounds.j1) return;
    if (blocked_[cell(i, j)] > 0 || steps[cell(i, j)] >= 0) return;
    steps[cell(i, j)] = distance;
    queue.emplace_back(i, j);
  };
  const Cells start = cells_in(from);
  for (int j = start.j0; j <= start.j1; ++j) {
    for (int i = start.i0; i <= start.i1; ++i) visit(i, j, 0);
  }
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const auto [i, j] = queue[next];
    const int distance = steps[cell(i, j)] + 1;
    visit(i + 1, j, distance);
    visit(i - 1, j, distance);
    visit(i, j + 1, distance);
    visit(i, j - 1, distance);
  }
  return steps;
}

bool WalkGrid::joined(const Rect& area, const std::vector<Rect>& targets) const {
  if (targets.empty()) return true;
  // From one place only: a doorway's places hang together, as nothing stands in a doorway.
  const std::vector<int> steps = distances(targets.front(), area);
  return std::all_of(targets.begin(), targets.end(), [&](const Rect& target) {
    const Cells c = cells_in(target);
    for (int j = c.j0; j <= c.j1; ++j) {
      for (int i = c.i0; i <= c.i1; ++i) {
        if (steps[cell(i, j)] >= 0) return true;
      }
    }
    return false;
  });
}

std::vector<std::array<double, 2>> WalkGrid::way(const Rect& from, const Rect& to) const {
  const Rect house{-kHouseHalfX, -kHouseHalfZ, kHouseHalfX, kHouseHalfZ};
  const std::vector<int> steps = distances(to, house);  // backwards, so that the way runs forwards
  const Cells start = cells_in(from);
  int i = -1;
  int j = -1;
  for (int b = start.j0; b <= start.j1; ++b) {
    for (int a = start.i0; a <= start.i1; ++a) {
      const int d = steps[cell(a, b)];
      if (d >= 0 && (i < 0 || d < steps[cell(i, j)])) {
        i = a;
        j = b;
      }
    }
  }
  std::vector<std::array<double, 2>> out;
  if (i < 0) return out;
  constexpr std::array<std::array<int, 2>, 4> kMoves{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
  std::size_t last_move = kMoves.size();
  while (steps[cell(i, j)] > 0) {
    // Straight on where that leads nearer too: fewer corners.
    const auto nearer = [&](std::size_t m) {
      const int a = i + kMoves[m][0];
      const int b = j + kMoves[m][1];
      return a >= 0 && b >= 0 && a < kColumns && b < kRows &&
             steps[cell(a, b)] == steps[cell(i, j)] - 1;
    };
    std::size_t move = last_move;
    if (move == kMoves.size() || !nearer(move)) {
      for (move = 0; !nearer(move);) ++move;
    }
    if (move != last_move) out.push_back({x_of(i), z_of(j)});
    last_move = move;
    i += kMoves[move][0];
    j += kMoves[move][1];
  }
  out.push_back({x_of(i), z_of(j)});
  return out;
}

FloorSpace::FloorSpace(RoomPlan& plan) : plan_(plan), grid_(RoomPlan{}) {
  for (std::size_t w = 0; w < plan.walls.size(); ++w) add_wall_boxes(plan, w, plan.obstacles);
  for (const Doorway& door : plan.doors) {
    if (door.leaf == Leaf::kOpen || door.leaf == Leaf::kAjar) {
      const Rect leaf = leaf_box(plan, door);
      plan.obstacles.push_back(leaf);
      taken_.push_back({leaf, leaf});
    }
    for (const int room : {door.room, door.other}) {
      if (room >= 0) keep_free_.push_back(before_door(plan, door, room, 0.0, kBeforeDoor));
    }
  }
  grid_ = WalkGrid(plan);
}

void FloorSpace::add_windows() {
  for (const Window& window : plan_.windows) {
    const PlanWall& wall = plan_.walls[window.wall];
    constexpr double kReach = 0.3;  // m, of the curtains beside and before it
    const double from = window.opening.from - kReach;
    const double to = window.opening.to + kReach;
    windows_.push_back(wall.along_x ? Rect{from, wall.base.z0 - kReach, to, wall.base.z1 + kReach}
                                    : Rect{wall.base.x0 - kReach, from, wall.base.x1 + kReach, to});
  }
}

bool FloorSpace::fits(const PlanRoom& room, const Want& want, const Spot& spot) const {
  const Rect& box = spot.box;
  if (!inside(box, grown(room.inner, -0.5 * kWallGap))) return false;
  const auto hits = [](const std::vector<Rect>& rects, const Rect& r) {
    return std::any_of(rects.begin(), rects.end(), [&](const Rect& o) { return overlap(o, r); });
  };
  if (hits(keep_free_, box)) return false;
  if (want.height > kBelowWindow && hits(windows_, box)) return false;
  if (want.height > kBelowGallery && hits(galleries_, box)) return false;
  const Rect front = front_of(spot, want.front);
  if (!inside(front, room.inner)) return false;
  const Rect wide = grown(box, kGap);
  return std::none_of(taken_.begin(), taken_.end(), [&](const Taken& t) {
    return overlap(t.box, wide) || overlap(t.box, front) || overlap(t.front, box);
  });
}

bool FloorSpace::leaves_a_way(int room, const Rect& box) {
  const PlanRoom& r = plan_.rooms[static_cast<std::size_t>(room)];
  grid_.add(box);
  const bool ok = grid_.joined(grown(r.inner, kOuterWall), door_targets(plan_, room));
  if (!ok) grid_.remove(box);
  return ok;
}

std::vector<Spot> FloorSpace::candidates(const PlanRoom& room, const Want& want,
                                         Random& random) const {
  struct Scored {
    double score;
    Spot spot;
  };
  std::vector<Scored> found;
  const Rect area = grown(room.inner, -kWallGap);
  const auto consider = [&](double x0, double z0, int turn) {
    const double w = turn % 2 == 0 ? want.width : want.depth;
    const double d = turn % 2 == 0 ? want.depth : want.width;
    const Spot spot{{x0, z0, x0 + w, z0 + d}, turn};
    double score = random.uniform();
    // 0 in the middle of the room, 1 in a corner.
    const double off_x = std::fabs((x0 + 0.5 * w) - 0.5 * (area.x0 + area.x1)) /
                         std::max(0.5 * (area.width() - w), 0.1);
    const double off_z = std::fabs((z0 + 0.5 * d) - 0.5 * (area.z0 + area.z1)) /
                         std::max(0.5 * (area.depth() - d), 0.1);
    const double corner = 0.5 * (off_x + off_z);
    if (want.prefer == Prefer::kCorner) score -= 4.0 * corner;
    if (want.prefer == Prefer::kMiddle) score += 4.0 * corner;
    if (fits(room, want, spot)) found.push_back({score, spot});
  };
  constexpr double kStep = 0.1;  // m
  for (int turn = 0; turn < 4; ++turn) {
    const double w = turn % 2 == 0 ? want.width : want.depth;
    const double d = turn % 2 == 0 ? want.depth : want.width;
    const double free_x = area.width() - w;
    const double free_z = area.depth() - d;
    if (free_x < 0.0 || free_z < 0.0) continue;
    const int nx = static_cast<int>(free_x / kStep);
    const int nz = static_cast<int>(free_z / kStep);
    if (want.wall) {
      const bool along_x = turn % 2 == 0;
      const int n = along_x ? nx : nz;
      for (int i = 0; i <= n; ++i) {
        const double s = n > 0 ? static_cast<double>(i) / n : 0.5;
        const double x0 = along_x ? area.x0 + s * free_x : (turn == 1 ? area.x0 : area.x1 - w);
        const double z0 = along_x ? (turn == 0 ? area.z0 : area.z1 - d) : area.z0 + s * free_z;
        consider(x0, z0, turn);
      }
      continue;
    }
    for (int i = 0; i <= nx; i += 2) {
      for (int j = 0; j <= nz; j += 2) consider(area.x0 + kStep * i, area.z0 + kStep * j, turn);
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Scored& a, const Scored& b) { return a.score < b.score; });
  std::vector<Spot> out;
  out.reserve(found.size());
  for (const Scored& s : found) out.push_back(s.spot);
  return out;
}

std::optional<Spot> FloorSpace::place(int room, const Want& want, Random& random) {
  const PlanRoom& r = plan_.rooms[static_cast<std::size_t>(room)];
  for (const Spot& spot : candidates(r, want, random)) {
    if (!leaves_a_way(room, spot.box)) continue;
    taken_.push_back({spot.box, front_of(spot, want.front)});
    plan_.obstacles.push_back(spot.box);
    return spot;
  }
  return std::nullopt;
}

void FloorSpace::replace_last(const std::vector<Rect>& parts) {
  grid_.remove(plan_.obstacles.back());
  plan_.obstacles.pop_back();
  taken_.pop_back();
  for (const Rect& part : parts) {
    grid_.add(part);
    plan_.obstacles.push_back(part);
    taken_.push_back({part, part});
  }
}

bool FloorSpace::clear_of_doors(const Rect& box) const {
  const bool leaf = std::any_of(plan_.doors.begin(), plan_.doors.end(), [&](const Doorway& d) {
    return d.leaf != Leaf::kNone && overlap(leaf_box(plan_, d), box);
  });
  return !leaf && std::none_of(keep_free_.begin(), keep_free_.end(),
                               [&](const Rect& r) { return overlap(r, box); });
}

std::vector<std::array<double, 2>> walk_through(const RoomPlan& plan) {
  const WalkGrid grid(plan);
  std::vector<std::array<double, 2>> out;
  Rect here{};
  for (const Doorway& door : plan.doors) {
    if (door.leaf == Leaf::kClosed) here = before_door(plan, door, door.room, 0.45, 0.8);
  }
  // Doors were made along a tree from the hall on: every room's door comes after its parent's.
  for (const Doorway& door : plan.doors) {
    if (!door.required) continue;
    const Rect there = before_door(plan, door, door.room, 0.4, 1.0);
    const std::vector<std::array<double, 2>> leg = grid.way(here, there);
    out.insert(out.end(), leg.begin(), leg.end());
    if (!leg.empty()) {
      const auto& [x, z] = leg.back();
      here = {x - 0.01, z - 0.01, x + 0.01, z + 0.01};
    }
  }
  return out;
}

}  // namespace tocsin::make
