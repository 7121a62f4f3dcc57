// Trees as bytes: the same tree again, and no other, whatever the bytes.
#include "scene/tree/tree_bytes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "crafted_tree.h"
#include "scene/room/awkward_rooms.h"
#include "scene/room/fingerprint.h"
#include "support/places.h"
#include "support/scenes/random_scene.h"
#include "support/scenes/sound_tree.h"
#include "support/scenes/tree_seed_room.h"

namespace tocsin::scene::tree_bytes_test {
namespace {

using test::CraftedTree;
using test::random_cloud;
using test::same_tree;
using test::what_is_wrong;

std::string bytes_of(const Environment& room, const TreeOptions& options = {}) {
  return to_bytes(RoomTree(room, options), fingerprint(room), options);
}

Result<RoomTree> read(const std::string& bytes, const Environment& room,
                      const TreeOptions& options = {}) {
  return tree_from_bytes(bytes, room, fingerprint(room), options);
}

/// Why bytes are refused.
std::string cause(const std::string& bytes, const Environment& room,
                  const TreeOptions& options = {}) {
  const Result<RoomTree> tree = read(bytes, room, options);
  EXPECT_FALSE(tree.ok());
  EXPECT_EQ(tree.error().code, ErrorCode::kInput);
  return tree.error().message;
}

TEST(TreeBytes, GiveTheSameTreeAgain) {
  std::vector<Environment> rooms{Environment()};
  for (const int count : {1, 8, 9, 17, 100, 3000}) rooms.push_back(random_cloud(count));
  for (test::AwkwardRoom& awkward : test::awkward_rooms(150)) {
    rooms.push_back(std::move(awkward.room));
  }
  for (const Environment& room : rooms) {
    const RoomTree tree(room);
    const std::string bytes = to_bytes(tree, fingerprint(room), {});
    EXPECT_LE(bytes.size(), largest_tree_bytes(room.triangles().size()));
    const Result<RoomTree> again = read(bytes, room);
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_TRUE(same_tree(tree, again.value()));
    EXPECT_EQ(what_is_wrong(again.value(), room), "");
  }
}

TEST(TreeBytes, AreTheSameForAnyNumberOfThreadsAndAddress) {
  const Environment room = random_cloud(5000);
  const std::string bytes = bytes_of(room);
  const RoomTree tree(room);
  for (const int threads : {1, 2, 3}) {
    const std::string shifted = std::string(static_cast<std::size_t>(threads), 'x') + bytes;
    const auto again =
        tree_from_bytes(std::string_view(shifted).substr(static_cast<std::size_t>(threads)), room,
                        fingerprint(room), {.threads = threads});
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_TRUE(same_tree(tree, again.value()));
  }
}

TEST(TreeBytesOptions, EveryLeafSizeComesBackAndOthersAreRefused) {
  const Environment room = random_cloud(300);
  for (int made = 1; made <= kBlockSize; ++made) {
    const RoomTree tree(room, {.leaf_size = made});
    const std::string bytes = to_bytes(tree, fingerprint(room), {.leaf_size = made});
    for (int asked = 1; asked <= kBlockSize; ++asked) {
      if (asked == made) {
        const Result<RoomTree> again = read(bytes, room, {.leaf_size = asked});
        ASSERT_TRUE(again.ok()) << again.error().message;
        EXPECT_TRUE(same_tree(tree, again.value()));
      } else {
        EXPECT_TRUE(cause(bytes, room, {.leaf_size = asked}).starts_with("built with leaf size "));
      }
    }
  }
}

TEST(TreeBytesDamage, NoOtherLengthAndNoChangedByteIsTaken) {
  const Environment room = random_cloud(40);
  const std::string whole = bytes_of(room, {.leaf_size = 3});
  const auto taken = [&](const std::string& bytes) {
    return read(bytes, room, {.leaf_size = 3}).ok();
  };
  ASSERT_TRUE(taken(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(taken(whole.substr(0, size))) << size;
  }
  EXPECT_FALSE(taken(whole + '\0'));
  EXPECT_FALSE(taken(whole + whole));
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const int change : {0x01, 0x10, 0x80, 0xFF}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ change);
      EXPECT_FALSE(taken(bytes)) << i << ' ' << change;
    }
  }
}

TEST(TreeBytesDamage, WithARightChecksumAChangedByteGivesNothingOrASoundTree) {
  const Environment room = random_cloud(40);
  const TreeOptions options{.leaf_size = 3};
  const std::string whole = bytes_of(room, options);
  int taken = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (int change = 1; change < 256; ++change) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ change);
      seal_tree_bytes(bytes);
      const Result<RoomTree> tree = read(bytes, room, options);
      if (!tree.ok()) continue;
      ++taken;
      EXPECT_EQ(what_is_wrong(tree.value(), room), "") << i << ' ' << change;
    }
  }
  // One byte cannot exchange two links, so all that can be taken is the checksum's own eight,
  // which sealing sets right again.
  EXPECT_EQ(taken, 8 * 255);
}

/// Eleven triangles, one a leaf: a tree of two nodes and eleven blocks.
struct Crafting {
  Environment room = test::tree_seed_room();
  TreeOptions options{.leaf_size = 1};
  CraftedTree tree{bytes_of(room, options)};

  [[nodiscard]] std::string refusal(const CraftedTree& crafted, std::size_t size = 0) const {
    return cause(crafted.sealed(size), room, options);
  }
  [[nodiscard]] std::string refusal(const std::function<void(TreeHeader&)>& change) const {
    TreeHeader header = tree.header();
    change(header);
    return refusal(CraftedTree(tree).set_header(header));
  }
};

TEST(TreeBytesCrafted, AHeaderThatSaysSomethingElseIsRefused) {
  const Crafting crafting;
  ASSERT_EQ(crafting.tree.header().nodes, 2U);
  ASSERT_EQ(crafting.tree.header().blocks, 11U);
  const auto refusal = [&](const auto& change) { return crafting.refusal(change); };
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 62U;  // times 8 or 32 it is 0 again

  EXPECT_EQ(refusal([](TreeHeader& h) { h.magic[1] = 'T'; }), "not a tree cache");
  EXPECT_EQ(refusal([](TreeHeader& h) { h.byte_order = 0x0D0C0B0A; }),
            "written by a machine with another byte order");
  EXPECT_EQ(refusal([](TreeHeader& h) { h.version = 7; }),
            "written by format version 7, this is 1");
  EXPECT_EQ(refusal([](TreeHeader& h) { h.k = 14; }),
            "a tree of 14-DOPs with 8 children a node; wanted is one of 6 with 8");
  EXPECT_EQ(refusal([](TreeHeader& h) { h.width = 0; }),
            "a tree of 6-DOPs with 0 children a node; wanted is one of 6 with 8");
  EXPECT_EQ(refusal([](TreeHeader& h) { h.leaf_size = 8; }),
            "built with leaf size 8, axis rule 4, split point 0; wanted are 1, 4 and 0");
  EXPECT_EQ(refusal([](TreeHeader& h) { h.reserved = 1; }), "a reserved number is in use");
  EXPECT_EQ(refusal([](TreeHeader& h) { h.fingerprint ^= 1U; }), "made for another environment");
  EXPECT_EQ(refusal([](TreeHeader& h) { h.triangles = 12; }),
            "holds 12 triangles, the environment 11");
  EXPECT_EQ(refusal([](TreeHeader& h) { h.blocks = 12; }), "12 blocks for 11 triangles");
  EXPECT_EQ(refusal([](TreeHeader& h) { h.blocks = 0; }), "0 blocks for 11 triangles");
  EXPECT_EQ(refusal([](TreeHeader& h) { h.blocks = kHuge + 11; }),
            "4611686018427387915 blocks for 11 triangles");
  EXPECT_EQ(refusal([](TreeHeader& h) { h.nodes = 11; }), "11 nodes for 11 blocks");
  EXPECT_EQ(refusal([](TreeHeader& h) { h.nodes = 0; }), "0 nodes for 11 blocks");
  EXPECT_EQ(refusal([](TreeHeader& h) { h.nodes = kHuge + 2; }),
            "4611686018427387906 nodes for 11 blocks");
  EXPECT_EQ(refusal([](TreeHeader& h) { h.nodes = 3; }), "520 bytes instead of 552");
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(refusal([i](TreeHeader& h) { h.bounds[i] = NAN; }), "bounds differ");
    EXPECT_EQ(refusal([i](TreeHeader& h) { h.bounds[i] = std::nextafter(h.bounds[i], 99.0F); }),
              "bounds differ");
  }
  EXPECT_EQ(crafting.refusal(crafting.tree, 519), "519 bytes instead of 520");
  EXPECT_EQ(crafting.refusal(crafting.tree, 552), "552 bytes instead of 520");
  EXPECT_EQ(crafting.refusal(crafting.tree, sizeof(TreeHeader)), "104 bytes instead of 520");
  EXPECT_EQ(cause("", crafting.room), "cut short to 0 bytes");
  EXPECT_EQ(cause(std::string(103, '\0'), crafting.room), "cut short to 103 bytes");
}

TEST(TreeBytesCrafted, ATreeOfAnotherRoomIsRefusedAndHarmlessAnyway) {
  const Crafting crafting;
  std::vector<Vec3f> vertices(crafting.room.vertices().begin(), crafting.room.vertices().end());
  vertices[7].y = std::nextafter(vertices[7].y, 99.0F);
  const Environment moved = *crafting.room.with_vertices(std::move(vertices));
  const std::string bytes = crafting.tree.sealed();
  EXPECT_EQ(cause(bytes, moved, crafting.options), "made for another environment");
  // Somebody who makes two rooms of one fingerprint still gets volumes of the room that is there.
  const auto tree = tree_from_bytes(bytes, moved, fingerprint(crafting.room), crafting.options);
  ASSERT_TRUE(tree.ok()) << tree.error().message;
  EXPECT_EQ(what_is_wrong(tree.value(), moved), "");
}

/// Where a tree has an inner child and a leaf.
struct Places {
  std::size_t inner = 0;       ///< a node
  std::size_t inner_lane = 0;  ///< its lane with a node
  std::size_t leaf = 0;        ///< another node
  std::size_t leaf_lane = 0;   ///< its lane with a block
};

Places places_in(const CraftedTree& tree) {
  Places out;
  for (std::size_t node = tree.header().nodes; node-- > 0;) {
    for (std::size_t lane = 0; lane < tree.header().width; ++lane) {
      if ((tree.child(node, lane) & kLeafBit) == 0) {
        if (out.inner == 0) out = {node, lane, out.leaf, out.leaf_lane};
      } else if (out.leaf == 0) {
        out.leaf = node;
        out.leaf_lane = lane;
      }
    }
  }
  return out;
}

TEST(TreeBytesCrafted, LinksThatAreNoTreeAreRefused) {
  const Crafting crafting;
  const Places at = places_in(crafting.tree);
  const std::string inner = "node " + std::to_string(at.inner) + ": ";
  const std::string leaf = "node " + std::to_string(at.leaf) + ": ";
  const std::string inner_child = inner + "child " + std::to_string(at.inner_lane) + " is ";
  const std::string leaf_child = leaf + "child " + std::to_string(at.leaf_lane) + " is ";
  const auto set_inner = [&](std::uint32_t to) {
    return crafting.refusal(CraftedTree(crafting.tree).set_child(at.inner, at.inner_lane, to));
  };
  const auto set_leaf = [&](std::uint32_t to) {
    return crafting.refusal(CraftedTree(crafting.tree).set_child(at.leaf, at.leaf_lane, to));
  };

  // A cycle: back to the root, to itself.
  EXPECT_EQ(set_inner(0), inner_child + "node 0, which comes before");
  EXPECT_EQ(set_inner(static_cast<std::uint32_t>(at.inner)),
            inner_child + "node " + std::to_string(at.inner) + ", which comes before");
  // Out of range.
  EXPECT_EQ(set_inner(2), inner_child + "node 2 of 2");
  EXPECT_EQ(set_inner(0x7FFFFFFF), inner_child + "node 2147483647 of 2");
  EXPECT_EQ(set_leaf(kLeafBit | 11U), leaf_child + "block 11 of 11");
  EXPECT_EQ(set_leaf(0xFFFFFFFE), leaf_child + "block 2147483646 of 11");
  // Twice: another node's block. A node or block that nobody has any more is missed later.
  const std::uint32_t other =
      crafting.tree.child(at.leaf, at.leaf_lane) == kLeafBit ? kLeafBit | 1U : kLeafBit;
  EXPECT_NE(set_leaf(other).find(" once more"), std::string::npos);
  // Too few, and a gap.
  CraftedTree few(crafting.tree);
  for (std::size_t lane = 1; lane < few.header().width; ++lane) {
    few.set_child(at.leaf, lane, kNone);
  }
  EXPECT_EQ(crafting.refusal(few), leaf + "has too few children");
  EXPECT_EQ(crafting.refusal(CraftedTree(crafting.tree).set_child(at.leaf, 0, kNone)),
            leaf + "a child follows an empty lane");
  EXPECT_EQ(crafting.refusal(few.set_child(at.leaf, 0, kNone)), leaf + "has too few children");
}

TEST(TreeBytesCrafted, ANodeOrBlockThatNobodyReachesIsRefused) {
  const Environment room = random_cloud(4);
  const TreeOptions options{.leaf_size = 1};
  const CraftedTree tree(bytes_of(room, options));
  ASSERT_EQ(tree.header().nodes, 1U);  // of four leaves
  EXPECT_EQ(cause(CraftedTree(tree).set_child(0, 3, kNone).sealed(), room, options),
            "block 3: is no node's child");

  const Crafting crafting;
  const Places at = places_in(crafting.tree);
  const std::uint32_t lost = crafting.tree.child(at.inner, at.inner_lane);
  // The leaf's block moves up in place of a node; its own place goes to that node's index's parent.
  CraftedTree swapped(crafting.tree);
  swapped.set_child(at.inner, at.inner_lane, crafting.tree.child(at.leaf, at.leaf_lane));
  const std::string refusal = crafting.refusal(swapped);
  EXPECT_TRUE(refusal == "node " + std::to_string(lost) + ": is no earlier node's child" ||
              refusal.find("once more") != std::string::npos)
      << refusal;
}

TEST(TreeBytesCrafted, BlocksThatDoNotHoldEachTriangleOnceAreRefused) {
  const Environment room = random_cloud(40);
  const TreeOptions options{.leaf_size = 3};
  const CraftedTree tree(bytes_of(room, options));
  const auto refusal = [&](std::size_t block, std::size_t lane, std::uint32_t to) {
    return cause(CraftedTree(tree).set_triangle(block, lane, to).sealed(), room, options);
  };
  std::size_t full = 0;
  while (tree.triangle(full, 2) == kNone) ++full;
  const std::string at = "block " + std::to_string(full) + ": ";
  EXPECT_EQ(refusal(full, 1, tree.triangle(full, 0)),
            at + "has triangle " + std::to_string(tree.triangle(full, 0)) + " once more");
  EXPECT_EQ(refusal(full, 2, kNone), "1 of 40 triangles lie in no block");
  EXPECT_EQ(refusal(full, 1, kNone), at + "a triangle follows an empty lane");
  EXPECT_EQ(refusal(full, 2, 40), at + "has triangle 40 of 40");
  EXPECT_EQ(refusal(full, 2, kLeafBit), at + "has triangle 2147483648 of 40");
  EXPECT_EQ(refusal(full, 3, 0), at + "has 4 triangles, at most 3");
  CraftedTree none(tree);
  for (std::size_t lane = 0; lane < 3; ++lane) none.set_triangle(full, lane, kNone);
  EXPECT_EQ(cause(none.sealed(), room, options), at + "has no triangles");
}

TEST(TreeBytesCrafted, AnExchangeOfTrianglesIsAnotherTreeButASoundOne) {
  const Environment room = random_cloud(400);
  CraftedTree tree(bytes_of(room));
  const std::uint32_t a = tree.triangle(0, 0);
  const std::uint32_t b = tree.triangle(tree.header().blocks - 1, 0);
  tree.set_triangle(0, 0, b).set_triangle(tree.header().blocks - 1, 0, a);
  const Result<RoomTree> read_tree = read(tree.sealed(), room);
  ASSERT_TRUE(read_tree.ok()) << read_tree.error().message;
  EXPECT_EQ(what_is_wrong(read_tree.value(), room), "");
  EXPECT_FALSE(same_tree(read_tree.value(), RoomTree(room)));
}

/// As deep as it has nodes: each has a block and the next node.
RoomTree chain(std::uint32_t nodes) {
  std::vector<RoomTree::Node> chained(nodes);
  std::vector<TriangleBlock> blocks(nodes + 1);
  for (std::uint32_t i = 0; i <= nodes; ++i) {
    std::fill_n(blocks[i].triangle, kBlockSize, kNone);
    blocks[i].triangle[0] = i;
    if (i == nodes) continue;
    std::fill(std::begin(chained[i].child), std::end(chained[i].child), kNone);
    chained[i].child[0] = kLeafBit | i;
    chained[i].child[1] = i + 1 == nodes ? kLeafBit | nodes : i + 1;
  }
  return {std::move(chained), std::move(blocks), {}};
}

TEST(TreeBytesCrafted, ATreeMayBeAsDeepAsTraversalsExpectAndNoDeeper) {
  const TreeOptions options{.leaf_size = 1};
  for (const int nodes : {kMaxDepth, kMaxDepth + 1, 1000}) {
    const Environment room = random_cloud(nodes + 1);
    RoomTree tree = chain(static_cast<std::uint32_t>(nodes));
    tree.refit(room);
    const std::string bytes = to_bytes(tree, fingerprint(room), options);
    if (nodes == kMaxDepth) {
      const Result<RoomTree> again = read(bytes, room, options);
      ASSERT_TRUE(again.ok()) << again.error().message;
      EXPECT_EQ(what_is_wrong(again.value(), room), "");
      EXPECT_EQ(again->statistics().depth, kMaxDepth);
    } else {
      EXPECT_EQ(cause(bytes, room, options), "node 96: lies deeper than 96 nodes");
    }
  }
}

TEST(TreeBytesCrafted, BuildersStayWithinThatDepth) {
  for (const test::AwkwardRoom& awkward : test::awkward_rooms(2000)) {
    const RoomTree tree(awkward.room, {.leaf_size = 1});
    EXPECT_LE(tree.statistics().depth, kMaxDepth) << awkward.name;
  }
}

// The seeds of tests/fuzz/fuzz_tree.cpp go stale when the format changes. With TOCSIN_WRITE_SEEDS
// set, this test writes them anew.
void check_seed(const std::string& name, int leaf_size) {
  SCOPED_TRACE(name);
  const Environment room = test::tree_seed_room();
  const TreeOptions options{.leaf_size = leaf_size};
  const std::filesystem::path file =
      std::filesystem::path(test::source_dir()) / "tests/fuzz/corpus/tree" / name;
  if (std::getenv("TOCSIN_WRITE_SEEDS") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
    std::ofstream(file, std::ios::binary) << bytes_of(room, options);
  }
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const Result<RoomTree> tree = read(bytes, room, options);
  ASSERT_TRUE(tree.ok()) << tree.error().message;
  EXPECT_EQ(what_is_wrong(tree.value(), room), "");
}

TEST(TreeBytesSeeds, OfTheFuzzTargetAreOfThisFormat) {
  check_seed("leaf1.tree", 1);
  check_seed("leaf2.tree", 2);
  check_seed("leaf8.tree", 8);
}

}  // namespace
}  // namespace tocsin::scene::tree_bytes_test
