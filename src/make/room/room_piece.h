// The pieces of a made house: named, placed, not yet built.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "make/room/room_plan.h"
#include "make/room/room_sculptor.h"

namespace tocsin::make {

/// One object of the room: its name and its shape.
struct Piece {
  std::string name;
  std::function<void(Sculptor&)> shape;
  /// The piece exists if the sculptor's fullness reaches this: 0 for pieces that always exist.
  double rank = 0.0;
};

/// As a rank: exists in all but the barest rooms.
inline constexpr double kTrimmings = -1.0;

class Pieces {
 public:
  void add(std::string name, std::function<void(Sculptor&)> shape, double rank = 0.0) {
    list_.push_back({std::move(name), std::move(shape),
                     rank == kTrimmings ? trimmings_from(list_.size()) : rank});
  }
  /// `Chair_01`, `Chair_02`, ...: the next name of a kind.
  std::string next(const std::string& kind) {
    const int n = ++counts_[kind];
    return kind + (n < 10 ? "_0" : "_") + std::to_string(n);
  }
  [[nodiscard]] const std::vector<Piece>& list() const { return list_; }

 private:
  std::vector<Piece> list_;
  std::map<std::string, int> counts_;
};

/// A house: its plan, and its pieces.
struct House {
  RoomPlan plan;
  Pieces pieces;
};

/// The house of a seed.
House furnish_house(std::uint64_t seed);

/// Floors, walls, beams, doors, windows and curtains (room_shell.cpp). No beam crosses `gallery`.
void add_shell(House& house, const Rect& gallery);

}  // namespace tocsin::make
