// The objects of a room, while a reader unfolds a file's nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/environment.h"
#include "tocsin/io.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// Gathers vertices and faces; the functions are called in the file's order.
class RoomBuilder {
 public:
  /// `unit_metres`, `up`: what the file states; after that come the options' scale and up axis.
  /// `options` must outlive this object. `max_triangles`: in all.
  RoomBuilder(double unit_metres, UpAxis up, const EnvironmentOptions& options,
              std::uint64_t max_triangles)
      : unit_metres_(unit_metres), up_(up), options_(options), max_triangles_(max_triangles) {}

  /// Begins an object. Vertices and faces belong to the one that was begun last.
  void begin_object(std::string name);
  [[nodiscard]] const std::string& object_name() const { return objects_.back().name; }

  /// Begins a mesh of that many vertices: faces count their corners from its first one. Empty, or
  /// what is wrong.
  std::string begin_mesh(std::size_t vertices);
  /// Appends a vertex, in the file's unit and axes. It is taken to metres and Y up in double and
  /// rounded to floats once. An infinite one is refused later, with the object's name.
  void add_vertex(const Vec3& world);
  /// Appends a polygon, fanned from its first corner; one of two corners is a line, of one a point,
  /// which are counted and left out. Empty, or what is wrong: a corner out of range, too many
  /// triangles.
  std::string add_face(std::span<const std::uint32_t> corners);

  /// Counts corners at the end of a list of triangles that make no whole one.
  void leave_out_corners(std::uint64_t count) { corners_ += count; }

  [[nodiscard]] std::uint64_t triangles() const { return triangles_; }
  std::vector<ObjectMesh> take_objects() { return std::move(objects_); }
  /// What was left out, with counts.
  [[nodiscard]] std::vector<std::string> warnings() const;

 private:
  double unit_metres_;
  UpAxis up_;
  const EnvironmentOptions& options_;
  std::uint64_t max_triangles_;
  std::vector<ObjectMesh> objects_;
  std::size_t first_ = 0;     ///< the mesh's first vertex in its object
  std::size_t vertices_ = 0;  ///< that the mesh will have
  std::uint64_t triangles_ = 0;
  std::uint64_t points_ = 0;
  std::uint64_t lines_ = 0;
  std::uint64_t empty_faces_ = 0;
  std::uint64_t corners_ = 0;
};

}  // namespace tocsin::io
