// Rooms and motions that Tocsin makes itself: of any size, the same on every machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tocsin/environment.h"
#include "tocsin/motion.h"
#include "tocsin/result.h"

namespace tocsin {

/// A furnished house.
struct RoomRecipe {
  /// Wanted number of triangles, 10,000 to 10,000,000; what is made has this many to within 2 %.
  std::uint64_t triangles = 100'000;
  /// Decides plan, furniture and shapes. The same seed gives the same house at every size: more
  /// triangles mean finer shapes and fuller shelves, not another plan.
  std::uint64_t seed = 1;
};

/// Rooms with doors, sofa, tables with chairs, music stand, shelves with books, lamps and stairs,
/// as named objects; metres, Y up, the floor at y = 0, inside about 20 x 12 m around the origin.
/// The same bits on every machine. Errors: kUsage: a size out of range; kResource: not enough
/// memory.
Result<Environment> make_room(const RoomRecipe& recipe = {});

enum class Performance : std::uint8_t { kWalk, kReach, kKick, kCartwheel, kSwing, kDoor };

/// A take of a body of average size, 1.75 m.
struct MotionRecipe {
  Performance kind = Performance::kWalk;
  double seconds = 10.0;   ///< above 0, at most a day
  double rate = 120.0;     ///< Hz, from 1e-6 to 10,000
  std::uint64_t seed = 1;  ///< decides pace, reach, height, side
};

/// A take with a full skeleton (fingers included) whose joint names bind humanoid16 and
/// humanoid_hands; every joint stays within the limits of docs/made.md in every frame; no sole goes
/// below the floor (y = 0), and a foot that carries the body does not slide. The same bits on every
/// machine. Errors: kUsage: a recipe out of range, or for a take of more than 16 GiB; kResource:
/// not enough memory.
Result<Motion> make_motion(const MotionRecipe& recipe = {});

/// What a take moves besides the person.
struct MadeBody {
  Environment mesh;  ///< one object, metres
  std::optional<Motion>
      motion;  ///< of its one joint, with the take's frames; none: a hand holds it
};

/// kSwing: the tool, a handle with a head, in the frame of joint RightHand. kDoor: the leaf, in the
/// frame of its hinge, and its motion. The same bits on every machine. Errors: as make_motion();
/// kUsage, besides: a kind that moves nothing but the person.
Result<MadeBody> make_body(const MotionRecipe& recipe);

/// A robot arm with a gripper, in a cell; files as text where Tocsin has no writer.
struct MadeRobot {
  std::string urdf;       ///< reads the mesh from upper_arm.obj beside it
  std::string srdf;       ///< pairs of its links that never touch
  Environment upper_arm;  ///< one object, millimetres
  Environment cell;       ///< metres, Z up, the arm's base at the origin
  std::string free_plan;  ///< a .csv: touches nothing
  /// The same from pick to place without the detour: the gripper sweeps through the plate between
  /// two rows, and touches nothing in any row.
  std::string hitting_plan;
};

/// The same bits on every machine. Errors: kResource: not enough memory.
Result<MadeRobot> make_robot();

}  // namespace tocsin
