#include "io/nodes/room_builder.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "io/to_float.h"
#include "io/up_axis.h"

namespace tocsin::io {

void RoomBuilder::begin_object(std::string name) {
  objects_.emplace_back();
  objects_.back().name = std::move(name);
}

std::string RoomBuilder::begin_mesh(std::size_t vertices) {
  std::vector<Vec3f>& all = objects_.back().vertices;
  first_ = all.size();
  vertices_ = vertices;
  if (vertices > std::numeric_limits<std::uint32_t>::max() - first_) {
    return "more than 2^32 - 1 vertices";
  }
  all.reserve(first_ + vertices);
  return {};
}

void RoomBuilder::add_vertex(const Vec3& world) {
  const Vec3 metres =
      turned_up({unit_metres_ * world.x, unit_metres_ * world.y, unit_metres_ * world.z}, up_);
  objects_.back().vertices.push_back(to_float(
      turned_up({options_.scale * metres.x, options_.scale * metres.y, options_.scale * metres.z},
                options_.up)));
}

std::string RoomBuilder::add_face(std::span<const std::uint32_t> corners) {
  for (const std::uint32_t corner : corners) {
    if (corner < vertices_) continue;
    return fmt::format("index {} is out of range (the mesh has {} vertices)", corner, vertices_);
  }
  if (corners.empty()) ++empty_faces_;
  if (corners.size() == 1) ++points_;
  if (corners.size() == 2) ++lines_;
  if (corners.size() < 3) return {};
  triangles_ += corners.size() - 2;
  if (triangles_ > max_triangles_) {
    return fmt::format("meshes are used so often that they make more than {} triangles",
                       max_triangles_);
  }
  const auto placed = [this](std::uint32_t corner) {
    return static_cast<std::uint32_t>(first_ + corner);
  };
  for (std::size_t i = 2; i < corners.size(); ++i) {
    objects_.back().triangles.push_back(
        {placed(corners[0]), placed(corners[i - 1]), placed(corners[i])});
  }
  return {};
}

std::vector<std::string> RoomBuilder::warnings() const {
  std::vector<std::string> out;
  const auto left_out = [&](std::uint64_t count, std::string_view what) {
    if (count == 0) return;
    out.push_back(fmt::format("left out, as only triangles can be touched: {} {}{}", count, what,
                              count == 1 ? "" : "s"));
  };
  left_out(points_, "point");
  left_out(lines_, "line");
  left_out(empty_faces_, "empty face");
  left_out(corners_, "left-over corner");
  return out;
}

}  // namespace tocsin::io
