// Puts furniture into rooms: finds places, gives names, and records occupied places.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "make/random.h"
#include "make/room/room_piece.h"
#include "make/room/room_shapes.h"
#include "make/room/room_space.h"

namespace tocsin::make {

class Furnisher {
 public:
  using Shape = std::function<void(Sculptor&, const Frame&)>;

  Furnisher(House& house, std::uint64_t seed) : house_(house), space_(house.plan), seed_(seed) {}

  /// Stairs and gallery in the living room; then windows, and the shell around all.
  void build_house();
  /// The furniture of a room, by its use.
  void furnish(int room);

 private:
  struct Standing {
    Rect box;
    double height;
  };

  // Rooms (room_furnish.cpp).
  void living_room(int room, Random& random);
  void hall(int room, Random& random);
  void kitchen(int room, Random& random);
  void bedroom(int room, Random& random);
  void study(int room, Random& random);
  void bathroom(int room, Random& random);

  // Places and pieces (room_furnisher.cpp).
  std::optional<Spot> place(int room, const Want& want, Random& random);
  /// Places a single piece. Returns its name; empty if there is no place.
  std::string stand(const std::string& kind, int room, const Want& want, Random& random,
                    const Shape& shape);
  /// Places a small object on top of a piece or on a wall.
  void put(const std::string& kind, const Frame& at, const Shape& shape, double rank = 0.0);
  void add_stairs(int room, Random& random);
  void shelf(int room, double height, Random& random);
  void books(const std::string& shelf, const Frame& at, const Size& size, int boards,
             Random& random);
  void potted_plant(int room, Random& random);
  void lamp(int room, Random& random);
  void pendant(int room, Random& random);
  void pictures(int room, int count, Random& random);
  /// A carpet as large as the room allows, up to width x depth, around a point.
  void rug(int room, const Vec3& middle, double width, double depth);
  void ornament(const Frame& at, Random& random, double rank);

  // Groups of pieces (room_groups.cpp).
  void seats(int room, Random& random);
  void dining(int room, Random& random);
  void bed_group(int room, double width, Random& random);
  void desk_group(int room, Random& random);
  void piano(int room, Random& random);

  House& house_;
  FloorSpace space_;
  std::uint64_t seed_;
  std::vector<Standing> standing_;
  Rect gallery_{};
};

}  // namespace tocsin::make
