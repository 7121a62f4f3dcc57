// What belongs into which room.
#include <cstddef>
#include <optional>

#include "make/room/room_furnisher.h"

namespace tocsin::make {
namespace {

/// Streams of a house's seed from here on: one for each room.
constexpr std::uint64_t kRoomStreams = 100;

}  // namespace

void Furnisher::living_room(int room, Random& random) {
  seats(room, random);
  const std::optional<Spot> bench =
      place(room, {.width = 1.5, .depth = 0.42, .height = 1.2, .front = 0.5}, random);
  if (bench) {
    put("TvBench", bench->frame(), [](Sculptor& s, const Frame& f) {
      drawers(s, f, {1.5, 0.46, 0.42}, 3, 1);
    });
    put("Television", moved(bench->frame(), {0.0, 0.46, -0.05}),
        [](Sculptor& s, const Frame& f) { screen(s, f, 1.15); });
  }
  shelf(room, random.uniform(1.9, 2.15), random);
  shelf(room, random.uniform(1.9, 2.15), random);
  potted_plant(room, random);
  lamp(room, random);
  if (random.chance(0.5)) potted_plant(room, random);
}

void Furnisher::hall(int room, Random& random) {
  piano(room, random);
  const std::optional<Spot> stand_spot = place(room,
                                               {.width = kMusicStand.x,
                                                .depth = kMusicStand.z,
                                                .height = kMusicStand.y,
                                                .front = 0.5,
                                                .wall = false},
                                               random);
  if (stand_spot) {
    put("MusicStand", stand_spot->frame(), music_stand);
    put("SheetMusic", stand_spot->frame(), sheet_music, 0.12);
  }
  stand("ShoeBench", room, {.width = 0.9, .depth = 0.36, .height = 0.5, .front = 0.4}, random,
        [](Sculptor& s, const Frame& f) {
          drawers(s, f, {0.9, 0.46, 0.36}, 2, 1);
        });
  shelf(room, random.uniform(1.2, 1.45), random);
  potted_plant(room, random);
  const Rect& inner = house_.plan.rooms[static_cast<std::size_t>(room)].inner;
  rug(room, {0.5 * (inner.x0 + inner.x1), 0.0, 0.5 * (inner.z0 + inner.z1)}, 3.2, 1.8);
}

void Furnisher::kitchen(int room, Random& random) {
  for (const double width : {3.3, 2.75, 2.2}) {
    const std::optional<Spot> spot =
        place(room, {.width = width, .depth = kKitchenDepth, .height = 2.2, .front = 0.7}, random);
    if (!spot) continue;
    const Frame at = spot->frame();
    put("KitchenBlock", at, [=](Sculptor& s, const Frame& f) { kitchen_block(s, f, width); });
    put("KitchenCupboards", at, [=](Sculptor& s, const Frame& f) { wall_cupboards(s, f, width); });
    put(
        "Bowl", moved(at, {0.47 * width - 0.15, 0.91, -0.1}),
        [](Sculptor& s, const Frame& f) { bowl(s, f, 0.14); }, 0.2);
    break;
  }
  stand("Refrigerator", room,
        {.width = kRefrigerator.x,
         .depth = kRefrigerator.z,
         .height = kRefrigerator.y,
         .front = 0.6,
         .prefer = Prefer::kCorner},
        random, refrigerator);
  dining(room, random);
  const double width = random.uniform(1.0, 1.4);
  stand("Sideboard", room, {.width = width, .depth = 0.42, .height = 0.84, .front = 0.5}, random,
        [=](Sculptor& s, const Frame& f) {
          drawers(s, f, {width, 0.82, 0.42}, 2, 3);
        });
  potted_plant(room, random);
}

void Furnisher::bedroom(int room, Random& random) {
  const Rect& inner = house_.plan.rooms[static_cast<std::size_t>(room)].inner;
  const bool large = inner.depth() * inner.width() > 28.0;
  bed_group(room, large ? 1.65 : 1.0, random);
  for (int doors = large ? 3 : 2; doors > 0; --doors) {
    const double width = 0.55 * doors;
    const std::string name =
        stand("Wardrobe", room, {.width = width, .depth = 0.6, .height = 2.1, .front = 0.6}, random,
              [=](Sculptor& s, const Frame& f) {
                wardrobe(s, f, {width, 2.1, 0.6}, doors);
              });
    if (!name.empty()) break;
  }
  if (large) {
    stand("Chest", room, {.width = 0.95, .depth = 0.45, .height = 0.84, .front = 0.5}, random,
          [](Sculptor& s, const Frame& f) {
            drawers(s, f, {0.95, 0.82, 0.45}, 1, 4);
          });
    stand("Armchair", room, {.width = 0.9, .depth = 0.96, .height = kSofaHeight, .front = 0.4},
          random, [](Sculptor& s, const Frame& f) { sofa(s, f, 0.86, 1); });
  } else {
    desk_group(room, random);
    shelf(room, random.uniform(1.1, 1.4), random);
    stand("Ball", room, {.width = 0.46, .depth = 0.46, .height = 0.45, .wall = false}, random,
          [](Sculptor& s, const Frame& f) {
            s.ball(moved(f, {0.0, 0.22, 0.0}), 0.22, 1.0);
          });
  }
  if (random.chance(0.6)) lamp(room, random);
}

void Furnisher::study(int room, Random& random) {
  desk_group(room, random);
  shelf(room, random.uniform(1.95, 2.15), random);
  shelf(room, random.uniform(1.95, 2.15), random);
  shelf(room, random.uniform(1.95, 2.15), random);
  const std::optional<Spot> corner =
      place(room, {.width = 0.5, .depth = 0.5, .height = 0.84, .prefer = Prefer::kCorner}, random);
  if (corner) {
    put("SideTable", corner->frame(),
        [](Sculptor& s, const Frame& f) { round_table(s, f, 0.22, 0.5); });
    put("Globe", moved(corner->frame(), {0.0, 0.5, 0.0}), globe, kTrimmings);
  }
  lamp(room, random);
}

void Furnisher::bathroom(int room, Random& random) {
  stand("Bathtub", room,
        {.width = kBathtub.x,
         .depth = kBathtub.z,
         .height = kBathtub.y,
         .front = 0.4,
         .prefer = Prefer::kCorner},
        random, bathtub);
  const std::optional<Spot> spot = place(
      room, {.width = kWashbasin.x, .depth = kWashbasin.z, .height = 2.0, .front = 0.5}, random);
  if (spot) {
    put("Washbasin", spot->frame(), washbasin);
    put("Mirror", moved(spot->frame(), {0.0, 1.2, -0.5 * kWashbasin.z - 0.025}),
        [](Sculptor& s, const Frame& f) { picture(s, f, 0.6, 0.75); });
  }
  stand("Toilet", room,
        {.width = kToilet.x, .depth = kToilet.z, .height = kToilet.y, .front = 0.45}, random,
        toilet);
  stand("TowelShelf", room, {.width = 0.6, .depth = 0.35, .height = 1.1, .front = 0.3}, random,
        [](Sculptor& s, const Frame& f) {
          bookshelf(s, f, {0.6, 1.1, 0.35}, 3);
          for (int k = 0; k < (s.has_trimmings() ? 3 : 0); ++k) {
            const double y = board_height({0.6, 1.1, 0.35}, 3, k);
            s.cushion(f, {.low = {-0.24, y, -0.13},
                          .high = {0.24, y + 0.14, 0.14},
                          .radius = 0.05,
                          .puff = 0.012,
                          .dents = 5.0});
          }
        });
}

void Furnisher::furnish(int room) {
  Random random(seed_, kRoomStreams + static_cast<std::uint64_t>(room));
  switch (house_.plan.rooms[static_cast<std::size_t>(room)].use) {
    case RoomUse::kLiving:
      living_room(room, random);
      pictures(room, 3, random);
      break;
    case RoomUse::kHall:
      hall(room, random);
      pictures(room, 2, random);
      break;
    case RoomUse::kKitchen:
      kitchen(room, random);
      pictures(room, 1, random);
      break;
    case RoomUse::kBedroom:
      bedroom(room, random);
      pictures(room, 2, random);
      break;
    case RoomUse::kStudy:
      study(room, random);
      pictures(room, 1, random);
      break;
    case RoomUse::kBathroom:
      bathroom(room, random);
      break;
  }
  pendant(room, random);
}

House furnish_house(std::uint64_t seed) {
  House house;
  house.plan = plan_rooms(seed);
  Furnisher furnisher(house, seed);
  furnisher.build_house();
  for (std::size_t i = 0; i < house.plan.rooms.size(); ++i) {
    furnisher.furnish(static_cast<int>(i));
  }
  return house;
}

}  // namespace tocsin::make
