// What all instances of a mesh share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "scene/instance/affine.h"
#include "scene/tree/kdop_tree.h"
#include "tocsin/environment.h"

namespace tocsin::scene {

/// Points, coordinate by coordinate; the last one is repeated to fill the last vector.
struct CornerLanes {
  static constexpr std::size_t kLanes = 8;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> z;
};

/// A mesh in its own coordinates, with its tree. Immutable and safe to share between threads.
struct MeshData {
  Environment alone;      ///< one object, which is the mesh
  RoomTree tree;          ///< of it
  std::size_t stack = 0;  ///< entries that a walk of the tree may need
  CornerLanes corners;    ///< those that triangles use, each once
  double reach = 0.0;     ///< none of them is farther from the origin, metres
  /// Triangles of shells that count, in order (scene::Solid); none: it is not solid.
  std::vector<std::uint32_t> shells;
  bool whole = false;  ///< all triangles are among them

  /// parts_of(), made at the first question.
  struct Parts {
    std::once_flag once;
    std::vector<std::uint32_t> first;
  };
  std::unique_ptr<Parts> parts = std::make_unique<Parts>();

  [[nodiscard]] std::uint32_t triangle_count() const {
    return static_cast<std::uint32_t>(alone.triangles().size());
  }
};

/// The corners of the mesh's triangle where it stands.
inline std::array<Vec3f, 3> placed_corners(const MeshData& mesh, const Affine& at,
                                           std::uint32_t triangle) {
  const std::array<Vec3f, 3> own = mesh.alone.corners(triangle);
  return {at.place(own[0]), at.place(own[1]), at.place(own[2])};
}

/// Of each part of the mesh that shares no corner with the others, its least triangle. Throws
/// std::bad_alloc.
std::span<const std::uint32_t> parts_of(const MeshData& mesh);

/// Precondition: one object. Throws std::bad_alloc.
std::shared_ptr<const MeshData> make_mesh(Environment alone);

/// The mesh with its corners moved (Environment::with_vertices): its tree is fitted, not built
/// anew. Throws std::bad_alloc.
std::shared_ptr<const MeshData> with_corners(const MeshData& mesh, Environment moved);

/// The box of a mesh's corners where it stands, exactly.
core::Box box_of(const MeshData& mesh, const Affine& at);

}  // namespace tocsin::scene
