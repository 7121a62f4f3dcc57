// The shapes that a made room consists of, at any fineness.
//
// Furniture is written once, as calls to a Sculptor. The same calls either only count triangles or
// build them. So the generator can search for the grain that gives the wanted number without making
// a vertex, and then builds every object once.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "make/room/room_frame.h"
#include "tocsin/environment.h"

namespace tocsin::make {

/// A point of a turned profile: distance from the axis, height. Metres.
struct ProfilePoint {
  double radius = 0.0;
  double height = 0.0;
};

/// A solid of revolution about the y axis. The profile runs upwards on the outside, and for a
/// hollow solid down again on the inside. Its ends lie on the axis (radius 0), or it is a loop.
struct Turning {
  std::vector<ProfilePoint> profile;
  bool smooth = true;  ///< a curve through the points, else straight lines between them
  bool loop = false;   ///< the last point joins the first: a ring
  double finer = 1.0;  ///< how many times finer than the grain; above 1 for ornaments
};

/// A tube of round section along a path.
struct Tubing {
  std::vector<Vec3> path;   ///< metres; successive points differ
  double radius = 0.01;     ///< metres, at the start
  double end_radius = 0.0;  ///< metres, at the end; 0: the same
  bool loop = false;        ///< the last point joins the first
  Vec3 centre{};            ///< of a loop: where the section's x axis points away from
  double finer = 1.0;       ///< as in Turning
  int least_sides = 4;
};

/// A box whose edges are rounded as far as the grain shows it; plain where it does not.
struct Cushion {
  Vec3 low;
  Vec3 high;
  double radius = 0.02;  ///< metres; of the edges; less than half of each side
  double puff = 0.0;     ///< metres; how far its broad sides sink towards the rim and in dents
  double dents = 0.0;    ///< per metre, of the dents; 0: none
  double finer = 1.0;    ///< as in Turning
};

/// The object with this number has its trimmings from this fullness on. A room of about 10,000
/// triangles is bare, one of 20,000 is not. The values are spread: with one value for all objects
/// the count would make one large step, and sizes in between could not be made.
double trimmings_from(std::uint64_t number);

class Sculptor {
 public:
  /// Counts. `grain`: the length of edge, metres, that curved surfaces have; below 0.2 mm nothing
  /// gets finer.
  explicit Sculptor(double grain) : grain_(grain) {}
  /// Counts and builds.
  Sculptor(double grain, ObjectMesh& mesh) : grain_(grain), mesh_(&mesh) {}

  /// Begins the object with this number in its house. The number decides on which side segment
  /// counts are rounded, so that a house's count grows in small steps although many chairs are
  /// equal.
  void start(std::uint64_t number);
  /// Segments for a curve of this length, between least and most.
  int segments(double length, int least, int most);
  /// The share of small objects that exist, from 0 (coarsest) to 1.
  [[nodiscard]] double fullness() const;
  /// True if the object shows handles, fields of doors and the like.
  [[nodiscard]] bool has_trimmings() const { return fullness() >= trimmings_from_; }
  [[nodiscard]] std::uint64_t triangles() const { return triangles_; }

  // Each of these is a closed surface with outward winding.
  void box(const Frame& at, const Vec3& low, const Vec3& high);
  void cushion(const Frame& at, const Cushion& cushion);
  void turn(const Frame& at, const Turning& turning);
  void tube(const Frame& at, const Tubing& tubing);
  /// A straight tube.
  void rod(const Frame& at, const Vec3& from, const Vec3& to, double radius, double end_radius = 0);
  /// A rectangular frame with mitred corners, `border` wide: 32 triangles. z as in the corners.
  void ring(const Frame& at, const Vec3& low, const Vec3& high, double border);
  void ball(const Frame& at, double radius, double finer);
  /// A wall of cells between the cuts (rising): along x, up y, from z = 0 to `thickness`.
  /// `filled[column][row]`. Filled cells must not touch at corners only.
  void panel(const Frame& at, const std::vector<double>& x_cuts, const std::vector<double>& y_cuts,
             double thickness, const std::vector<std::vector<bool>>& filled);

  /// The surface of nx x ny x nz cells, bent by `map(i, j, k)` -> own coordinates. The map must not
  /// mirror. 4 (nx ny + ny nz + nz nx) triangles.
  template <class Map>
  void lattice(const Frame& at, int nx, int ny, int nz, const Map& map);
  /// An open sheet of nu x nv cells, `map(i, j)`; its front is where v cross u points.
  template <class Map>
  void sheet(const Frame& at, int nu, int nv, const Map& map);

 private:
  std::uint32_t next_vertex() const { return static_cast<std::uint32_t>(mesh_->vertices.size()); }
  void add_vertex(const Frame& at, const Vec3& p);
  void add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c);
  void add_quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d);
  void reserve(std::uint64_t vertices, std::uint64_t triangles);
  void add_lattice_faces(int nx, int ny, int nz, std::uint32_t first);
  void add_rings(int sides, int rings, bool loop, std::uint32_t first);

  double grain_;
  ObjectMesh* mesh_ = nullptr;
  std::uint64_t salt_ = 0;
  double trimmings_from_ = 0.0;
  std::uint64_t triangles_ = 0;
};

template <class Map>
void Sculptor::lattice(const Frame& at, int nx, int ny, int nz, const Map& map) {
  const auto wide = [](int n) { return static_cast<std::uint64_t>(n); };
  const std::uint64_t faces = wide(nx) * wide(ny) + wide(ny) * wide(nz) + wide(nz) * wide(nx);
  triangles_ += 4 * faces;
  if (mesh_ == nullptr) return;
  reserve(2 * faces + 2, 4 * faces);
  const std::uint32_t first = next_vertex();
  for (int j = 0; j <= ny; ++j) {
    if (j == 0 || j == ny) {
      for (int k = 0; k <= nz; ++k) {
        for (int i = 0; i <= nx; ++i) add_vertex(at, map(i, j, k));
      }
      continue;
    }
    // Around the rim, in the order that add_lattice_faces knows.
    for (int i = 0; i <= nx; ++i) add_vertex(at, map(i, j, 0));
    for (int k = 1; k <= nz; ++k) add_vertex(at, map(nx, j, k));
    for (int i = nx - 1; i >= 0; --i) add_vertex(at, map(i, j, nz));
    for (int k = nz - 1; k >= 1; --k) add_vertex(at, map(0, j, k));
  }
  add_lattice_faces(nx, ny, nz, first);
}

template <class Map>
void Sculptor::sheet(const Frame& at, int nu, int nv, const Map& map) {
  const auto cells = static_cast<std::uint64_t>(nu) * static_cast<std::uint64_t>(nv);
  triangles_ += 2 * cells;
  if (mesh_ == nullptr) return;
  reserve(static_cast<std::uint64_t>(nu + 1) * static_cast<std::uint64_t>(nv + 1), 2 * cells);
  const std::uint32_t first = next_vertex();
  for (int j = 0; j <= nv; ++j) {
    for (int i = 0; i <= nu; ++i) add_vertex(at, map(i, j));
  }
  const auto index = [&](int i, int j) {
    return first + static_cast<std::uint32_t>(j * (nu + 1) + i);
  };
  for (int j = 0; j < nv; ++j) {
    for (int i = 0; i < nu; ++i) {
      add_quad(index(i, j), index(i, j + 1), index(i + 1, j + 1), index(i + 1, j));
    }
  }
}

/// A smooth wave of period 1 between -1 and 1: parabolas in place of a sine, as only shape matters.
inline double wave(double x) {
  const double f = x - std::floor(x);
  const double half = f < 0.5 ? 2.0 * f : 2.0 * f - 1.0;
  const double hump = 4.0 * half * (1.0 - half);
  return f < 0.5 ? hump : -hump;
}

}  // namespace tocsin::make
