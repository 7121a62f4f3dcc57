#include "io/vrml/vrml_extrusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "io/import/affine.h"
#include "io/vrml/vrml_polygon.h"

namespace tocsin::io {
namespace {

constexpr std::array kSquare{1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0};
constexpr std::array kUpright{0.0, 0.0, 0.0, 0.0, 1.0, 0.0};

bool has_length(const Vec3& a) { return core::norm(a) > core::kLeastLength; }
Vec3 unit(const Vec3& a) { return (1.0 / core::norm(a)) * a; }

/// The plane of the cross-section at a spine point: y along the spine.
struct Plane {
  Vec3 x;
  Vec3 y;
  Vec3 z;
};

/// Fills in vectors without length from those before them, those at the start from the first that
/// has one. False if none has.
bool fill_gaps(std::vector<Vec3>& all) {
  const auto first = std::find_if(all.begin(), all.end(), has_length);
  if (first == all.end()) return false;
  std::fill(all.begin(), first, *first);
  for (auto at = all.begin() + 1; at != all.end(); ++at) {
    if (!has_length(*at)) *at = *(at - 1);
  }
  return true;
}

/// What turns (0, 1, 0) into `to` the short way; about x if it points down.
core::Mat3 turn_y_to(const Vec3& to) {
  // The rotation about (to.z, 0, -to.x), whose length is the sine; cosine to.y.
  core::Mat3 turn{{{1.0, 0.0, 0.0}, {0.0, to.y, 0.0}, {0.0, 0.0, to.y}}};
  const double square = to.x * to.x + to.z * to.z;
  if (square == 0.0) return turn;
  const double share = (1.0 - to.y) / square;
  turn.row[0] = {to.y + share * to.z * to.z, to.x, -share * to.x * to.z};
  turn.row[1] = {-to.x, to.y, -to.z};
  turn.row[2] = {-share * to.x * to.z, to.z, to.y + share * to.x * to.x};
  return turn;
}

/// As the standard says: y from the neighbours before and after, z at right angles to the bend,
/// taken over where there is no bend and never turning by more than a right angle; x = y cross z.
std::vector<Plane> planes(const std::vector<Vec3>& spine) {
  const std::size_t n = spine.size();
  const bool closed = spine.front() == spine.back();
  std::vector<Vec3> along(n);
  std::vector<Vec3> across(n);
  for (std::size_t i = 0; i < n; ++i) {
    const bool end = i == 0 || i + 1 == n;
    const Vec3& before = i > 0 ? spine[i - 1] : closed ? spine[n - 2] : spine[0];
    const Vec3& after = i + 1 < n ? spine[i + 1] : closed ? spine[1] : spine[n - 1];
    along[i] = after - before;
    if (!end || closed) across[i] = core::cross(after - spine[i], before - spine[i]);
  }
  if (n > 2 && !closed) {
    across.front() = across[1];
    across.back() = across[n - 2];
  }
  if (!fill_gaps(along)) along.assign(n, {0.0, 1.0, 0.0});
  const bool bends = fill_gaps(across);
  std::vector<Plane> out(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 y = unit(along[i]);
    if (!bends) {
      const core::Mat3 turn = turn_y_to(unit(along[0]));
      out[i] = {core::column(turn, 0), core::column(turn, 1), core::column(turn, 2)};
      continue;
    }
    Vec3 z = unit(across[i]);
    if (i > 0 && core::dot(z, out[i - 1].z) < 0.0) z = -z;
    out[i] = {core::cross(y, z), y, z};
  }
  return out;
}

/// The value at spine point i of a list with one for each, or one for all.
std::size_t value_at(std::size_t values, std::size_t i) { return std::min(i, values - 1); }

class Extruder {
 public:
  Extruder(const VrmlExtrusion& in, VrmlMesh& mesh, VrmlFaceCounts& counts)
      : in_(in), mesh_(mesh), counts_(counts) {
    section_ = in.cross_section.empty() ? std::span<const double>(kSquare) : in.cross_section;
    spine_given_ = in.spine.empty() ? std::span<const double>(kUpright) : in.spine;
    width_ = section_.size() / 2;
  }

  std::string read() {
    if (std::string fault = list_fault(); !fault.empty()) return fault;
    if (length() < 2 || width_ < 2) return {};
    spine_.reserve(length());
    for (std::size_t i = 0; i < spine_given_.size(); i += 3) {
      spine_.push_back({spine_given_[i], spine_given_[i + 1], spine_given_[i + 2]});
    }
    const std::size_t first_triangle = mesh_.triangles.size();
    if (std::string fault = add_rings(); !fault.empty()) return fault;
    add_sides();
    if (in_.begin_cap) add_cap(0, true);
    if (in_.end_cap) add_cap(spine_.size() - 1, false);
    if (!in_.ccw) turn_over(mesh_, first_triangle);
    return {};
  }

 private:
  /// Points of the spine.
  [[nodiscard]] std::size_t length() const { return spine_given_.size() / 3; }

  /// More values than points would do no harm; fewer, but not one, leave points without.
  [[nodiscard]] std::string list_fault() const {
    const auto fits = [&](std::size_t values) { return values < 2 || values >= length(); };
    if (!fits(in_.scale.size() / 2) || !fits(in_.orientation.size() / 4)) {
      return fmt::format("{} scales and {} orientations for {} spine points", in_.scale.size() / 2,
                         in_.orientation.size() / 4, length());
    }
    if (length() > kMaxExtrusionPoints / std::max<std::size_t>(width_, 1)) {
      return fmt::format("a crossSection of {} along a spine of {}: more than {} points", width_,
                         length(), kMaxExtrusionPoints);
    }
    if (!in_.convex && width_ > kMaxConcaveCorners) {
      return fmt::format("a crossSection of {} points with convex FALSE: at most {} are possible",
                         width_, kMaxConcaveCorners);
    }
    return {};
  }

  std::string add_rings() {
    const std::vector<Plane> at = planes(spine_);
    first_ = static_cast<std::uint32_t>(mesh_.points.size());
    for (std::size_t i = 0; i < spine_.size(); ++i) {
      core::Mat3 turn = kIdentity;
      if (!in_.orientation.empty()) {
        const double* const o = &in_.orientation[4 * value_at(in_.orientation.size() / 4, i)];
        if (!vrml_rotation({o[0], o[1], o[2]}, o[3], turn)) {
          return fmt::format("orientation {}: {} {} {} {} is no rotation", i + 1, o[0], o[1], o[2],
                             o[3]);
        }
      }
      std::array<double, 2> scale{1.0, 1.0};
      if (!in_.scale.empty()) {
        const std::size_t k = 2 * value_at(in_.scale.size() / 2, i);
        scale = {in_.scale[k], in_.scale[k + 1]};
      }
      for (std::size_t j = 0; j < width_; ++j) {
        const Vec3 p = turn * Vec3{scale[0] * section_[2 * j], 0.0, scale[1] * section_[2 * j + 1]};
        mesh_.points.push_back(spine_[i] + (p.x * at[i].x + (p.y * at[i].y + p.z * at[i].z)));
      }
    }
    return {};
  }

  [[nodiscard]] std::uint32_t vertex(std::size_t ring, std::size_t j) const {
    return static_cast<std::uint32_t>(first_ + ring * width_ + j);
  }

  void add_sides() {
    for (std::size_t i = 0; i + 1 < spine_.size(); ++i) {
      for (std::size_t j = 0; j + 1 < width_; ++j) {
        mesh_.triangles.push_back({vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1)});
        mesh_.triangles.push_back({vertex(i, j), vertex(i + 1, j + 1), vertex(i + 1, j)});
      }
    }
  }

  /// The cross-section as a face; closed, whether its last point repeats the first or not.
  void add_cap(std::size_t ring, bool turned) {
    const bool closed =
        section_[0] == section_[2 * width_ - 2] && section_[1] == section_[2 * width_ - 1];
    const std::size_t corners = closed ? width_ - 1 : width_;
    if (corners < 3) return;
    std::vector<std::uint32_t> face;
    for (std::size_t j = 0; j < corners; ++j) face.push_back(vertex(ring, j));
    if (turned) std::reverse(face.begin(), face.end());
    if (!in_.convex) {
      if (!cut_polygon(mesh_.points, face, mesh_.triangles)) ++counts_.crossing_faces;
      return;
    }
    for (std::size_t j = 2; j < corners; ++j) {
      mesh_.triangles.push_back({face[0], face[j - 1], face[j]});
    }
  }

  const VrmlExtrusion& in_;
  VrmlMesh& mesh_;
  VrmlFaceCounts& counts_;
  std::span<const double> section_;
  std::span<const double> spine_given_;
  std::vector<Vec3> spine_;  ///< the same, once it is known to be of use
  std::size_t width_ = 0;    ///< points of the cross-section
  std::uint32_t first_ = 0;
};

}  // namespace

std::string read_vrml_extrusion(const VrmlExtrusion& extrusion, VrmlMesh& mesh,
                                VrmlFaceCounts& counts) {
  return Extruder(extrusion, mesh, counts).read();
}

}  // namespace tocsin::io
