#include "io/ply/ply_roles.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/quoted.h"

namespace tocsin::io {
namespace {

PlyMeaning meaning_of(std::string_view name) {
  if (name == "vertex") return PlyMeaning::kVertices;
  if (name == "face") return PlyMeaning::kFaces;
  if (name == "tristrips") return PlyMeaning::kStrips;
  if (name == "edge") return PlyMeaning::kEdges;
  return PlyMeaning::kOther;
}

/// Finds x, y and z. Empty, or what is wrong.
std::string find_coordinates(PlyRole& role) {
  constexpr std::array<std::string_view, 3> kAxes{"x", "y", "z"};
  const std::vector<PlyProperty>& properties = role.element->properties;
  std::array<bool, 3> found{};
  for (std::size_t i = 0; i < properties.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (properties[i].name != kAxes[axis]) continue;
      if (found[axis]) return fmt::format("a second property {}", kAxes[axis]);
      if (properties[i].count_type) return fmt::format("{} is a list", kAxes[axis]);
      found[axis] = true;
      role.xyz[axis] = i;
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!found[axis]) return fmt::format("lacks the property {}", kAxes[axis]);
  }
  return {};
}

/// Finds the list of vertex numbers. Empty, or what is wrong.
std::string find_indices(PlyRole& role) {
  const std::vector<PlyProperty>& properties = role.element->properties;
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < properties.size(); ++i) {
    const PlyProperty& property = properties[i];
    if (property.name != "vertex_indices" && property.name != "vertex_index") continue;
    if (found) return "a second list of vertex_indices";
    if (!property.count_type || !is_integer(property.type)) {
      return fmt::format("{} must be a list of integers", property.name);
    }
    found = i;
  }
  if (!found) return "lacks the property vertex_indices";
  role.indices = *found;
  return {};
}

std::string find_properties(PlyRole& role) {
  if (role.element->count == 0) return {};
  if (role.meaning == PlyMeaning::kVertices) return find_coordinates(role);
  if (role.meaning == PlyMeaning::kFaces || role.meaning == PlyMeaning::kStrips) {
    return find_indices(role);
  }
  return {};
}

}  // namespace

Result<PlyRoles> ply_roles(const PlyHeader& header) {
  PlyRoles out;
  std::array<bool, 3> seen{};
  for (const PlyElement& element : header.elements) {
    PlyRole role{&element, meaning_of(element.name), {}, 0};
    std::string fault = find_properties(role);
    if (const auto which = static_cast<std::size_t>(role.meaning); which < seen.size()) {
      if (seen[which]) fault = "the element comes twice";
      seen[which] = true;
    }
    if (!fault.empty()) {
      return {ErrorCode::kInput,
              fmt::format("line {}: {}: {}", element.line, base::in_quotes(element.name), fault)};
    }
    if (role.meaning == PlyMeaning::kVertices) out.vertices = element.count;
    out.roles.push_back(role);
  }
  return out;
}

}  // namespace tocsin::io
