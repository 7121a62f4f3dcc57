// A scene of which every contact can be worked out by hand.
//
// The take: one vertical pole of radius 0.1 m, from (x, 0, 0) to (x, 1.7, 0), ten frames a second:
//
//     frame   0    1    2    3     4      5     6    7    8
//     x       0    1    2    2.5   2.55   2.5   2    1    3
//
// The room: Wall, the rectangle x = 2.5; Shelf, x = 2.3; Floor, y = -1, nowhere near. The pole
// moves straight and evenly between two frames, and so it touches
//
//     step 2 (2 to 2.5)      Wall at x = 2.4, t = 0.8;  Shelf at x = 2.2, t = 0.4
//     step 3 (2.5 to 2.55)   Wall from the start
//     step 4 (2.55 to 2.5)   Wall from the start
//     step 5 (2.5 to 2)      Wall from the start;       Shelf at x = 2.4, t = 0.2
//     step 7 (1 to 3)        Wall at x = 2.4, t = 0.7;  Shelf at x = 2.2, t = 0.6
//
// and nothing else: 8 contacts (5 hit, 3 overlap) in 5 episodes: Wall in steps 2 to 5 and 7, Shelf
// in steps 2, 5 and 7.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace tocsin::test {

/// A BVH file: one joint `Hips` with position channels, an End Site 1.7 above it; seconds a frame.
std::string pole_take(const std::vector<double>& x_of_frame, double frame_time = 0.1);
/// The take above.
std::string pole_take();
/// The pole as an avatar model of one link `pole`.
std::string pole_model();
/// An OBJ rectangle in the plane x = `x`, y from -0.5 to 2, z from -1 to 1: two triangles.
/// `first_vertex`: its number in the file, from 1.
std::string wall(const std::string& name, double x, int first_vertex);
/// The room above.
std::string pole_room();

/// A folder with take.bvh, pole.json and room.obj.
class PoleScene : public TemporaryFolder {
 public:
  PoleScene();
  /// check take.bvh --env room.obj --avatar ./pole.json MORE...
  [[nodiscard]] CommandResult check(const std::vector<std::string>& more = {}) const;
  /// The same with --out -, which must succeed; the report.
  [[nodiscard]] std::string report(const std::vector<std::string>& more = {}) const;
};

/// The same files, but with --clearance they take minutes: a finely meshed floor, step after step.
class LongScene : public PoleScene {
 public:
  LongScene();
};

}  // namespace tocsin::test
