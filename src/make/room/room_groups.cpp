// Pieces that belong together, placed as one: a sofa with its armchairs, a table with its chairs,
// beds, desks, pianos.
#include <string>

#include "make/room/room_furnisher.h"

namespace tocsin::make {

void Furnisher::seats(int room, Random& random) {
  const double width = random.uniform(2.05, 2.35);
  constexpr double kDepth = 2.02;  // m, of the whole group
  // Two armchairs face each other before the sofa; one or none where there is no room for two.
  for (const int armchairs : {2, 1, 0}) {
    const double whole = armchairs == 2 ? 3.74 : (armchairs == 1 ? 3.1 : width + 0.04);
    const std::optional<Spot> spot = place(room,
                                           {.width = whole,
                                            .depth = kDepth,
                                            .height = kSofaHeight,
                                            .front = armchairs == 2 ? 0.5 : 0.0},
                                           random);
    if (!spot) continue;
    const double middle = armchairs == 1 ? -0.32 : 0.0;
    const double back = -0.5 * kDepth;
    const Frame at = moved(spot->frame(), {middle, 0.0, 0.0});
    const Frame sofa_at = moved(at, {0.0, 0.0, back + 0.47});
    const std::string name = house_.pieces.next("Sofa");
    house_.pieces.add(name, [=](Sculptor& s) { sofa(s, sofa_at, width, 3); });
    for (int i = 0; i < 2; ++i) {
      const double x = (i == 0 ? -1.0 : 1.0) * (0.5 * width - 0.42);
      const Frame c = turned_y(moved(sofa_at, {x, 0.475, -0.06}), i == 0 ? 22.0 : -18.0);
      house_.pieces.add(
          name + "_Cushion_" + std::to_string(i + 1),
          [=](Sculptor& s) { loose_cushion(s, turned_x(c, -24.0)); }, 0.1);
    }
    const double row = back + 1.55;
    for (int i = 0; i < armchairs; ++i) {
      const double side = i == 0 ? 1.0 : -1.0;
      const Frame chair_at = turned_y(moved(at, {side * 1.39, 0.0, row}), -90.0 * side);
      put("Armchair", chair_at, [](Sculptor& s, const Frame& f) { sofa(s, f, 0.86, 1); });
    }
    const bool round = random.chance(0.4);
    const Frame table_at = moved(at, {0.0, 0.0, row});
    put("CoffeeTable", table_at, [=](Sculptor& s, const Frame& f) {
      if (round) {
        round_table(s, f, 0.38, 0.42);
      } else {
        table(s, f, {1.05, 0.42, 0.58}, 1);
      }
    });
    put(
        "Vase", moved(table_at, {-0.15, 0.42, 0.05}),
        [](Sculptor& s, const Frame& f) { vase(s, f, 0.24); }, kTrimmings);
    put(
        "Bowl", moved(table_at, {0.16, 0.42, -0.04}),
        [](Sculptor& s, const Frame& f) { bowl(s, f, 0.12); }, 0.15);
    const Vec3 centre = at * Vec3{0.0, 0.0, row};
    const bool turned = spot->turn % 2 == 1;
    rug(room, centre, turned ? 1.9 : 2.7, turned ? 2.7 : 1.9);
    return;
  }
}

void Furnisher::dining(int room, Random& random) {
  const int per_side = random.integer(2, 3);
  const bool ends = random.chance(0.6);
  const int style = random.integer(0, 1);
  constexpr double kChairDepth = 0.68;  // m, with the room that a chair at an angle needs
  const double length = 0.72 * per_side + 0.15;
  const Size top{length, 0.75, 0.9};
  const double whole_x = length + (ends ? 2.0 * kChairDepth : 0.1);
  const std::optional<Spot> spot = place(room,
                                         {.width = whole_x,
                                          .depth = top.z + 2.0 * kChairDepth,
                                          .height = 0.8,
                                          .wall = false,
                                          .prefer = Prefer::kMiddle},
                                         random);
  if (!spot) return;
  const Frame at = spot->frame();
  const std::string name = house_.pieces.next("Table");
  house_.pieces.add(name, [=](Sculptor& s) { table(s, at, top, style); });
  const auto seat = [&](double x, double z, double turn) {
    const double angle = turn + random.uniform(-7.0, 7.0);
    put("Chair", turned_y(moved(at, {x, 0.0, z}), angle),
        [=](Sculptor& s, const Frame& f) { chair(s, f, style); });
  };
  int number = 0;
  const auto cover = [&](double x, double z) {
    const std::string index = std::to_string(++number);
    const Frame p = moved(at, {x, top.y, z});
    const double rank = random.uniform(0.15, 0.6);
    house_.pieces.add(
        name + "_Plate_" + index, [=](Sculptor& s) { plate(s, p); }, rank);
    const Frame c = turned_y(moved(at, {x + 0.19, top.y, 0.75 * z}), random.uniform(0.0, 360.0));
    house_.pieces.add(
        name + "_Cup_" + index, [=](Sculptor& s) { cup(s, c); }, rank + 0.1);
  };
  const double out = 0.5 * kChairDepth;
  for (int i = 0; i < per_side; ++i) {
    const double x = (i + 0.5) * 0.72 - 0.36 * per_side;
    seat(x, -0.5 * top.z - out, 0.0);
    seat(x, 0.5 * top.z + out, 180.0);
    cover(x, -0.27);
    cover(x, 0.27);
  }
  if (ends) {
    seat(-0.5 * length - out, 0.0, 90.0);
    seat(0.5 * length + out, 0.0, -90.0);
  }
  put(
      "Bowl", moved(at, {0.0, top.y, 0.0}), [](Sculptor& s, const Frame& f) { bowl(s, f, 0.16); },
      kTrimmings);
}

void Furnisher::bed_group(int room, double width, Random& random) {
  const Size size{width, 1.0, 2.08};
  constexpr Size kStand{0.44, 0.5, 0.4};
  for (const int stands : {2, 1, 0}) {
    const double side = kStand.x + 0.08;
    const std::optional<Spot> spot = place(
        room, {.width = width + stands * side, .depth = size.z, .height = size.y, .front = 0.4},
        random);
    if (!spot) continue;
    const double middle = stands == 1 ? -0.5 * side : 0.0;
    const Frame at = moved(spot->frame(), {middle, 0.0, 0.0});
    const int pillows = width > 1.3 ? 2 : 1;
    put("Bed", at, [=](Sculptor& s, const Frame& f) { bed(s, f, size, pillows); });
    for (int i = 0; i < stands; ++i) {
      const double x = (i == 0 ? 1.0 : -1.0) * (0.5 * width + 0.5 * kStand.x + 0.04);
      const Frame stand_at = moved(at, {x, 0.0, 0.5 * (kStand.z - size.z)});
      put("NightStand", stand_at,
          [=](Sculptor& s, const Frame& f) { drawers(s, f, kStand, 1, 2); });
      put("TableLamp", moved(stand_at, {0.0, kStand.y, -0.03}), table_lamp, kTrimmings);
    }
    const Vec3 foot = at * Vec3{0.0, 0.0, 0.35};
    const bool turned = spot->turn % 2 == 1;
    rug(room, foot, turned ? 2.0 : width + 1.2, turned ? width + 1.2 : 2.0);
    return;
  }
}

void Furnisher::desk_group(int room, Random& random) {
  const Size size{random.uniform(1.3, 1.6), 0.74, 0.7};
  constexpr double kChairDepth = 0.66;  // m
  const std::optional<Spot> spot =
      place(room, {.width = size.x, .depth = size.z + kChairDepth, .height = 0.8}, random);
  if (!spot) return;
  const Frame at = moved(spot->frame(), {0.0, 0.0, -0.5 * kChairDepth});
  put("Desk", at, [=](Sculptor& s, const Frame& f) { desk(s, f, size); });
  const double angle = 180.0 + random.uniform(-7.0, 7.0);
  const int style = random.integer(0, 1);
  put("Chair", turned_y(moved(at, {-0.2, 0.0, 0.5 * (size.z + kChairDepth)}), angle),
      [=](Sculptor& s, const Frame& f) { chair(s, f, style); });
  put("Monitor", moved(at, {-0.15, size.y, -0.12}),
      [](Sculptor& s, const Frame& f) { screen(s, f, 0.55); });
  put("TableLamp", moved(at, {0.5 * size.x - 0.16, size.y, -0.16}), table_lamp, kTrimmings);
  ornament(moved(at, {-0.5 * size.x + 0.14, size.y, -0.14}), random, 0.12);
}

void Furnisher::piano(int room, Random& random) {
  constexpr double kDepth = 1.15;  // m, with the stool
  const std::optional<Spot> spot =
      place(room, {.width = kPiano.x, .depth = kDepth, .height = kPiano.y, .front = 0.2}, random);
  if (!spot) return;
  const Frame at = moved(spot->frame(), {0.0, 0.0, 0.5 * (kPiano.z - kDepth)});
  const std::string name = house_.pieces.next("Piano");
  house_.pieces.add(name, [=](Sculptor& s) { upright_piano(s, at); });
  house_.pieces.add(
      name + "_Keys", [=](Sculptor& s) { piano_keys(s, at); }, 0.6);
  put("Stool", moved(at, {0.0, 0.0, 0.62}), stool);
  ornament(moved(at, {0.5, 1.23, -0.12}), random, 0.2);
}

}  // namespace tocsin::make
