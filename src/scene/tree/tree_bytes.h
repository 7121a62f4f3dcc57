// A tree as a byte string, for a cache: docs/trees.md, "Cache". No files here.
//
// The bytes only hold the tree's links: the children of each node, and the triangles of each
// block. When they are read, corners come from the environment, and volumes are fitted to them
// again. That costs no more than checking stored volumes. So bytes are either refused, or give a
// tree that holds every triangle. Even forged bytes cannot give a tree that misses a contact.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "scene/tree/kdop_tree.h"
#include "scene/tree/topology.h"
#include "tocsin/environment.h"
#include "tocsin/result.h"

namespace tocsin::scene {

/// Increase it when the layout or a hash changes, and when a builder makes other trees than before.
/// Otherwise old trees would stay in use.
inline constexpr std::uint32_t kTreeFormat = 1;

/// The start of the bytes, in the byte order of the machine that wrote them. The children of all
/// nodes follow, `width` numbers of 32 bits a node; then the triangles of all blocks, kBlockSize
/// numbers a block.
struct TreeHeader {
  static constexpr std::array<char, 8> kMagic{'\x89', 't', 'o', 'c', 's', 'i', 'n', '\n'};
  static constexpr std::uint32_t kByteOrder = 0x0A0B0C0D;

  std::array<char, 8> magic = kMagic;
  std::uint32_t byte_order = kByteOrder;
  std::uint32_t version = kTreeFormat;
  std::uint32_t k = 0;
  std::uint32_t width = 0;
  std::uint32_t leaf_size = 0;
  std::uint32_t rule = 4;         ///< how it was built: the surface area heuristic
  std::uint32_t split = 0;        ///< was of other rules; 0
  std::uint32_t reserved = 0;     ///< 0
  std::uint64_t fingerprint = 0;  ///< of the environment (fingerprint.h)
  std::uint64_t triangles = 0;
  std::uint64_t nodes = 0;
  std::uint64_t blocks = 0;
  std::array<float, 6> bounds{};  ///< of the tree: low corner, high corner; metres
  std::uint64_t checksum = 0;     ///< of all bytes but these eight
};
static_assert(sizeof(TreeHeader) == 104);  // no padding

/// The most bytes that a tree over so many triangles takes.
[[nodiscard]] std::uint64_t largest_tree_bytes(std::uint64_t triangles);

/// `fingerprint` is that of the environment the tree was built from, with these options.
[[nodiscard]] std::string to_bytes(const RoomTree& tree, std::uint64_t fingerprint,
                                   const TreeOptions& options);

/// The tree again, the same to the bit; on options.threads threads. `fingerprint` is that of
/// `environment`. Errors (kInput): why these bytes are no such tree, without a file's name:
/// "checksum differs", "node 17: child 3 is node 12, which comes before". Throws std::bad_alloc
/// only; memory is at most a small multiple of the bytes, whatever they say.
[[nodiscard]] Result<RoomTree> tree_from_bytes(std::string_view bytes,
                                               const Environment& environment,
                                               std::uint64_t fingerprint,
                                               const TreeOptions& options);

/// Sets the checksum to what the bytes ask for: how tests make up bytes that only the other checks
/// can refuse. Precondition: they begin with a header.
void seal_tree_bytes(std::string& bytes);

}  // namespace tocsin::scene
