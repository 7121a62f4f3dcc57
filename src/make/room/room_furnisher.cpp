#include "make/room/room_furnisher.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tocsin::make {
namespace {

constexpr std::uint64_t kStairsStream = 4;

/// The smallest box around a rectangle of a frame's ground.
Rect ground_box(const Frame& at, double x0, double z0, double x1, double z1) {
  const Vec3 a = at * Vec3{x0, 0.0, z0};
  const Vec3 b = at * Vec3{x1, 0.0, z1};
  return {std::min(a.x, b.x), std::min(a.z, b.z), std::max(a.x, b.x), std::max(a.z, b.z)};
}

}  // namespace

std::optional<Spot> Furnisher::place(int room, const Want& want, Random& random) {
  const std::optional<Spot> spot = space_.place(room, want, random);
  if (spot) standing_.push_back({spot->box, want.height});
  return spot;
}

void Furnisher::put(const std::string& kind, const Frame& at, const Shape& shape, double rank) {
  house_.pieces.add(
      house_.pieces.next(kind), [=](Sculptor& s) { shape(s, at); }, rank);
}

std::string Furnisher::stand(const std::string& kind, int room, const Want& want, Random& random,
                             const Shape& shape) {
  const std::optional<Spot> spot = place(room, want, random);
  if (!spot) return {};
  std::string name = house_.pieces.next(kind);
  const Frame at = spot->frame();
  house_.pieces.add(name, [=](Sculptor& s) { shape(s, at); });
  return name;
}

void Furnisher::build_house() {
  Random random(seed_, kStairsStream);
  RoomPlan& plan = house_.plan;
  for (std::size_t i = 0; i < plan.rooms.size(); ++i) {
    if (plan.rooms[i].use == RoomUse::kLiving) add_stairs(static_cast<int>(i), random);
  }
  plan_windows(plan, seed_, {grown(gallery_, 0.3)});
  space_.add_windows();
  add_shell(house_, gallery_);
}

void Furnisher::add_stairs(int room, Random& random) {
  Gallery g;
  std::optional<Spot> spot;
  for (const double platform : {2.1, 1.5}) {
    g.length += platform - g.platform;
    g.platform = platform;
    spot =
        place(room, {.width = g.length, .depth = g.depth, .height = 3.0, .prefer = Prefer::kCorner},
              random);
    if (spot) break;
  }
  if (!spot) return;
  standing_.pop_back();  // one may stand below the platform
  const Frame at = spot->frame();
  const Rect& inner = house_.plan.rooms[static_cast<std::size_t>(room)].inner;
  // The platform goes to the end that is nearer to a corner of the room.
  const auto to_corner = [&](double end) {
    const Vec3 p = at * Vec3{end * 0.5 * g.length, 0.0, 0.0};
    return spot->turn % 2 == 0 ? std::min(p.x - inner.x0, inner.x1 - p.x)
                               : std::min(p.z - inner.z0, inner.z1 - p.z);
  };
  g.side = to_corner(1.0) <= to_corner(-1.0) ? 1.0 : -1.0;
  const bool open_end = to_corner(g.side) > 0.3;
  gallery_ = spot->box;

  const double back = -0.5 * g.depth;
  const double head = g.side * (0.5 * g.length - g.platform);
  const double far = g.side * 0.5 * g.length;
  const auto post = [&](double x) {
    return ground_box(at, x - 0.05, -back - 0.11, x + 0.05, -back - 0.01);
  };
  const Rect steps = ground_box(at, -far, back, head, back + g.stairs);
  space_.replace_last({steps, post(head + 0.06 * g.side), post(far - 0.06 * g.side)});
  standing_.push_back({steps, 2.1});
  space_.keep_free(ground_box(at, -far - 0.9 * g.side, back, -far, back + g.stairs));
  space_.add_gallery(ground_box(at, head, back, far, -back));

  house_.pieces.add("Stairs_01", [=](Sculptor& s) { stairs(s, at, g); });
  house_.pieces.add("Stairs_01_Railing", [=](Sculptor& s) { stairs_railing(s, at, g); });
  house_.pieces.add("Gallery_01", [=](Sculptor& s) { gallery(s, at, g); });
  house_.pieces.add("Gallery_01_Railing",
                    [=](Sculptor& s) { gallery_railing(s, at, g, open_end); });
}

void Furnisher::shelf(int room, double height, Random& random) {
  const double width = random.uniform(0.85, 1.15);
  for (const double w : {width, 0.7}) {
    const Size size{w, height, 0.3};
    const int boards = height > 1.6 ? 5 : 3;
    const std::optional<Spot> spot =
        place(room, {.width = w, .depth = size.z, .height = height, .front = 0.55}, random);
    if (!spot) continue;
    const Frame at = spot->frame();
    const std::string name = house_.pieces.next("Bookshelf");
    house_.pieces.add(name, [=](Sculptor& s) { bookshelf(s, at, size, boards); });
    books(name, at, size, boards, random);
    ornament(moved(at, {random.uniform(-0.2, 0.2), height, 0.0}), random, 0.3);
    return;
  }
}

void Furnisher::books(const std::string& shelf, const Frame& at, const Size& size, int boards,
                      Random& random) {
  const double inner = size.x - 2.0 * kBoard - 0.01;
  const double room = (size.y - 0.06 - kBoard) / boards - kBoard;
  int number = 0;
  for (int k = 0; k < boards; ++k) {
    const double y = board_height(size, boards, k);
    const double fill = inner * random.uniform(0.7, 1.0);
    const double eager = random.uniform(0.8, 1.25);
    double x = 0.0;
    while (true) {
      const Size book_size{random.uniform(0.018, 0.05),
                           std::min(random.uniform(0.17, 0.3), room - 0.015),
                           random.uniform(0.14, 0.22)};
      if (x + book_size.x > fill) break;
      // Boards fill up from one end: where there are few books, they still stand together.
      const double rank = std::min((x + book_size.x) / inner * eager, 0.999);
      const double recess = random.uniform(0.02, 0.035);
      const Frame f = moved(at, {x + 0.5 * book_size.x - 0.5 * inner, y + 0.0005,
                                 0.5 * size.z - recess - 0.5 * book_size.z});
      house_.pieces.add(
          shelf + "_Book_" + std::to_string(++number), [=](Sculptor& s) { book(s, f, book_size); },
          rank);
      x += book_size.x + 0.0012;
    }
    if (inner - fill > 0.16) {
      ornament(moved(at, {0.5 * inner - 0.075, y + 0.0005, 0.02}), random, 0.4);
    }
  }
}

void Furnisher::ornament(const Frame& at, Random& random, double rank) {
  const double size = random.uniform(0.14, 0.2);
  const int winds = 2 * random.integer(1, 3) + 1;
  if (random.chance(0.5)) {
    put(
        "Ornament", at, [=](Sculptor& s, const Frame& f) { knot(s, f, size, winds); }, rank);
  } else {
    put(
        "Vase", at, [=](Sculptor& s, const Frame& f) { vase(s, f, size); }, rank);
  }
}

void Furnisher::potted_plant(int room, Random& random) {
  const double height = random.uniform(1.1, 1.6);
  const std::uint64_t seed = random.bits();
  stand("Plant", room, {.width = 0.78, .depth = 0.78, .height = height, .prefer = Prefer::kCorner},
        random, [=](Sculptor& s, const Frame& f) { plant(s, f, height, seed); });
}

void Furnisher::lamp(int room, Random& random) {
  stand("FloorLamp", room, {.width = 0.42, .depth = 0.42, .height = 1.7, .prefer = Prefer::kCorner},
        random, floor_lamp);
}

void Furnisher::pendant(int room, Random& random) {
  const PlanRoom& r = house_.plan.rooms[static_cast<std::size_t>(room)];
  Frame at;
  at.origin = {0.5 * (r.inner.x0 + r.inner.x1), 0.0, 0.5 * (r.inner.z0 + r.inner.z1)};
  const int style = r.use == RoomUse::kLiving ? 1 : 0;
  const double low = random.uniform(1.95, 2.1);
  put("PendantLamp", at,
      [=](Sculptor& s, const Frame& f) { pendant_lamp(s, f, low, kWallHeight, style); });
}

void Furnisher::rug(int room, const Vec3& middle, double width, double depth) {
  const Rect inner = grown(house_.plan.rooms[static_cast<std::size_t>(room)].inner, -0.05);
  for (int twentieths = 20; twentieths >= 10; --twentieths) {
    const double scale = 0.05 * twentieths;
    const double x = 0.5 * width * scale;
    const double z = 0.5 * depth * scale;
    const Rect box{std::max(middle.x - x, inner.x0), std::max(middle.z - z, inner.z0),
                   std::min(middle.x + x, inner.x1), std::min(middle.z + z, inner.z1)};
    if (box.width() < 0.5 || box.depth() < 0.5 || !space_.clear_of_doors(box)) continue;
    Frame at;
    at.origin = {0.5 * (box.x0 + box.x1), 0.0, 0.5 * (box.z0 + box.z1)};
    const double w = box.width();
    const double d = box.depth();
    put("Carpet", at, [=](Sculptor& s, const Frame& f) { carpet(s, f, w, d); });
    return;
  }
}

void Furnisher::pictures(int room, int count, Random& random) {
  const PlanRoom& r = house_.plan.rooms[static_cast<std::size_t>(room)];
  for (int attempt = 0; attempt < 40 && count > 0; ++attempt) {
    const int turn = random.integer(0, 3);
    const double width = random.uniform(0.4, 0.9);
    const double height = random.uniform(0.35, 0.65);
    const bool along_x = turn % 2 == 0;
    const double low = (along_x ? r.inner.x0 : r.inner.z0) + 0.2 + 0.5 * width;
    const double high = (along_x ? r.inner.x1 : r.inner.z1) - 0.2 - 0.5 * width;
    const double s = random.uniform(low, high);
    const double face = turn == 0   ? r.inner.z0
                        : turn == 1 ? r.inner.x0
                        : turn == 2 ? r.inner.z1
                                    : r.inner.x1;
    const double half = 0.5 * width + 0.12;
    const Rect area = along_x ? Rect{s - half, face - 0.25, s + half, face + 0.25}
                              : Rect{face - 0.25, s - half, face + 0.25, s + half};
    constexpr double kBottom = 1.4;  // m
    bool free = !overlap(area, gallery_);
    for (const Standing& o : standing_) {
      free = free && !(o.height > kBottom - 0.1 && overlap(o.box, area));
    }
    for (const PlanWall& wall : house_.plan.walls) {
      if (wall.along_x != along_x || !overlap(wall.base, area)) continue;
      for (const Opening& o : wall.openings) {
        // A curtain hangs beside each window.
        const double reach = o.bottom > 0.0 ? 0.5 : 0.1;
        free = free && !(o.from - reach < s + half && s - half < o.to + reach);
      }
    }
    for (const Doorway& d : house_.plan.doors) {
      free = free && !(d.leaf != Leaf::kNone && overlap(leaf_box(house_.plan, d), area));
    }
    if (!free) continue;
    standing_.push_back({area, 3.0});  // no other picture there
    Frame at;
    at.origin = along_x ? Vec3{s, kBottom, face} : Vec3{face, kBottom, s};
    put(
        "Picture", turned_y(at, 90.0 * turn),
        [=](Sculptor& sculptor, const Frame& f) { picture(sculptor, f, width, height); },
        kTrimmings);
    --count;
  }
}

}  // namespace tocsin::make
