#include "support/scenes/culled_share.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>

#include "gpu/gl/visibility/exact_distance.h"

namespace tocsin::test {

namespace {

using core::Box;

double part_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// The skin's box: origin +- half.
Box box_of(const scene::SlabSkin& skin) {
  return core::grown_box(core::to_double(skin.origin()) - core::to_double(skin.half()),
                         core::to_double(skin.origin()) + core::to_double(skin.half()), 0.0);
}

/// Two pixels, of the longest edge over the views; a tile has a border of one pixel.
double two_pixels(const scene::SlabSkin& skin, int tile) {
  const Vec3f& half = skin.half();
  return 2.0 * (2.0 * static_cast<double>(std::max({half.x, half.y, half.z})) / (tile - 2));
}

/// Whether the triangle's box has a point within the skin's.
bool boxes_meet(const scene::SlabSkin& skin, const Corners& corners) {
  const Box triangle =
      join(core::box_of(corners[0]), join(core::box_of(corners[1]), core::box_of(corners[2])));
  return overlap(box_of(skin), triangle);
}

/// How a cluster lies to a skin.
struct Lying {
  bool empty = true;  ///< no triangle's box meets the skin's
  bool near = false;  ///< within `distance` of it
  bool meets = false;
};

Lying lying(const scene::SlabSkin& skin, const Environment& environment,
            std::span<const std::uint32_t> triangles, double distance) {
  Lying out;
  for (const std::uint32_t index : triangles) {
    const Corners corners = environment.corners(index);
    out.empty = out.empty && !boxes_meet(skin, corners);
    const core::Triangle t = relative_to(skin.origin(), corners);
    if (farther(skin.half_spaces(), skin.triangles(), t, distance)) continue;
    out.near = true;
    // A little inside, so that nobody can say that it only rounds so.
    double most = 0.0;
    for (const Vec3& v : t.v) most = std::max(most, core::norm(v));
    out.meets = out.meets || meets(skin.half_spaces(), t, -0x1p-55L * most);
    if (out.meets) break;
  }
  return out;
}

}  // namespace

CulledShare& CulledShare::operator+=(const CulledShare& other) {
  boxes += other.boxes;
  meeting += other.meeting;
  lost += other.lost;
  near += other.near;
  near_culled += other.near_culled;
  apart += other.apart;
  culled += other.culled;
  empty += other.empty;
  culled_one_sided += other.culled_one_sided;
  lost_one_sided += other.lost_one_sided;
  return *this;
}

double CulledShare::share() const { return part_of(culled, apart); }
double CulledShare::share_drawn() const { return part_of(culled - empty, apart - empty); }

std::string to_string(const CulledShare& share) {
  std::string out = fmt::format(
      "{} pairs whose boxes overlap; {} meet, {} of them lost; {} within two pixels, {} culled; {} "
      "farther, {} culled ({:.1f} %, {:.1f} % of {} that have to be drawn)",
      share.boxes, share.meeting, share.lost, share.near, share.near_culled, share.apart,
      share.culled, 100.0 * share.share(), 100.0 * share.share_drawn(), share.apart - share.empty);
  if (share.culled_one_sided > 0) {
    out += fmt::format(", {} by one of six directions ({:.1f} %)", share.culled_one_sided,
                       100.0 * part_of(share.culled_one_sided, share.apart));
  }
  return out;
}

SlabQuestions::SlabQuestions(const Environment& environment, const scene::Clusters& clusters)
    : environment_(environment), clusters_(clusters) {
  const auto [lo, hi] = environment_.bounds();
  bounds_ = {lo, hi};
}

void SlabQuestions::add(const Avatar& avatar, const Step& step) {
  motion_.begin(avatar, step, 0.0, bounds_);
  for (std::size_t i = 0; i < motion_.link_count(); ++i) {
    if (!overlap(motion_.coarse_box(i), bounds_)) continue;
    const scene::SweptLink& link = motion_.link(i);
    const double reach = scene::graze_reach(link.motion, bounds_);
    for (std::int32_t p = 0; p < link.pieces; ++p) add_slab(scene::piece_slab(link, p, reach));
  }
}

void SlabQuestions::add_slab(const scene::Slab& slab) {
  skin_.set(slab);
  const auto index = static_cast<std::uint32_t>(batch_.slabs.size());
  const std::size_t pairs = batch_.pairs.size();
  clusters_.for_each_overlapping(box_of(skin_), [&](std::uint32_t cluster) {
    batch_.pairs.push_back({index, cluster});
  });
  if (batch_.pairs.size() == pairs) return;
  slabs_.push_back(slab);
  batch_.slabs.push_back({skin_.origin(), skin_.half(),
                          static_cast<std::uint32_t>(batch_.skin.size()),
                          static_cast<std::uint32_t>(skin_.triangles().size())});
  batch_.skin.insert(batch_.skin.end(), skin_.triangles().begin(), skin_.triangles().end());
}

CulledShare count_culled(const Environment& environment, const scene::Clusters& clusters,
                         const SlabQuestions& questions, const std::vector<gl::Seen>& seen,
                         const gl::VisibilityOptions& options) {
  CulledShare out;
  const bool one_sided = options.all_views && options.method == gl::Method::kFlags;
  const std::vector<gl::VisibilityPair>& pairs = questions.batch().pairs;
  scene::SlabSkin skin;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i == 0 || pairs[i].slab != pairs[i - 1].slab) questions.skin_of(pairs[i].slab, skin);
    const scene::Cluster& cluster = clusters.clusters()[pairs[i].cluster];
    const Lying how =
        lying(skin, environment, clusters.triangles().subspan(cluster.first, cluster.count),
              two_pixels(skin, std::min(options.width, options.height)));
    const std::uint64_t culled = gl::kept(seen[i]) ? 0 : 1;
    const std::uint64_t culled_one_sided = one_sided && !gl::kept_one_sided(seen[i]) ? 1 : 0;
    ++out.boxes;
    if (how.meets) {
      ++out.meeting;
      out.lost += culled;
      out.lost_one_sided += culled_one_sided;
    } else if (how.near) {
      ++out.near;
      out.near_culled += culled;
    } else {
      ++out.apart;
      out.culled += culled;
      if (how.empty) ++out.empty;
      out.culled_one_sided += culled_one_sided;
    }
  }
  return out;
}

Result<CulledShare> ask_and_count(gl::Visibility& visibility, const gl::VisibilityOptions& options,
                                  const Environment& environment, const scene::Clusters& clusters,
                                  const SlabQuestions& questions) {
  const auto room = visibility.upload(environment, clusters);
  if (!room) return room.error();
  std::vector<gl::Seen> seen;
  gl::VisibilityCounters counters;
  const Status done = visibility.test(*room.value(), questions.batch(), seen, counters);
  if (!done) return done.error();
  return count_culled(environment, clusters, questions, seen, options);
}

}  // namespace tocsin::test
