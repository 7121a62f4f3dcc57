#include "devices/gl/slab_requests.h"

#include <algorithm>
#include <cmath>

#include "core/bounds/near_test.h"

namespace tocsin::devices {

namespace {

using core::detail::to_float;

/// A skin that is flat along an axis still has a view along it.
constexpr float kLeastHalf = 0x1p-40F;  // metres

float half_of(float lo, float hi) {
  return std::max(core::float_above(0.5 * (static_cast<double>(hi) - static_cast<double>(lo))),
                  kLeastHalf);
}

}  // namespace

void SlabRequests::clear() {
  batch.slabs.clear();
  batch.skin.clear();
  batch.pairs.clear();
  owners.clear();
}

void SlabRequests::append(const SlabRequests& other) {
  const auto first_slab = static_cast<std::uint32_t>(batch.slabs.size());
  const auto first_triangle = static_cast<std::uint32_t>(batch.skin.size());
  for (gl::VisibilitySlab slab : other.batch.slabs) {
    slab.first_triangle += first_triangle;
    batch.slabs.push_back(slab);
  }
  batch.skin.insert(batch.skin.end(), other.batch.skin.begin(), other.batch.skin.end());
  for (gl::VisibilityPair pair : other.batch.pairs) {
    pair.slab += first_slab;
    batch.pairs.push_back(pair);
  }
  owners.insert(owners.end(), other.owners.begin(), other.owners.end());
}

void SlabRequests::add_slab(const SlabOwner& owner, const Vec3f& origin, const Vec3f& half,
                            std::size_t triangles, std::span<const std::uint32_t> clusters) {
  const auto slab = static_cast<std::uint32_t>(batch.slabs.size());
  batch.slabs.push_back({origin, half, static_cast<std::uint32_t>(batch.skin.size()),
                         static_cast<std::uint32_t>(triangles)});
  for (const std::uint32_t cluster : clusters) batch.pairs.push_back({slab, cluster});
  owners.push_back(owner);
}

void SlabRequests::add(const SlabOwner& owner, const scene::SlabSkin& skin,
                       std::span<const std::uint32_t> clusters) {
  if (clusters.empty()) return;
  add_slab(owner, skin.origin(), skin.half(), skin.triangles().size(), clusters);
  batch.skin.insert(batch.skin.end(), skin.triangles().begin(), skin.triangles().end());
}

void SlabRequests::add(const SlabOwner& owner, const scene::SweptSurface& surface,
                       std::size_t group, const Vec3& ref,
                       std::span<const std::uint32_t> clusters) {
  const std::uint32_t begin = surface.slab_begin[group];
  const std::uint32_t end = surface.slab_begin[group + 1];
  if (clusters.empty() || begin == end) return;
  const core::Box box = box_of(surface, group, ref);
  const Vec3f origin = to_float(0.5 * (core::to_double(box.lo) + core::to_double(box.hi)));
  const Vec3 shift = ref - core::to_double(origin);
  // Twice the rounding of the centre and the corners fits into the half added.
  const Vec3f half{1.001F * half_of(box.lo.x, box.hi.x), 1.001F * half_of(box.lo.y, box.hi.y),
                   1.001F * half_of(box.lo.z, box.hi.z)};
  add_slab(owner, origin, half, end - begin, clusters);
  for (std::uint32_t i = begin; i < end; ++i) {
    gl::SkinTriangle triangle;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      triangle[corner] = to_float(surface.positions[surface.triangles[i][corner]] + shift);
    }
    batch.skin.push_back(triangle);
  }
}

core::Box box_of(const scene::SlabSkin& skin) {
  const Vec3 origin = core::to_double(skin.origin());
  const Vec3 half = core::to_double(skin.half());
  return core::grown_box(origin - half, origin + half, 0.0);
}

core::Box box_of(const scene::SweptSurface& surface, std::size_t group, const Vec3& ref) {
  core::Box box;
  for (std::uint32_t i = surface.slab_begin[group]; i < surface.slab_begin[group + 1]; ++i) {
    for (const std::uint32_t corner : surface.triangles[i]) {
      const Vec3 p = surface.positions[corner] + ref;
      box = core::join(box, core::grown_box(p, p, 0.0));
    }
  }
  return box;
}

}  // namespace tocsin::devices
