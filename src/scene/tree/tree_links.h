// A tree's links as stored in a file: the children of each node, and the triangles of each block.
// The bytes are not yet checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "scene/tree/topology.h"
#include "tocsin/result.h"

namespace tocsin::scene {

/// Rows of 32-bit numbers in the machine's byte order, at any address.
class PackedRows {
 public:
  /// Precondition: the bytes are a whole number of rows.
  PackedRows(std::string_view bytes, std::size_t width) : bytes_(bytes), width_(width) {}

  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t size() const { return bytes_.size() / (width_ * sizeof(Number)); }
  [[nodiscard]] std::uint32_t at(std::size_t row, std::size_t column) const {
    Number out = 0;
    std::memcpy(&out, bytes_.data() + (row * width_ + column) * sizeof out, sizeof out);
    return out;
  }
  void copy_row(std::size_t row, std::uint32_t* to) const {
    const std::size_t bytes = width_ * sizeof(Number);
    std::memcpy(to, bytes_.data() + row * bytes, bytes);
  }

 private:
  using Number = std::uint32_t;
  std::string_view bytes_;
  std::size_t width_;
};

struct TreeLinks {
  PackedRows children;   ///< of every node, as KdopNode::child
  PackedRows triangles;  ///< of every block, as TriangleBlock::triangle
};

/// Checks that these are the links of a tree over so many triangles: every node but the root, every
/// block and every triangle is reached once, children come after their parents and fill the first
/// lanes, as triangles do; no leaf is too large and no node too deep (kMaxDepth). A node of a
/// single child is a root. Errors (kInput): which node or block breaks which rule.
Status check_links(const TreeLinks& links, std::size_t triangles, int leaf_size);

}  // namespace tocsin::scene
