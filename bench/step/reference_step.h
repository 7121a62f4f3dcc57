// The yardstick: a scalar, straightforward implementation of a whole step, frozen.
//
// FROZEN. Ratios of later versions to this one are only worth something while it stays as it is: do
// not speed it up, do not let it use anything of src/. It is written the way a reader of paper 004
// would write it first: forward kinematics along the chain of every link, libm's trigonometry, a
// binary median tree of boxes, plain directed advancement. What it leaves out on purpose: rounding
// margins, brackets, cutting the link about its closest point, sharing of anything between links or
// steps. Its answers are therefore accurate to about kTouch metres, and not proved.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tocsin::bench::reference {

/// A link touches when the gap is at most this, metres.
inline constexpr double kTouch = 1e-9;

struct Vec {
  double x = 0.0;
  double y = 0.0;
  double z = 0.0;
};

/// Joint frame to parent frame: unit quaternion (w, x, y, z), then translation, metres.
struct Pose {
  std::array<double, 4> q{1.0, 0.0, 0.0, 0.0};
  Vec t;
};

struct Link {
  int joint = 0;
  Vec a;  ///< joint frame, metres
  Vec b;
  double radius = 0.0;
};

struct Triangle {
  std::array<Vec, 3> v;  ///< world, metres
  std::uint32_t object = 0;
};

/// First touch of a link and an object.
struct Touch {
  int link = 0;
  std::uint32_t object = 0;
  double t = 0.0;  ///< step time
};

/// What one step costs.
struct Counters {
  std::uint64_t candidates = 0;
  std::uint64_t evaluations = 0;
};

/// An avatar in a room.
class Scene {
 public:
  /// parents: per joint, -1 for a root; a parent comes before its children.
  Scene(std::vector<int> parents, std::vector<Link> links, std::vector<Triangle> triangles);

  /// Appends the touches of one step along screws, in order of link and object.
  Counters step(std::span<const Pose> pose0, std::span<const Pose> pose1,
                std::vector<Touch>& touches) const;

 private:
  struct Box {
    Vec lo;
    Vec hi;
  };
  struct Node {
    Box box;
    std::uint32_t left = 0;   ///< inner node: its children
    std::uint32_t right = 0;  ///< 0: a leaf
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };

  std::uint32_t build(std::uint32_t begin, std::uint32_t end);
  void collect(std::uint32_t node, const Box& box, std::vector<std::uint32_t>& out) const;

  std::vector<int> parents_;
  std::vector<Link> links_;
  std::vector<Triangle> triangles_;
  std::vector<std::uint32_t> order_;
  std::vector<Box> boxes_;
  std::vector<Node> nodes_;
};

}  // namespace tocsin::bench::reference
