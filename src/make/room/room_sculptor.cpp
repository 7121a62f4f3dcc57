#include "make/room/room_sculptor.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "make/random.h"

namespace tocsin::make {
namespace {

using core::clamp_to;

/// Metres: at this grain and below, shelves are full. Coarser rooms have fewer books and no
/// cutlery; larger, and rooms of 100,000 triangles spend more on books and less on shapes.
constexpr double kFullGrain = 0.03;
/// Of the small things, that are there in the coarsest room.
constexpr double kLeastFullness = 0.03;
/// The range of fullness in which trimmings come.
constexpr double kFirstTrimmings = 0.05;
constexpr double kLastTrimmings = 0.18;
/// At least as many segment counts as a cushion takes.
constexpr std::uint64_t kCountsOfCushion = 8;

/// One axis of a cushion: `round` cells in each rounded end and `middle` cells between.
struct CushionAxis {
  double half = 0.0;
  double radius = 0.0;
  int round = 1;
  int middle = 1;

  [[nodiscard]] int cells() const { return 2 * round + middle; }
  [[nodiscard]] double at(int i) const {
    const double inner = half - radius;
    if (i <= round) return -half + radius * i / round;
    if (i >= round + middle) return inner + radius * (i - round - middle) / round;
    return -inner + 2.0 * inner * (i - round) / middle;
  }
};

/// How far a point of a cushion's skin sinks: nothing at the crown, `puff` at the rim, and dents.
double sink(const Cushion& c, const Vec3& p, const Vec3& half, const Vec3& normal) {
  if (c.puff == 0.0) return 0.0;
  const auto rim = [](double x, double h) { return (x / h) * (x / h) * (x / h) * (x / h); };
  // Each side is flat along its own normal; only the other two axes say how near the rim is.
  const double weight_x = 1.0 - std::fabs(normal.x);
  const double weight_y = 1.0 - std::fabs(normal.y);
  const double weight_z = 1.0 - std::fabs(normal.z);
  const double edge =
      weight_x * rim(p.x, half.x) + weight_y * rim(p.y, half.y) + weight_z * rim(p.z, half.z);
  double depth = 0.5 * std::min(edge, 1.0);
  if (c.dents > 0.0) {
    depth += 0.25 *
             (2.0 + wave(c.dents * (p.x + 0.3 * p.z)) * wave(c.dents * (p.z + p.y)) +
              wave(2.3 * c.dents * (p.x - p.y)) * wave(2.9 * c.dents * p.z)) *
             0.5;
  }
  return c.puff * depth;
}

}  // namespace

double trimmings_from(std::uint64_t number) {
  return kFirstTrimmings + (kLastTrimmings - kFirstTrimmings) * unit_interval(hash_bits(~number));
}

void Sculptor::start(std::uint64_t number) {
  salt_ = hash_bits(number + kGoldenGamma);
  trimmings_from_ = trimmings_from(number);
}

int Sculptor::segments(double length, int least, int most) {
  salt_ += kGoldenGamma;
  const double wanted = length / grain_ + unit_interval(hash_bits(salt_));
  return static_cast<int>(clamp_to(std::floor(wanted), least, most));
}

double Sculptor::fullness() const {
  return kLeastFullness + (1.0 - kLeastFullness) * std::min(1.0, kFullGrain / grain_);
}

void Sculptor::reserve(std::uint64_t vertices, std::uint64_t triangles) {
  // Only for what is large: a vector that grows by exact steps would copy itself each time.
  if (triangles < 10'000) return;
  mesh_->vertices.reserve(mesh_->vertices.size() + vertices);
  mesh_->triangles.reserve(mesh_->triangles.size() + triangles);
}

void Sculptor::add_vertex(const Frame& at, const Vec3& p) {
  const Vec3 v = at * p;
  mesh_->vertices.push_back(
      {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
}

void Sculptor::add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  mesh_->triangles.push_back({a, b, c});
}

void Sculptor::add_quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  add_triangle(a, b, c);
  add_triangle(a, c, d);
}

void Sculptor::add_lattice_faces(int nx, int ny, int nz, std::uint32_t first) {
  const int full = (nx + 1) * (nz + 1);
  const int rim = 2 * (nx + nz);
  const auto index = [&](int i, int j, int k) {
    int local = 0;
    if (j == 0) {
      local = k * (nx + 1) + i;
    } else if (j == ny) {
      local = full + (ny - 1) * rim + k * (nx + 1) + i;
    } else {
      local = full + (j - 1) * rim;
      if (k == 0) {
        local += i;
      } else if (i == nx) {
        local += nx + k;
      } else if (k == nz) {
        local += nx + nz + (nx - i);
      } else {
        local += 2 * nx + nz + (nz - k);
      }
    }
    return first + static_cast<std::uint32_t>(local);
  };
  for (int k = 0; k < nz; ++k) {
    for (int i = 0; i < nx; ++i) {
      add_quad(index(i, 0, k), index(i + 1, 0, k), index(i + 1, 0, k + 1), index(i, 0, k + 1));
      add_quad(index(i, ny, k), index(i, ny, k + 1), index(i + 1, ny, k + 1), index(i + 1, ny, k));
    }
  }
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      add_quad(index(i, j, 0), index(i, j + 1, 0), index(i + 1, j + 1, 0), index(i + 1, j, 0));
      add_quad(index(i, j, nz), index(i + 1, j, nz), index(i + 1, j + 1, nz), index(i, j + 1, nz));
    }
    for (int k = 0; k < nz; ++k) {
      add_quad(index(0, j, k), index(0, j, k + 1), index(0, j + 1, k + 1), index(0, j + 1, k));
      add_quad(index(nx, j, k), index(nx, j + 1, k), index(nx, j + 1, k + 1), index(nx, j, k + 1));
    }
  }
}

void Sculptor::box(const Frame& at, const Vec3& low, const Vec3& high) {
  lattice(at, 1, 1, 1, [&](int i, int j, int k) {
    return Vec3{i == 0 ? low.x : high.x, j == 0 ? low.y : high.y, k == 0 ? low.z : high.z};
  });
}

void Sculptor::cushion(const Frame& at, const Cushion& c) {
  const Vec3 size = c.high - c.low;
  const double scale = c.finer;
  // However many counts this one takes, the next part's are rounded as they would be otherwise:
  // else one cushion's change of shape would be all cushions' change.
  const std::uint64_t next_salt = salt_ + kCountsOfCushion * kGoldenGamma;
  // What swells does so from the grain on that shows it, and not only from the one that shows its
  // rounded edges: it would have thousands of triangles at once.
  const double longest = std::max({size.x, size.y, size.z});
  const int round = segments(1.5 * c.radius * scale, 0, 64);
  if (round == 0 && (c.puff == 0.0 || segments(0.5 * longest * scale, 0, 1) == 0)) {
    box(at, c.low, c.high);
    salt_ = next_salt;
    return;
  }
  const Frame centre = moved(at, 0.5 * (c.low + c.high));
  const Vec3 half = 0.5 * size;
  const auto axis = [&](double h) {
    const int middle = c.puff == 0.0 ? 1 : segments(2.0 * (h - c.radius) * scale, 1, 4000);
    return CushionAxis{h, c.radius, std::max(round, 1), middle};
  };
  const CushionAxis x = axis(half.x);
  const CushionAxis y = axis(half.y);
  const CushionAxis z = axis(half.z);
  salt_ = next_salt;
  lattice(centre, x.cells(), y.cells(), z.cells(), [&](int i, int j, int k) {
    const Vec3 p{x.at(i), y.at(j), z.at(k)};
    const auto inner = [&](double v, double h) { return clamp_to(v, c.radius - h, h - c.radius); };
    const Vec3 core{inner(p.x, half.x), inner(p.y, half.y), inner(p.z, half.z)};
    const Vec3 normal = unit_vector(p - core);
    return core + (c.radius - sink(c, p, half, normal)) * normal;
  });
}

void Sculptor::add_rings(int sides, int rings, bool loop, std::uint32_t first) {
  const auto index = [&](int ring, int side) {
    return first + static_cast<std::uint32_t>((ring % rings) * sides + side % sides);
  };
  for (int r = 0; r < (loop ? rings : rings - 1); ++r) {
    for (int s = 0; s < sides; ++s) {
      add_quad(index(r, s), index(r + 1, s), index(r + 1, s + 1), index(r, s + 1));
    }
  }
}

void Sculptor::rod(const Frame& at, const Vec3& from, const Vec3& to, double radius,
                   double end_radius) {
  tube(at, {.path = {from, to}, .radius = radius, .end_radius = end_radius});
}

void Sculptor::ring(const Frame& at, const Vec3& low, const Vec3& high, double border) {
  triangles_ += 32;
  if (mesh_ == nullptr) return;
  const std::uint32_t first = next_vertex();
  const std::array<Vec3, 4> corners{
      {{low.x, low.y, 0.0}, {low.x, high.y, 0.0}, {high.x, high.y, 0.0}, {high.x, low.y, 0.0}}};
  const Vec3 middle = 0.5 * (low + high);
  for (const Vec3& c : corners) {
    const double in_x = c.x < middle.x ? border : -border;
    const double in_y = c.y < middle.y ? border : -border;
    add_vertex(at, {c.x, c.y, high.z});
    add_vertex(at, {c.x, c.y, low.z});
    add_vertex(at, {c.x + in_x, c.y + in_y, low.z});
    add_vertex(at, {c.x + in_x, c.y + in_y, high.z});
  }
  add_rings(4, 4, true, first);
}

void Sculptor::ball(const Frame& at, double radius, double finer) {
  // Eight points of a meridian; the curve between them is a circle to 1 %.
  Turning turning;
  turning.finer = finer;
  for (int i = 0; i <= 6; ++i) {
    const core::SinCos a = core::sincos_degrees(30.0 * i);
    turning.profile.push_back({i == 0 || i == 6 ? 0.0 : radius * a.sin, -radius * a.cos});
  }
  turn(at, turning);
}

void Sculptor::panel(const Frame& at, const std::vector<double>& x_cuts,
                     const std::vector<double>& y_cuts, double thickness,
                     const std::vector<std::vector<bool>>& filled) {
  const int columns = static_cast<int>(x_cuts.size()) - 1;
  const int rows = static_cast<int>(y_cuts.size()) - 1;
  const auto is_filled = [&](int c, int r) {
    return c >= 0 && r >= 0 && c < columns && r < rows &&
           filled[static_cast<std::size_t>(c)][static_cast<std::size_t>(r)];
  };
  const std::uint32_t first = mesh_ != nullptr ? next_vertex() : 0;
  if (mesh_ != nullptr) {
    for (const double x : x_cuts) {
      for (const double y : y_cuts) {
        add_vertex(at, {x, y, 0.0});
        add_vertex(at, {x, y, thickness});
      }
    }
  }
  const auto index = [&](int c, int r, int back) {
    return first + static_cast<std::uint32_t>(2 * (c * (rows + 1) + r) + back);
  };
  const auto quad = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    triangles_ += 2;
    if (mesh_ != nullptr) add_quad(a, b, c, d);
  };
  for (int c = 0; c < columns; ++c) {
    for (int r = 0; r < rows; ++r) {
      if (!is_filled(c, r)) continue;
      quad(index(c, r, 0), index(c, r + 1, 0), index(c + 1, r + 1, 0), index(c + 1, r, 0));
      quad(index(c, r, 1), index(c + 1, r, 1), index(c + 1, r + 1, 1), index(c, r + 1, 1));
      if (!is_filled(c - 1, r)) {
        quad(index(c, r, 0), index(c, r, 1), index(c, r + 1, 1), index(c, r + 1, 0));
      }
      if (!is_filled(c + 1, r)) {
        quad(index(c + 1, r, 0), index(c + 1, r + 1, 0), index(c + 1, r + 1, 1),
             index(c + 1, r, 1));
      }
      if (!is_filled(c, r - 1)) {
        quad(index(c, r, 0), index(c + 1, r, 0), index(c + 1, r, 1), index(c, r, 1));
      }
      if (!is_filled(c, r + 1)) {
        quad(index(c, r + 1, 0), index(c, r + 1, 1), index(c + 1, r + 1, 1),
             index(c + 1, r + 1, 0));
      }
    }
  }
}

}  // namespace tocsin::make
