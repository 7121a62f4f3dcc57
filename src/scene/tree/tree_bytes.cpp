#include "scene/tree/tree_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "scene/room/fingerprint.h"
#include "scene/tree/tree_blocks.h"
#include "scene/tree/tree_fit.h"
#include "scene/tree/tree_links.h"
#include "scene/tree/tree_parallel.h"

namespace tocsin::scene {
namespace {

static_assert(std::is_trivially_copyable_v<TreeHeader>);

using Cause = std::optional<std::string>;

constexpr std::uint64_t kBlockBytes = kBlockSize * sizeof(std::uint32_t);

/// Of the tree that is kept: RoomTree. The format could hold others.
constexpr std::uint32_t kK = 6;
constexpr std::uint32_t kWidth = 8;
static_assert(std::is_same_v<RoomTree, KdopTree<kK, kWidth>>);

constexpr std::uint64_t kNodeBytes = kWidth * sizeof(std::uint32_t);

std::array<float, 6> packed(const core::Box& b) {
  return {b.lo.x, b.lo.y, b.lo.z, b.hi.x, b.hi.y, b.hi.z};
}

/// A header without counts and checksum.
TreeHeader header_for(const TreeOptions& options, std::uint64_t fingerprint) {
  TreeHeader header;
  header.k = kK;
  header.width = kWidth;
  header.leaf_size = static_cast<std::uint32_t>(options.leaf_size);
  header.fingerprint = fingerprint;
  return header;
}

/// Precondition: the bytes begin with a header.
TreeHeader header_of(std::string_view bytes) {
  TreeHeader header;
  std::memcpy(static_cast<void*>(&header), bytes.data(), sizeof header);
  return header;
}

std::uint64_t checksum_of(std::string_view bytes) {
  TreeHeader header = header_of(bytes);
  header.checksum = 0;
  const std::uint64_t seed = hash_bytes(std::as_bytes(std::span(&header, 1)));
  return hash_bytes(std::as_bytes(std::span(bytes.substr(sizeof header))), seed);
}

/// Checks that the bytes are complete and in this format. This check comes first.
Cause check_whole(std::string_view bytes) {
  if (bytes.size() < sizeof(TreeHeader)) return fmt::format("cut short to {} bytes", bytes.size());
  const TreeHeader header = header_of(bytes);
  if (header.magic != TreeHeader::kMagic) return "not a tree cache";
  if (header.byte_order != TreeHeader::kByteOrder) {
    return "written by a machine with another byte order";
  }
  if (header.version != kTreeFormat) {
    return fmt::format("written by format version {}, this is {}", header.version, kTreeFormat);
  }
  if (header.checksum != checksum_of(bytes)) return "checksum differs";
  return std::nullopt;
}

/// Checks that this is the wanted tree.
Cause check_wanted(const TreeHeader& found, const TreeHeader& wanted) {
  if (found.k != wanted.k || found.width != wanted.width) {
    return fmt::format("a tree of {}-DOPs with {} children a node; wanted is one of {} with {}",
                       found.k, found.width, wanted.k, wanted.width);
  }
  if (found.leaf_size != wanted.leaf_size || found.rule != wanted.rule ||
      found.split != wanted.split) {
    return fmt::format(
        "built with leaf size {}, axis rule {}, split point {}; wanted are {}, {} and {}",
        found.leaf_size, found.rule, found.split, wanted.leaf_size, wanted.rule, wanted.split);
  }
  if (found.reserved != wanted.reserved) return "a reserved number is in use";
  if (found.fingerprint != wanted.fingerprint) return "made for another environment";
  return std::nullopt;
}

/// Checks that the counts fit each other and the bytes. All counts are below 2^32 before they are
/// multiplied: no product overflows.
Cause check_counts(const TreeHeader& header, std::size_t bytes, std::size_t triangles) {
  if (header.triangles != triangles) {
    return fmt::format("holds {} triangles, the environment {}", header.triangles, triangles);
  }
  const bool empty = triangles == 0;
  if (header.blocks > triangles || (header.blocks == 0) != empty) {
    return fmt::format("{} blocks for {} triangles", header.blocks, triangles);
  }
  // A node has two children at least, but for a root with a single block.
  const std::uint64_t most = header.blocks > 1 ? header.blocks - 1 : header.blocks;
  if (header.nodes > most || (header.nodes == 0) != empty) {
    return fmt::format("{} nodes for {} blocks", header.nodes, header.blocks);
  }
  const std::uint64_t expected =
      sizeof(TreeHeader) + header.nodes * kNodeBytes + header.blocks * kBlockBytes;
  if (bytes == expected) return std::nullopt;
  return fmt::format("{} bytes instead of {}", bytes, expected);
}

/// Builds the tree of checked links, as a builder does from a topology.
RoomTree tree_of(const TreeLinks& links, const Environment& environment) {
  base::LargeArray<RoomTree::Node> nodes(links.children.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) links.children.copy_row(i, nodes[i].child);
  base::LargeArray<TriangleBlock> blocks(links.triangles.size());
  const BlockFiller filler(environment);
  fit_nodes<kK, kWidth>(nodes, blocks, [&](std::uint32_t block) {
    std::array<std::uint32_t, kBlockSize> lanes{};
    links.triangles.copy_row(block, lanes.data());
    const auto used = std::find(lanes.begin(), lanes.end(), kNone);
    filler.fill(std::span(lanes.begin(), used), blocks[block]);
  });
  const std::array<Vec3f, 2> bounds = environment.bounds();
  return {std::move(nodes), std::move(blocks), core::Box{bounds[0], bounds[1]}};
}

Error refused(Cause cause) { return {ErrorCode::kInput, *std::move(cause)}; }

}  // namespace

std::uint64_t largest_tree_bytes(std::uint64_t triangles) {
  return sizeof(TreeHeader) + triangles * (kNodeBytes + kBlockBytes);
}

void seal_tree_bytes(std::string& bytes) {
  const std::uint64_t checksum = checksum_of(bytes);
  std::memcpy(bytes.data() + offsetof(TreeHeader, checksum), &checksum, sizeof checksum);
}

std::string to_bytes(const RoomTree& tree, std::uint64_t fingerprint, const TreeOptions& options) {
  TreeHeader header = header_for(options, fingerprint);
  header.triangles = tree.statistics().triangles;
  header.nodes = tree.nodes().size();
  header.blocks = tree.blocks().size();
  header.bounds = packed(tree.bounds());
  std::string bytes(sizeof header + header.nodes * kNodeBytes + header.blocks * kBlockBytes, '\0');
  char* to = bytes.data();
  const auto append = [&to](const void* from, std::size_t size) {
    std::memcpy(to, from, size);
    to += size;
  };
  append(&header, sizeof header);
  for (const RoomTree::Node& node : tree.nodes()) append(node.child, sizeof node.child);
  for (const TriangleBlock& block : tree.blocks()) append(block.triangle, sizeof block.triangle);
  seal_tree_bytes(bytes);
  return bytes;
}

Result<RoomTree> tree_from_bytes(std::string_view bytes, const Environment& environment,
                                 std::uint64_t fingerprint, const TreeOptions& options) {
  if (Cause cause = check_whole(bytes)) return refused(std::move(cause));
  const TreeHeader header = header_of(bytes);
  const std::size_t triangles = environment.triangles().size();
  Cause cause = check_wanted(header, header_for(options, fingerprint));
  if (!cause) cause = check_counts(header, bytes.size(), triangles);
  if (cause) return refused(std::move(cause));

  const std::string_view body = bytes.substr(sizeof header);
  const auto node_part = static_cast<std::size_t>(header.nodes * kNodeBytes);
  const TreeLinks links{{body.substr(0, node_part), kWidth}, {body.substr(node_part), kBlockSize}};
  if (Status sound = check_links(links, triangles, options.leaf_size); !sound) return sound.error();

  RoomTree tree;
  if (triangles > 0) {
    with_threads(options.threads, [&] { tree = tree_of(links, environment); });
  }
  if (packed(tree.bounds()) != header.bounds) return refused("bounds differ");
  return tree;
}

}  // namespace tocsin::scene
