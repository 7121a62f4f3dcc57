// A tree of boxes that come, go and move, one at a time: which of them meet a given box? Snapshots
// of it cost next to nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/bounds/box.h"
#include "scene/instance/paged_array.h"

namespace tocsin::scene {

/// A node, or one of the boxes: what walks read. Half a cache line.
struct BoxNode {
  core::Box box;
  std::int32_t left = -1;  ///< -1: it is one of the boxes
  std::int32_t right = 0;  ///< of a box: what it is around

  [[nodiscard]] bool leaf() const { return left < 0; }
  /// Its box is empty. One without an end would meet it.
  [[nodiscard]] bool hidden() const { return box.hi.x < box.lo.x; }
  [[nodiscard]] std::uint32_t item() const { return static_cast<std::uint32_t>(right); }
};

/// Every box is exact, so that the root's is that of everything. Inserting, removing and moving
/// cost O(log n); rotations keep it flat, whatever comes in whatever order.
class BoxTree {
  static constexpr std::size_t kPage = 32;
  using Nodes = PagedArray<BoxNode, kPage>;

 public:
  class Snapshot {
   public:
    /// The box of everything; empty if there is nothing.
    [[nodiscard]] core::Box bounds() const {
      return root_ < 0 ? core::Box{} : nodes_[at(root_)].box;
    }
    /// Calls f(item) for every box that meets `box`, in any order, until f returns false. False if
    /// it was broken off.
    template <class F>
    bool visit(const core::Box& box, const F& f) const {
      return visit_if([&](const core::Box& of) { return core::overlap(of, box); }, f);
    }
    /// The same for boxes for which, as for those of all nodes above them, wanted(box) is true.
    template <class Wanted, class F>
    bool visit_if(const Wanted& wanted, const F& f) const {
      return visit_from(root_, wanted, f);
    }

   private:
    friend class BoxTree;
    static std::size_t at(std::int32_t node) { return static_cast<std::size_t>(node); }
    template <class Wanted, class F>
    bool visit_from(std::int32_t node, const Wanted& wanted, const F& f) const {
      // Down the left, and back by recursion for the right: as deep as the tree is.
      while (node >= 0) {
        const BoxNode& n = nodes_[at(node)];
        if (!wanted(n.box)) return true;
        if (n.leaf()) return n.hidden() || f(n.item());
        if (!visit_from(n.left, wanted, f)) return false;
        node = n.right;
      }
      return true;
    }

    Nodes::Snapshot nodes_;
    std::int32_t root_ = -1;
  };

  /// Its number, for remove() and move(). Throws std::bad_alloc.
  std::int32_t insert(std::uint32_t item, const core::Box& box);
  void remove(std::int32_t leaf);
  /// The leaf's number stays.
  void move(std::int32_t leaf, const core::Box& box) { move(leaf, node(leaf).box, box); }
  /// It is nowhere until it is moved, and keeps its number and place: far cheaper than to remove
  /// and insert what soon comes back.
  void hide(std::int32_t leaf);
  /// move() of one that was hidden. `before`: its box then.
  void show(std::int32_t leaf, const core::Box& before, const core::Box& box) {
    move(leaf, before, box);
  }
  void clear();

  [[nodiscard]] core::Box bounds() const { return root_ < 0 ? core::Box{} : node(root_).box; }
  [[nodiscard]] Snapshot snapshot();
  /// Nodes from the root to the farthest box.
  [[nodiscard]] int depth() const { return root_ < 0 ? 0 : above(root_).height + 1; }

 private:
  /// What the writer alone knows of a node: no page is copied for it.
  struct Above {
    std::int32_t parent = -1;  ///< of a free one: the next
    std::int32_t height = 0;   ///< nodes below it, down to the farthest box
  };
  [[nodiscard]] const BoxNode& node(std::int32_t i) const {
    return nodes_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] BoxNode& change(std::int32_t i) {
    return nodes_.write(static_cast<std::size_t>(i));
  }
  [[nodiscard]] const Above& above(std::int32_t i) const {
    return above_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] Above& above(std::int32_t i) { return above_[static_cast<std::size_t>(i)]; }
  void move(std::int32_t leaf, const core::Box& before, const core::Box& box);
  /// Sets a leaf's box, and fits all above it.
  void set_box(std::int32_t leaf, const core::Box& box);
  std::int32_t take_node();
  void give_node(std::int32_t i);
  void put(std::int32_t leaf);
  void take_out(std::int32_t leaf);
  [[nodiscard]] std::int32_t best_sibling(const core::Box& box) const;
  /// Fits a node to its children. False: it did fit.
  bool fit(std::int32_t i);
  /// Fits all from a node up, until one fits as it is. Turns where one side is too tall and, if
  /// `improve`, where that makes boxes smaller.
  void fit_from(std::int32_t i, bool improve);
  /// A child, and a grandchild below the other one.
  struct Exchange {
    std::int32_t inner = -1;  ///< the child that has the grandchild
    std::int32_t outer = -1;
    std::int32_t moved = -1;  ///< the grandchild
  };
  /// Lets a child and a grandchild change places where one side is too tall, or where it makes the
  /// node between them smaller (Kensler, "Tree rotations for improving bounding volume
  /// hierarchies", 2008). False: nothing had to be changed.
  bool turn(std::int32_t i, bool improve);
  [[nodiscard]] std::optional<Exchange> best_exchange(std::int32_t i) const;
  void exchange(std::int32_t i, const Exchange& with);
  void replace_child(std::int32_t parent, std::int32_t from, std::int32_t to);

  Nodes nodes_;
  std::vector<Above> above_;  ///< of each node
  std::int32_t root_ = -1;
  std::int32_t free_ = -1;  ///< the first free node
};

}  // namespace tocsin::scene
