// What culling does for one link in one step: which volumes of the room's tree it looks into, and
// what becomes of the triangles there. For those who study it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/bounds/box.h"
#include "scene/swept/swept_link.h"
#include "scene/tree/kdop_tree.h"
#include "tocsin/avatar.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"
#include "view/mesh.h"

namespace tocsin::view {

/// What settled a triangle: the stages of culling in their order.
enum class CulledBy : std::uint8_t {
  kLeafBox,     ///< its leaf was looked into, its own box does not meet the link's
  kDirections,  ///< a direction separates it from the swept link
  kNothing,     ///< a candidate: certify decides
};

/// A volume of the tree that was tested.
struct StudiedVolume {
  core::Box box;
  int depth = 0;         ///< 0: a child of the root
  bool entered = false;  ///< it meets the link's box: what is in it is tested next
};

struct StudiedTriangle {
  std::uint32_t triangle = 0;  ///< in the environment
  CulledBy by = CulledBy::kNothing;
};

struct CullAnswer {
  std::vector<StudiedVolume> volumes;
  std::vector<StudiedTriangle> triangles;  ///< of the leaves that were looked into
  std::size_t never_reached = 0;           ///< triangles in volumes that were not entered
  [[nodiscard]] std::size_t count(CulledBy by) const;
};

class CullStudy {
 public:
  /// Builds the room's tree, as checks do.
  explicit CullStudy(const Environment& room);
  [[nodiscard]] CullAnswer about(const scene::SweptLink& link) const;
  /// The same of a link of an avatar over a step. margin: on its radius, metres.
  [[nodiscard]] CullAnswer about(const Avatar& avatar, const Step& step, double margin,
                                 std::size_t link) const;
  [[nodiscard]] const scene::RoomTree& tree() const { return tree_; }
  /// Edges of volumes and of triangles, to be drawn in the room. `volumes`, `triangles`:
  /// which of both. `most`: volumes that are drawn; the deepest ones that were entered come first.
  [[nodiscard]] Mesh mesh(const CullAnswer& answer, bool volumes, bool triangles,
                          std::size_t most) const;

 private:
  Environment room_;
  scene::RoomTree tree_;
  double farthest_ = 0.0;
};

/// The colour of what settled a triangle: grey, blue, yellow.
Colour culled_colour(CulledBy by);

}  // namespace tocsin::view
