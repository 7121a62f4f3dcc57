// Triangles that just touch the skin of a slab, within what floats can tell: the hardest there are
// for pictures of the two. Each is one cluster of one room.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/vector/vec.h"
#include "gpu/gl/visibility/exact_distance.h"
#include "gpu/gl/visibility/visibility.h"
#include "scene/tree/clusters.h"
#include "scene/tree/kdop_tree.h"
#include "support/scenes/adversarial.h"

namespace tocsin::test {

/// Slabs, the triangles that kiss each of them, and the question about all these pairs.
struct Kisses {
  Environment room;
  scene::Clusters clusters;
  gl::VisibilityBatch batch;
  std::vector<bool> meets;  ///< per pair: the triangle has a point inside the skin, proved
};

class KissMaker {
 public:
  explicit KissMaker(std::uint64_t seed) : random_(seed, 0, 0) {}

  /// Kisses of all slabs of a batch's steps, `each` for every slab.
  Kisses make(const AdversarialBatch& batch, int each) {
    const auto [lo, hi] = batch.environment.bounds();
    scene::StepMotion motion;
    for (std::size_t i = 0; i < batch.steps.size(); ++i) {
      motion.begin(batch.avatar, batch.steps[i], 0.0, {lo, hi});
      const scene::SweptLink& link = motion.link(static_cast<std::size_t>(batch.scenes[i].link));
      for (std::int32_t p = 0; p < link.pieces; ++p) {
        skin_.set(scene::piece_slab(link, p, 0.0));
        add_slab(each);
      }
    }
    finish();
    return std::move(out_);
  }

 private:
  void add_slab(int each) {
    for (int i = 0; i < each; ++i) {
      const Corners corners = kiss();
      const core::Triangle t = relative_to(skin_.origin(), corners);
      double most = 0.0;
      for (const Vec3& v : t.v) most = std::max(most, core::norm(v));
      out_.meets.push_back(meets(skin_.half_spaces(), t, -0x1p-55L * most));
      // The object's index, until its cluster is known.
      out_.batch.pairs.push_back({static_cast<std::uint32_t>(out_.batch.slabs.size()),
                                  static_cast<std::uint32_t>(objects_.size())});
      objects_.push_back({"kiss" + std::to_string(objects_.size()),
                          {corners[0], corners[1], corners[2]},
                          {{0, 1, 2}}});
    }
    const auto sides = skin_.triangles();
    out_.batch.slabs.push_back({skin_.origin(), skin_.half(),
                                static_cast<std::uint32_t>(out_.batch.skin.size()),
                                static_cast<std::uint32_t>(sides.size())});
    out_.batch.skin.insert(out_.batch.skin.end(), sides.begin(), sides.end());
  }

  void finish() {
    out_.room = Environment::create(std::move(objects_)).value();
    out_.clusters = scene::Clusters(scene::RoomTree(out_.room), out_.room);
    const std::span<const scene::Cluster> clusters = out_.clusters.clusters();
    std::vector<std::uint32_t> cluster_of(out_.room.objects().size());
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      cluster_of[clusters[i].object] = static_cast<std::uint32_t>(i);
    }
    for (gl::VisibilityPair& pair : out_.batch.pairs) pair.cluster = cluster_of[pair.cluster];
  }

  /// A vector across n, often without an extent along some axis of the world: seen edge-on.
  Vec3 across(const Vec3& n) {
    if (random_.chance(0.4)) {
      const Vec3 axis{random_.chance(0.33) ? 1.0 : 0.0, random_.chance(0.5) ? 1.0 : 0.0, 1.0};
      const Vec3 c = core::cross(n, axis);
      if (core::norm(c) > 0.1) return (1.0 / core::norm(c)) * c;
    }
    return any_across(random_, n);
  }

  /// A triangle outside the skin but for a point, an edge or a face that just touches it.
  Corners kiss() {
    const auto sides = skin_.triangles();
    const auto& side =
        sides[static_cast<std::size_t>(random_.below(static_cast<int>(sides.size())))];
    std::array<Vec3, 3> v;
    for (std::size_t i = 0; i < 3; ++i) v[i] = core::to_double(side[i]);
    double s = random_.unit();
    double t = random_.unit() * (1.0 - s);
    if (random_.chance(0.3)) s = 0.0;
    if (random_.chance(0.3)) t = 0.0;
    const double inward = random_.chance(0.8) ? random_.magnitude(1e-8, 1e-3) : 0.0;
    const Vec3 at = (1.0 - inward) * (v[0] + s * (v[1] - v[0]) + t * (v[2] - v[0]));
    Vec3 n = core::cross(v[1] - v[0], v[2] - v[0]);
    if (core::dot(n, at) < 0.0) n = -n;
    n = core::norm(n) > 0.0 ? (1.0 / core::norm(n)) * n : random_.direction();
    return at_point(at, n);
  }

  Corners at_point(const Vec3& at, const Vec3& n) {
    const Vec3f& half = skin_.half();
    const double pixel = static_cast<double>(std::max({half.x, half.y, half.z})) / 31.0;
    const double size = pixel * random_.magnitude(1e-2, random_.chance(0.1) ? 1e5 : 200.0);
    const double thin = random_.chance(0.5) ? random_.magnitude(1e-7, 1e-2) : 1.0;
    const Vec3 e = across(n);
    const Vec3 f = core::cross(n, e);
    const double lean = random_.chance(0.3) ? 0.0 : random_.between(0.0, 1.5);
    const Vec3 out = std::sin(lean) * n + std::cos(lean) * f;
    const double l = size * random_.between(0.1, 1.0);
    const double m = size * random_.between(0.1, 1.0);
    std::array<Vec3, 3> corners{at - l * e, at + m * e, at + (thin * size) * out};
    if (random_.chance(0.3)) corners[0] = at;
    if (random_.chance(0.2)) corners[1] = at + m * out;
    Corners rounded;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 p = corners[i] + core::to_double(skin_.origin());
      rounded[i] = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    }
    return rounded;
  }

  Random random_;
  scene::SlabSkin skin_;
  std::vector<ObjectMesh> objects_;
  Kisses out_;
};

}  // namespace tocsin::test
