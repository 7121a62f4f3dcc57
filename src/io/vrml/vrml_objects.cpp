#include "io/vrml/vrml_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/text_scanner.h"
#include "io/to_float.h"
#include "scene/room/coordinate_limit.h"

namespace tocsin::io {

bool VrmlObjects::open(VrmlHolder& holder) {
  holder.object = objects_.size();
  bool changed = false;
  objects_.push_back({holder.order, {base::clean_name(holder.name, changed), {}, {}}});
  return changed;
}

std::string VrmlObjects::append(const VrmlMesh& mesh, const VrmlHolder& holder) {
  ObjectMesh& object = objects_[holder.object].mesh;
  const std::size_t first = object.vertices.size();
  if (first + mesh.points.size() > std::numeric_limits<std::uint32_t>::max()) {
    return "an object of more than 2^32 - 1 vertices";
  }
  for (const Vec3& p : mesh.points) {
    // Environment::create would refuse it too, but without a line.
    if (!scene::within_reach(p)) {
      return fmt::format("a point at ({}, {}, {}) m: further than {} m", p.x, p.y, p.z,
                         scene::kMaxCoordinate);
    }
    object.vertices.push_back(to_float(p));
  }
  const auto shifted = [first](std::uint32_t i) { return static_cast<std::uint32_t>(first + i); };
  for (const TriangleIndices& t : mesh.triangles) {
    object.triangles.push_back({shifted(t[0]), shifted(t[1]), shifted(t[2])});
  }
  return {};
}

std::vector<ObjectMesh> VrmlObjects::take() {
  std::sort(objects_.begin(), objects_.end(),
            [](const Ordered& a, const Ordered& b) { return a.order < b.order; });
  std::vector<ObjectMesh> out;
  out.reserve(objects_.size());
  for (Ordered& object : objects_) out.push_back(std::move(object.mesh));
  objects_.clear();
  return out;
}

}  // namespace tocsin::io
