// A mesh's tree where an instance of it stands: its nodes as boxes of the world.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/bounds/box.h"
#include "scene/instance/affine.h"
#include "scene/instance/mesh_data.h"

namespace tocsin::scene {

/// Boxes through an affine map, in single precision. Monotone: of a smaller box never a larger one.
///
/// With u = 2^-24 and S = |m| far + |t| on an axis: a corner in the world (Affine::place) is off
/// the real image by at most u S and some 2^-50 S. A side of the box sums three rounded products of
/// rounded factors and a rounded shift: off by 6 u S, and u S more for taking off the pad. The pad
/// 16 u S is more than all of it.
struct BoxPlacer {
  float m[3][3] = {};
  float t[3] = {};
  float pad[3] = {};

  /// `bounds`: holds all boxes that will be placed.
  BoxPlacer(const Affine& at, const core::Box& bounds) {
    const double far[3] = {
        std::fmax(std::fabs(double{bounds.lo.x}), std::fabs(double{bounds.hi.x})),
        std::fmax(std::fabs(double{bounds.lo.y}), std::fabs(double{bounds.hi.y})),
        std::fmax(std::fabs(double{bounds.lo.z}), std::fabs(double{bounds.hi.z}))};
    const double shift[3] = {at.t.x, at.t.y, at.t.z};
    for (std::size_t i = 0; i < 3; ++i) {
      const double row[3] = {at.m[i].x, at.m[i].y, at.m[i].z};
      double size = std::fabs(shift[i]);
      for (std::size_t j = 0; j < 3; ++j) {
        m[i][j] = static_cast<float>(row[j]);
        size += std::fabs(row[j]) * far[j];
      }
      t[i] = static_cast<float>(shift[i]);
      pad[i] = core::float_above(0x1p-20 * size + 0x1p-100);
    }
  }

  /// Holds the corners, in the world, of all that lies in the box.
  [[nodiscard]] core::Box box(const std::array<float, 3>& lo,
                              const std::array<float, 3>& hi) const {
    float low[3];
    float high[3];
    for (std::size_t i = 0; i < 3; ++i) {
      const auto side = [&](bool upper) {
        const auto end = [&](std::size_t j) {
          return m[i][j] * ((m[i][j] >= 0.0F) == upper ? hi[j] : lo[j]);
        };
        return ((end(0) + end(1)) + end(2)) + t[i];
      };
      low[i] = side(false) - pad[i];
      high[i] = side(true) + pad[i];
    }
    return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
  }
};

/// Borrows mesh and place.
class PlacedTree {
 public:
  PlacedTree(const MeshData& mesh, const Affine& at)
      : mesh_(mesh), placer_(at, mesh.tree.bounds()) {}

  /// Calls f(triangle), its number in the mesh, for all triangles of leaves in boxes that are
  /// wanted.
  template <class Wanted, class F>
  void visit(const Wanted& wanted, const F& f) const {
    if (mesh_.tree.nodes().empty()) return;
    std::vector<std::uint32_t> stack = {0};
    while (!stack.empty()) {
      const RoomTree::Node& node = mesh_.tree.nodes()[stack.back()];
      stack.pop_back();
      for (std::size_t c = 0; c < std::size(node.child) && node.child[c] != kNone; ++c) {
        const core::Box box = placer_.box({node.lo[0][c], node.lo[1][c], node.lo[2][c]},
                                          {node.hi[0][c], node.hi[1][c], node.hi[2][c]});
        if (!wanted(box)) continue;
        if ((node.child[c] & kLeafBit) == 0) {
          stack.push_back(node.child[c]);
          continue;
        }
        for (const std::uint32_t triangle :
             mesh_.tree.blocks()[node.child[c] & ~kLeafBit].triangle) {
          if (triangle != kNone) f(triangle);
        }
      }
    }
  }

 private:
  const MeshData& mesh_;
  BoxPlacer placer_;
};

}  // namespace tocsin::scene
