// Questions that tests ask of a room.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tocsin/environment.h"

namespace tocsin::test {

using Corners = std::array<Vec3f, 3>;

/// All triangles of one object; none if there is no such object.
inline std::vector<Corners> triangles_of(const Environment& environment, const std::string& name) {
  std::vector<Corners> out;
  for (const Object& object : environment.objects()) {
    if (object.name != name) continue;
    for (std::uint32_t i = 0; i < object.triangle_count; ++i) {
      out.push_back(environment.corners(object.first_triangle + i));
    }
  }
  return out;
}

/// The objects' names, in order.
inline std::vector<std::string> object_names(const Environment& environment) {
  std::vector<std::string> out;
  for (const Object& object : environment.objects()) out.push_back(object.name);
  return out;
}

/// True if a warning contains this.
inline bool warns(const Environment& environment, const std::string& part) {
  for (const std::string& warning : environment.warnings()) {
    if (warning.find(part) != std::string::npos) return true;
  }
  return false;
}

/// All warnings, a line each.
inline std::string all_warnings(const Environment& environment) {
  std::string out;
  for (const std::string& warning : environment.warnings()) out += warning + '\n';
  return out;
}

}  // namespace tocsin::test
