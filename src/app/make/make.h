// `tocsin make-room`, `tocsin make-motion` and `tocsin make-robot`.
#pragma once

#include <string>

#include "app/cli/exit_status.h"
#include "make/make.h"

namespace tocsin::app {

struct MakeRoomOptions {
  std::string output;
  RoomRecipe recipe;
};

struct MakeMotionOptions {
  std::string output;
  std::string mesh;         ///< of what moves besides the person; empty: not written
  std::string mesh_motion;  ///< its motion; empty: not written
  MotionRecipe recipe;
};

struct MakeRobotOptions {
  std::string folder;
};

ExitStatus run_make_robot(const MakeRobotOptions& options);
ExitStatus run_make_room(const MakeRoomOptions& options);
ExitStatus run_make_motion(const MakeMotionOptions& options);

}  // namespace tocsin::app
