// The rooms and takes in which sessions live (gapless_life.h).
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "service/session/session_rig.h"

namespace tocsin::test::gapless {

using service::Room;

/// A room, and takes in it.
struct Stage {
  std::shared_ptr<const Room> room;
  std::vector<RandomTake> takes;
};

using MakeRoom = std::function<std::shared_ptr<const Room>(const Environment&)>;

/// Twelve rooms, three takes in each.
inline std::vector<Stage> stages(const MakeRoom& make = [](const Environment& room) {
  return room_of(room);
}) {
  std::vector<Stage> out;
  RandomLinks random(71);
  for (int i = 0; i < 12; ++i) {
    Stage stage;
    stage.room = make(random_room(random, 5, 10 + 3 * i, i % 2 == 0 ? 1.5 : 3.0));
    for (int k = 0; k < 3; ++k) {
      stage.takes.push_back(random_take(random, 4 + 2 * k, 40 + 20 * k, i % 3 == 0 ? 0.4 : 0.05,
                                        k == 0 ? 0.2 : 0.03));
    }
    out.push_back(std::move(stage));
  }
  return out;
}

}  // namespace tocsin::test::gapless
