// A tree of k-DOPs in a device's memory. docs/cuda.md, "Trees".
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "core/batch/layout.h"
#include "core/batch/tree.h"
#include "core/batch/tree_build.h"
#include "gpu/cuda/device/array.h"
#include "gpu/cuda/device/device.h"

namespace tocsin::cuda {

/// Functions throw Failure.
template <int K>
class TreeArrays {
 public:
  explicit TreeArrays(std::shared_ptr<Device> device)
      : device_(std::move(device)),
        order_(device_),
        nodes_(device_),
        node_links_(device_),
        leaf_links_(device_),
        arrived_(device_) {}

  /// Shape and volumes.
  void build(const core::batch::RoomView& room) {
    const std::size_t n = room.triangle_count;
    order_.resize(n);
    leaf_links_.resize(n);
    leaf_links_.fill(0xFF);  // kNone
    if (n != 0) divide(room);
    fit(room);
  }

  /// Volumes.
  void fit(const core::batch::RoomView& room) {
    arrived_.fill(0);
    device_->launch(room.triangle_count, core::batch::FitTree<K>{room, order_.data(), nodes_.data(),
                                                                 links(), arrived_.data()});
  }

  /// Shape and volumes of another tree on the same device.
  void copy(const TreeArrays& from) {
    copy(from.order_, order_);
    copy(from.nodes_, nodes_);
    copy(from.node_links_, node_links_);
    copy(from.leaf_links_, leaf_links_);
    arrived_.resize(from.arrived_.size());
  }

  [[nodiscard]] core::batch::TreeView<K> view() const {
    return {nodes_.data(), order_.data(), static_cast<std::uint32_t>(nodes_.size())};
  }
  [[nodiscard]] std::size_t bytes() const {
    return nodes_.size() * (sizeof(core::batch::TreeNode<K>) + 2 * sizeof(std::uint32_t)) +
           order_.size() * 2 * sizeof(std::uint32_t);
  }

  /// For tests, which look at every node.
  [[nodiscard]] const Array<std::uint32_t>& order() const { return order_; }
  [[nodiscard]] const Array<core::batch::TreeNode<K>>& nodes() const { return nodes_; }
  [[nodiscard]] const Array<std::uint32_t>& node_links() const { return node_links_; }
  [[nodiscard]] const Array<std::uint32_t>& leaf_links() const { return leaf_links_; }

 private:
  [[nodiscard]] core::batch::TreeLinks links() { return {node_links_.data(), leaf_links_.data()}; }
  /// Sorts the triangles and makes the nodes. Precondition: there is a triangle.
  void divide(const core::batch::RoomView& room) {
    const std::size_t n = room.triangle_count;
    Array<std::uint64_t> codes(device_);
    codes.resize(n);
    device_->launch(n, core::batch::MortonCodes{room, core::batch::morton_scale(room.bounds),
                                                codes.data(), order_.data()});
    device_->sort_pairs(codes.data(), order_.data(), n);
    const core::batch::SortedCodes sorted{codes.data(), static_cast<std::int64_t>(n)};
    Array<std::uint32_t> flags(device_);
    Array<std::uint64_t> places(device_);
    std::size_t nodes = 1;
    if (n > core::batch::kLeafTriangles) {
      flags.resize(n - 1);
      places.resize(n);
      device_->launch(n - 1, core::batch::FlagInner{sorted, flags.data()});
      nodes = device_->exclusive_sum(flags.data(), places.data(), n - 1);
    }
    nodes_.resize(nodes);
    node_links_.resize(nodes);
    arrived_.resize(nodes);
    device_->launch(std::max<std::size_t>(flags.size(), 1),
                    core::batch::Hierarchy<K>{sorted, places.data(), nodes_.data(), links()});
  }
  template <class T>
  void copy(const Array<T>& from, Array<T>& to) {
    to.resize(from.size());
    device_->copy(to.data(), from.data(), from.size() * sizeof(T));
  }

  std::shared_ptr<Device> device_;
  Array<std::uint32_t> order_;
  Array<core::batch::TreeNode<K>> nodes_;
  Array<std::uint32_t> node_links_;
  Array<std::uint32_t> leaf_links_;
  Array<std::uint32_t> arrived_;  ///< while volumes are fitted
};

}  // namespace tocsin::cuda
