#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/large_array.h"
#include "scene/tree/sah_grid.h"
#include "scene/tree/sah_subtree.h"
#include "scene/tree/topology.h"
#include "scene/tree/tree_parallel.h"

namespace tocsin::scene {

namespace {

/// More triangles than this are divided by a grid, on all threads; fewer by one thread, while they
/// and their copy stay in its second-level cache (64 bytes each). Other sizes give other trees.
constexpr std::uint32_t kPiece = 8192;
/// Grids are laid over nodes less deep than this, and have their own nodes divided at the median
/// from kGridSahDepth levels below it on: with 2^18 cells that leaves all levels below kSahDepth to
/// the pieces.
constexpr int kGridDepth = 20;
constexpr int kGridSahDepth = 24;

/// Entries that one thread copies at a time.
constexpr std::size_t kCopyGrain = 16;

/// Items that have a node, which is still to be divided.
struct Piece {
  std::uint32_t node = 0;
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  int depth = 0;
  bool tight = false;  ///< no grid could have a smaller domain than the last one had
};

class SahBuilder {
 public:
  SahBuilder(const Environment& environment, std::uint32_t leaf)
      : environment_(environment), leaf_(leaf), items_(environment.triangles().size()) {}

  Topology build() {
    const auto count = static_cast<std::uint32_t>(environment_.triangles().size());
    out_.nodes.push_back({0, count, 0, 0});
    out_.surface.push_back(0.0F);
    const SahSource source(environment_);
    if (count > kPiece) {
      const std::array<Vec3f, 2> b = environment_.bounds();
      divide({0, 0, count, 0, false}, source,
             sah_domain({2.0F * b[0].x, 2.0F * b[0].y, 2.0F * b[0].z, 0.0F},
                        {2.0F * b[1].x, 2.0F * b[1].y, 2.0F * b[1].z, 0.0F}));
    } else {
      for (std::size_t i = 0; i < count; ++i) items_[i] = source[i];
      pieces_.push_back({0, 0, count, 0, true});
    }
    while (!large_.empty()) divide_large();
    build_pieces();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::span<SahItem> items_of(const Piece& piece) {
    return {items_.data() + piece.first, piece.count};
  }

  /// Divides a piece that lies in items_ already.
  void divide_large() {
    const Piece piece = large_.back();
    large_.pop_back();
    const std::vector<SahItem> copy(items_of(piece).begin(), items_of(piece).end());
    divide(piece, SahSource(std::span(copy)), extent_of(copy).domain);
  }

  void divide(const Piece& piece, const SahSource& source, const SahDomain& domain) {
    const Topology top = divide_by_grid(
        source, domain, {kPiece, leaf_, piece.depth, piece.depth + kGridSahDepth}, items_of(piece));
    // The top's root takes the piece's place, the others go to the end.
    const auto base = static_cast<std::uint32_t>(out_.nodes.size()) - 1;
    const auto place = [&](std::uint32_t node) { return node == 0 ? piece.node : base + node; };
    out_.nodes.resize(base + top.nodes.size());
    out_.surface.resize(out_.nodes.size());
    std::vector<int> depth(top.nodes.size(), piece.depth);
    for (std::uint32_t i = 0; i < top.nodes.size(); ++i) {
      Topology::Node node = top.nodes[i];
      node.first += piece.first;
      if (node.left != 0) {
        depth[node.left] = depth[node.right] = depth[i] + 1;
        node.left = place(node.left);
        node.right = place(node.right);
      } else {
        const bool again =
            node.count > kPiece && depth[i] < kGridDepth && (top.nodes.size() > 1 || !piece.tight);
        (again ? large_ : pieces_).push_back({place(i), node.first, node.count, depth[i], true});
      }
      out_.nodes[place(i)] = node;
      out_.surface[place(i)] = top.surface[i];
    }
  }

  void build_pieces() {
    std::ranges::sort(pieces_, {}, &Piece::first);
    std::vector<Topology> built(pieces_.size());
    in_pieces(pieces_.size(), 1, [&](std::size_t begin, std::size_t end) {
      SahSubtree subtree(leaf_, leaf_, kSahDepth);
      base::LargeArray<SahItem> spare;
      for (std::size_t i = begin; i < end; ++i) {
        const Piece& piece = pieces_[i];
        if (spare.size() < piece.count) spare.resize(piece.count);
        built[i] = subtree.build(items_of(piece), std::span(spare).first(piece.count), piece.depth);
      }
    });
    items_ = {};
    std::vector<std::size_t> base(pieces_.size() + 1, out_.nodes.size());
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      base[i + 1] = base[i] + built[i].nodes.size() - 1;
    }
    out_.nodes.resize(base.back());
    out_.surface.resize(base.back());
    out_.order.resize(environment_.triangles().size());
    in_pieces(pieces_.size(), kCopyGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        append(built[i], pieces_[i], static_cast<std::uint32_t>(base[i]) - 1);
        built[i] = {};
      }
    });
  }

  /// The piece's root takes its node's place; node n goes to base + n.
  void append(const Topology& tree, const Piece& piece, std::uint32_t base) {
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
      Topology::Node node = tree.nodes[i];
      node.first += piece.first;
      if (node.left != 0) {
        node.left += base;
        node.right += base;
      }
      const std::uint32_t to = i == 0 ? piece.node : base + i;
      out_.nodes[to] = node;
      out_.surface[to] = tree.surface[i];
    }
    std::ranges::copy(tree.order, out_.order.begin() + piece.first);
  }

  const Environment& environment_;
  std::uint32_t leaf_;
  base::LargeArray<SahItem> items_;
  Topology out_;
  std::vector<Piece> large_;
  std::vector<Piece> pieces_;
};

}  // namespace

Topology sah_topology(const Environment& environment, const TreeOptions& options) {
  Topology topology;
  if (environment.triangles().empty()) return topology;
  with_threads(options.threads, [&] {
    topology = SahBuilder(environment, static_cast<std::uint32_t>(options.leaf_size)).build();
  });
  return topology;
}

}  // namespace tocsin::scene
