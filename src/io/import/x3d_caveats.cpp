#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "io/import/nesting.h"
#include "io/import/room_caveats.h"

namespace tocsin::io {
namespace {

enum class CaveatKind : std::uint8_t {
  kSphere,
  kSlit,
  kDisk,
  kGroup,
  kGeometry,
  kPrototype,
  kInline,
  kUnit,
  kCount,
};

struct Element {
  std::string_view name;
  CaveatKind kind;
};

// What assimp 5.2 did with a file that holds one of each. What is not here it reads as it should
// (Switch too), refuses by itself, or it has no surface.
constexpr Element kElements[] = {
    {"Sphere", CaveatKind::kSphere},
    {"Cylinder", CaveatKind::kSlit},
    {"Cone", CaveatKind::kSlit},
    {"Disk2D", CaveatKind::kDisk},
    {"Anchor", CaveatKind::kGroup},
    {"Billboard", CaveatKind::kGroup},
    {"CADAssembly", CaveatKind::kGroup},
    {"CADFace", CaveatKind::kGroup},
    {"CADLayer", CaveatKind::kGroup},
    {"CADPart", CaveatKind::kGroup},
    {"CollidableOffset", CaveatKind::kGroup},
    {"CollidableShape", CaveatKind::kGroup},
    {"Collision", CaveatKind::kGroup},
    {"EspduTransform", CaveatKind::kGroup},
    {"GeoLOD", CaveatKind::kGroup},
    {"GeoLocation", CaveatKind::kGroup},
    {"GeoTransform", CaveatKind::kGroup},
    {"HAnimHumanoid", CaveatKind::kGroup},
    {"HAnimJoint", CaveatKind::kGroup},
    {"HAnimSegment", CaveatKind::kGroup},
    {"HAnimSite", CaveatKind::kGroup},
    {"LOD", CaveatKind::kGroup},
    {"Layer", CaveatKind::kGroup},
    {"LayerSet", CaveatKind::kGroup},
    {"LayoutGroup", CaveatKind::kGroup},
    {"LayoutLayer", CaveatKind::kGroup},
    {"PickableGroup", CaveatKind::kGroup},
    {"ScreenGroup", CaveatKind::kGroup},
    {"Viewport", CaveatKind::kGroup},
    {"CoordinateDouble", CaveatKind::kGeometry},
    {"GeoCoordinate", CaveatKind::kGeometry},
    {"GeoElevationGrid", CaveatKind::kGeometry},
    {"IndexedQuadSet", CaveatKind::kGeometry},
    {"NurbsPatchSurface", CaveatKind::kGeometry},
    {"NurbsSweptSurface", CaveatKind::kGeometry},
    {"NurbsSwungSurface", CaveatKind::kGeometry},
    {"NurbsTrimmedSurface", CaveatKind::kGeometry},
    {"QuadSet", CaveatKind::kGeometry},
    {"Text", CaveatKind::kGeometry},
    {"ProtoInstance", CaveatKind::kPrototype},
    {"Inline", CaveatKind::kInline},
    {"unit", CaveatKind::kUnit},
};

// The figures are measured, on assimp's 1280 triangles and 30 sides: 1 - cos(6 degrees) = 0.55 %.
std::string_view consequence(CaveatKind kind) {
  switch (kind) {
    case CaveatKind::kSphere:
      return "replaced by polyhedra inside them, up to about 0.5 % of the radius smaller (.wrl: "
             "polyhedra that contain them)";
    case CaveatKind::kSlit:
      return "replaced by polyhedra inside them, about 0.6 % of the radius smaller, with a slit "
             "that is 12 degrees wide (.wrl: polyhedra that contain them)";
    case CaveatKind::kDisk:
      return "replaced by polygons of ten sides inside them";
    case CaveatKind::kGroup:
      return "left out with all that they hold, which assimp does not read";
    case CaveatKind::kGeometry:
      return "left out with the shapes that they are in, as assimp does not read them";
    case CaveatKind::kPrototype:
      return "left out, as assimp does not know prototypes";
    case CaveatKind::kInline:
      return "the files they name are not looked through for what assimp leaves out";
    case CaveatKind::kUnit:
      return "not applied by assimp; where the length is not metres, give the scale yourself";
    case CaveatKind::kCount:
      break;
  }
  return {};
}

using Counts = std::array<std::map<std::string_view, std::uint64_t>,
                          static_cast<std::size_t>(CaveatKind::kCount)>;

Counts count_elements(std::string_view text) {
  Counts counts;
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at)) {
    const std::size_t end = markup_end(text, at);
    const std::string_view tag = text.substr(at + 1, end - at - 1);
    const std::string_view name = tag.substr(0, tag.find_first_of(" \t\r\n/>"));
    const auto* const found =
        std::find_if(std::begin(kElements), std::end(kElements),
                     [&](const Element& element) { return element.name == name; });
    if (found != std::end(kElements)) ++counts[static_cast<std::size_t>(found->kind)][found->name];
    at = end;
  }
  return counts;
}

}  // namespace

Result<RoomCaveats> x3d_caveats(std::string_view bytes) {
  RoomCaveats out;
  const Counts counts = count_elements(bytes);
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    std::string list;
    for (const auto& [name, count] : counts[kind]) {
      list += fmt::format("{}{} {}", list.empty() ? "" : ", ", count, name);
    }
    if (list.empty()) continue;
    out.warnings.push_back(fmt::format("{}: {}", list, consequence(static_cast<CaveatKind>(kind))));
  }
  return out;
}

}  // namespace tocsin::io
