#include "scene/solid/solids.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "scene/solid/edges.h"
#include "scene/tree/may_touch.h"

namespace tocsin::scene {
namespace {

/// Cells along the longest side. A room of 20 m has cells of 0.3 m: most points of its air, and of
/// the inside of its furniture, lie in cells without a surface. Twice as many: 8 times the memory.
constexpr double kMostAlong = 64.0;
/// Visits of cells by all solids together, at most, 2^24 or 0.1 s. With more (thousands of objects
/// that each reach through the room) cells are made larger.
constexpr std::uint64_t kMostVisits = std::uint64_t{1} << 24U;

/// Rows of cells that one solid's triangles are marked in, at most, some 0.1 s. Beyond, all cells
/// of its box count as cells with surface, which is slower to ask about, and no less right.
constexpr std::uint64_t kMostRows = std::uint64_t{1} << 25U;

double side(float low, float high) { return double{high} - double{low}; }

std::optional<Solid> solid_of(const Environment& environment, std::uint32_t object, bool& closed) {
  const Object& o = environment.objects()[object];
  std::vector<std::uint32_t> shells;
  closed = may_be_closed(environment, o) && count_edges(environment, o, &shells).closed();
  if (!closed) return std::nullopt;
  Solid out(environment, object, shells);
  if (out.triangles().empty()) return std::nullopt;
  return out;
}

}  // namespace

Solids::Solids(const Environment& environment) {
  const std::size_t count = environment.objects().size();
  kinds_.assign(count, Kind::kOpen);
  std::vector<std::optional<Solid>> found(count);
  tbb::parallel_for(std::size_t{0}, count, [&](std::size_t i) {
    bool closed = false;
    found[i] = solid_of(environment, static_cast<std::uint32_t>(i), closed);
    if (closed) kinds_[i] = found[i] ? Kind::kSolid : Kind::kHollow;
  });
  for (std::optional<Solid>& solid : found) {
    if (!solid) continue;
    box_ = core::join(box_, solid->box());
    solids_.push_back(*std::move(solid));
  }
  if (solids_.empty()) return;
  cut();
  fill(environment);
}

std::span<const std::uint32_t> Solids::shells(std::uint32_t object) const {
  const auto at = std::lower_bound(
      solids_.begin(), solids_.end(), object,
      [](const Solid& solid, std::uint32_t wanted) { return solid.object() < wanted; });
  if (at == solids_.end() || at->object() != object) return {};
  return at->triangles();
}

bool Solids::in_box(const Vec3& p) const {
  return double{box_.lo.x} <= p.x && p.x <= double{box_.hi.x} && double{box_.lo.y} <= p.y &&
         p.y <= double{box_.hi.y} && double{box_.lo.z} <= p.z && p.z <= double{box_.hi.z};
}

Solids::Range Solids::range_of(const core::Box& box) const {
  return {{x_.of(double{box.lo.x}), y_.of(double{box.lo.y}), z_.of(double{box.lo.z})},
          {x_.of(double{box.hi.x}), y_.of(double{box.hi.y}), z_.of(double{box.hi.z})}};
}

void Solids::cut() {
  const double x = side(box_.lo.x, box_.hi.x);
  const double y = side(box_.lo.y, box_.hi.y);
  const double z = side(box_.lo.z, box_.hi.z);
  for (double cell = std::max({x, y, z}) / kMostAlong;; cell *= 2.0) {
    const auto most = static_cast<std::uint32_t>(kMostAlong);
    x_ = Cut(double{box_.lo.x}, double{box_.hi.x}, cell, most);
    y_ = Cut(double{box_.lo.y}, double{box_.hi.y}, cell, most);
    z_ = Cut(double{box_.lo.z}, double{box_.hi.z}, cell, most);
    std::uint64_t visits = 0;
    for (const Solid& solid : solids_) {
      const Range r = range_of(solid.box());
      std::uint64_t cells = 1;
      for (std::size_t a = 0; a < 3; ++a) cells *= r.last[a] - r.first[a] + 1;
      visits += cells;
    }
    if (visits <= kMostVisits || x_.count() * y_.count() * z_.count() == 1) return;
  }
}

void Solids::enter(const Environment& environment, std::uint32_t solid,
                   std::vector<std::pair<std::size_t, Entry>>& out) const {
  const Solid& of = solids_[solid];
  const Range r = range_of(of.box());
  const std::size_t nx = r.last[0] - r.first[0] + 1;
  const std::size_t ny = r.last[1] - r.first[1] + 1;
  const std::size_t nz = r.last[2] - r.first[2] + 1;
  std::vector<std::uint8_t> surface(nx * ny * nz, 0);
  const auto place = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return ((z - r.first[2]) * ny + (y - r.first[1])) * nx + (x - r.first[0]);
  };
  std::uint64_t rows = 0;
  for (const std::uint32_t t : of.triangles()) {
    const Range q = range_of(box_of_corners(environment.corners(t)));
    rows += std::uint64_t{q.last[2] - q.first[2] + 1} * (q.last[1] - q.first[1] + 1);
    if (rows > kMostRows) {
      std::fill(surface.begin(), surface.end(), std::uint8_t{1});
      break;
    }
    for (std::uint32_t z = q.first[2]; z <= q.last[2]; ++z) {
      for (std::uint32_t y = q.first[1]; y <= q.last[1]; ++y) {
        std::fill_n(surface.begin() + static_cast<std::ptrdiff_t>(place(q.first[0], y, z)),
                    q.last[0] - q.first[0] + 1, std::uint8_t{1});
      }
    }
  }
  for (std::uint32_t z = r.first[2]; z <= r.last[2]; ++z) {
    for (std::uint32_t y = r.first[1]; y <= r.last[1]; ++y) {
      bool known = false;  // of the cells since the last one with surface
      bool inside = false;
      for (std::uint32_t x = r.first[0]; x <= r.last[0]; ++x) {
        const bool has_surface = surface[place(x, y, z)] != 0;
        if (has_surface) {
          known = false;
        } else if (!known) {
          known = true;
          inside = of.holds(environment, {x_.middle(x), y_.middle(y), z_.middle(z)});
        }
        if (has_surface || inside) {
          out.emplace_back(cell_of(x, y, z), solid << 1U | (has_surface ? 0U : 1U));
        }
      }
    }
  }
}

void Solids::fill(const Environment& environment) {
  std::vector<std::vector<std::pair<std::size_t, Entry>>> parts(solids_.size());
  tbb::parallel_for(std::size_t{0}, solids_.size(), [&](std::size_t i) {
    enter(environment, static_cast<std::uint32_t>(i), parts[i]);
  });
  begin_.assign(cell_of(x_.count() - 1, y_.count() - 1, z_.count() - 1) + 2, 0);
  for (const auto& part : parts) {
    for (const auto& [cell, entry] : part) ++begin_[cell + 1];
  }
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  entries_.resize(begin_.back());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (const auto& part : parts) {
    for (const auto& [cell, entry] : part) entries_[next[cell]++] = entry;
  }
}

}  // namespace tocsin::scene
