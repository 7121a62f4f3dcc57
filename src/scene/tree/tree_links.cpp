#include "scene/tree/tree_links.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

#include "scene/tree/kdop_tree.h"

namespace tocsin::scene {
namespace {

using Cause = std::optional<std::string>;

/// How many lanes of a row are in use; nothing if one in use follows one that is not.
std::optional<std::size_t> used_lanes(const PackedRows& rows, std::size_t row) {
  std::size_t used = 0;
  while (used < rows.width() && rows.at(row, used) != kNone) ++used;
  for (std::size_t i = used; i < rows.width(); ++i) {
    if (rows.at(row, i) != kNone) return std::nullopt;
  }
  return used;
}

/// Goes through the nodes once, parents first.
class NodeCheck {
 public:
  explicit NodeCheck(const TreeLinks& links)
      : children_(links.children),
        depth_(children_.size(), 0),
        reached_(links.triangles.size(), 0) {
    if (!depth_.empty()) depth_[0] = 1;
  }

  Cause run() {
    for (std::size_t node = 0; node < children_.size(); ++node) {
      if (Cause cause = check(node)) return fmt::format("node {}: {}", node, *cause);
    }
    for (std::size_t block = 0; block < reached_.size(); ++block) {
      if (reached_[block] == 0) return fmt::format("block {}: is no node's child", block);
    }
    return std::nullopt;
  }

 private:
  Cause check(std::size_t node) {
    if (depth_[node] == 0) return "is no earlier node's child";
    if (depth_[node] > kMaxDepth) return fmt::format("lies deeper than {} nodes", kMaxDepth);
    const auto used = used_lanes(children_, node);
    if (!used) return "a child follows an empty lane";
    if (*used < 2 && (*used == 0 || children_.size() > 1)) return "has too few children";
    for (std::size_t lane = 0; lane < *used; ++lane) {
      if (Cause cause = reach(node, children_.at(node, lane))) {
        return fmt::format("child {} {}", lane, *cause);
      }
    }
    return std::nullopt;
  }

  Cause reach(std::size_t parent, std::uint32_t child) {
    if ((child & kLeafBit) != 0) {
      const std::size_t block = child & ~kLeafBit;
      if (block >= reached_.size()) return fmt::format("is block {} of {}", block, reached_.size());
      if (reached_[block]++ != 0) return fmt::format("is block {} once more", block);
      return std::nullopt;
    }
    if (child >= depth_.size()) return fmt::format("is node {} of {}", child, depth_.size());
    if (child <= parent) return fmt::format("is node {}, which comes before", child);
    if (depth_[child] != 0) return fmt::format("is node {} once more", child);
    depth_[child] = static_cast<std::uint8_t>(depth_[parent] + 1);
    return std::nullopt;
  }

  PackedRows children_;
  std::vector<std::uint8_t> depth_;  ///< nodes from the root to this one; 0: not reached
  std::vector<std::uint8_t> reached_;
  static_assert(kMaxDepth < 255);  // one more is counted before it is refused
};

/// Goes through the blocks once.
class BlockCheck {
 public:
  BlockCheck(const TreeLinks& links, std::size_t triangles, int leaf_size)
      : blocks_(links.triangles),
        triangles_(triangles),
        leaf_size_(static_cast<std::size_t>(leaf_size)),
        seen_(triangles, false) {}

  Cause run() {
    std::size_t total = 0;
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      if (Cause cause = check(block, total)) return fmt::format("block {}: {}", block, *cause);
    }
    // None twice and as many as there are: each once.
    if (total == triangles_) return std::nullopt;
    return fmt::format("{} of {} triangles lie in no block", triangles_ - total, triangles_);
  }

 private:
  Cause check(std::size_t block, std::size_t& total) {
    const auto used = used_lanes(blocks_, block);
    if (!used) return "a triangle follows an empty lane";
    if (*used == 0) return "has no triangles";
    if (*used > leaf_size_) return fmt::format("has {} triangles, at most {}", *used, leaf_size_);
    for (std::size_t lane = 0; lane < *used; ++lane) {
      const std::uint32_t triangle = blocks_.at(block, lane);
      if (triangle >= triangles_) return fmt::format("has triangle {} of {}", triangle, triangles_);
      if (seen_[triangle]) return fmt::format("has triangle {} once more", triangle);
      seen_[triangle] = true;
    }
    total += *used;
    return std::nullopt;
  }

  PackedRows blocks_;
  std::size_t triangles_;
  std::size_t leaf_size_;
  std::vector<bool> seen_;
};

}  // namespace

Status check_links(const TreeLinks& links, std::size_t triangles, int leaf_size) {
  Cause cause = NodeCheck(links).run();
  if (!cause) cause = BlockCheck(links, triangles, leaf_size).run();
  if (cause) return {ErrorCode::kInput, *std::move(cause)};
  return Nothing{};
}

}  // namespace tocsin::scene
