#include "make/motion/moved_meshes.h"

#include <utility>
#include <vector>

#include "make/motion/body.h"
#include "make/motion/door.h"
#include "make/room/room_sculptor.h"

namespace tocsin::make {
namespace {

/// Fine enough that a handle has eight sides.
constexpr double kGrain = 0.012;

template <class Shape>
Environment one_object(const char* name, const Shape& shape) {
  ObjectMesh mesh;
  mesh.name = name;
  Sculptor sculptor(kGrain, mesh);
  shape(sculptor);
  std::vector<ObjectMesh> objects;
  objects.push_back(std::move(mesh));
  return Environment::create(std::move(objects)).value();
}

}  // namespace

Environment tool_mesh() {
  // The handle's middle line, where the fingers close: below the palm.
  constexpr double kX = -0.75 * kPalm;
  constexpr double kY = -0.026;
  constexpr double kHandleRadius = 0.014;
  return one_object("Tool", [&](Sculptor& s) {
    s.rod(Frame{}, {kX, kY, -0.12}, {kX, kY, 0.72}, kHandleRadius);
    s.box(Frame{}, {kX - 0.07, kY - 0.035, 0.68}, {kX + 0.07, kY + 0.035, 0.76});
  });
}

Environment leaf_mesh() {
  return one_object("Door", [](Sculptor& s) {
    s.box(Frame{}, {-kClosingWidth, 0.01, -0.5 * kClosingThickness},
          {0.0, 0.01 + kClosingHeight, 0.5 * kClosingThickness});
  });
}

}  // namespace tocsin::make
