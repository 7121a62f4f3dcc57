// Two takes of different rate that meet, and one that meets itself: every contact can be worked out
// by hand.
//
// Both takes are the vertical pole of cli/scenes.h, radius 0.1 m, and move along x, metres per
// second; the room is the one there:
//
//     a.bvh   x = 10 t        frames at 0, 0.1, 0.2, 0.3 s
//     b.bvh   x = 3 - 5 t     frames at 0, 0.15, 0.3 s
//
// The time line has instants at 0, 0.1, 0.15, 0.2, 0.3 s: four steps.
//
//     step 0   b   Wall at x = 2.6:  t = 0.08 s, toc 0.8
//     step 1   b   Wall from the start (x = 2.5);  Shelf at x = 2.4: t = 0.12 s, toc 0.4
//     step 2   a   b, where 10 t = 3 - 5 t - 0.2:  t = 2.8 / 15 s, toc 11 / 15
//              b   Shelf from the start (x = 2.25); the Wall is 0.25 m away
//     step 3   a   Wall at x = 2.4: t = 0.24 s, toc 0.4;  Shelf at x = 2.2: t = 0.22 s, toc 0.2;
//                  b from the start (both are at x = 2)
//              b   is at x = 2 and farther: free
//
// 8 contacts (5 hit, 3 overlap) in 5 episodes.
//
// The one that meets itself: two poles of one skeleton, radius 0.1 m, from (x, 0, 0) to (x, 1, 0),
// 0.1 s a frame. R stays at x = 0.5, L is at -0.5, 0, 0.5, 0: they touch in step 1 at x = 0.3, toc
// 0.6, and in step 2 from the start.
#pragma once

#include <string>
#include <vector>

#include "cli/scenes.h"

namespace tocsin::test {

/// A folder with the files above, pole.json and room.obj, arms.bvh and arms.json, and hall.obj, of
/// which nothing is near.
class MeetingScene : public TemporaryFolder {
 public:
  MeetingScene();
  /// check a.bvh b.bvh --env room.obj --avatar ./pole.json MORE...
  [[nodiscard]] CommandResult check(const std::vector<std::string>& more = {}) const;
  /// The same by validate, as JSON.
  [[nodiscard]] CommandResult validate(const std::vector<std::string>& more = {}) const;
  /// check arms.bvh --env hall.obj --avatar ./arms.json --self MORE...
  [[nodiscard]] CommandResult check_self(const std::vector<std::string>& more = {}) const;
  /// The same by validate, as JSON.
  [[nodiscard]] CommandResult validate_self(const std::vector<std::string>& more = {}) const;
};

}  // namespace tocsin::test
