// The nodes of VRML97 (ISO/IEC 14772-1, clause 6) and which of their fields say where geometry is.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace tocsin::io {

/// What becomes of a node.
enum class VrmlKind : std::uint8_t {
  kUnknown,   ///< not of the standard: may hold anything
  kInstance,  ///< of a PROTO
  kGroup,     ///< Group, Anchor
  kBillboard,
  kTransform,
  kCollision,
  kSwitch,
  kLod,
  kInline,
  kShape,
  kFaceSet,
  kGrid,
  kExtrusion,
  kBox,
  kSphere,
  kCylinder,
  kCone,
  kCoordinate,
  kUntouchable,  ///< geometry without surface: Text, PointSet, IndexedLineSet
  kPassed,       ///< says nothing about where geometry is
};

/// The type of a field's values.
struct VrmlType {
  enum class Form : std::uint8_t {
    kPassed,  ///< of no interest: whatever stands there is skipped
    kBool,
    kNumber,
    kString,
    kNode,
  };
  Form form = Form::kPassed;
  std::uint8_t components = 1;  ///< numbers that make one value
  bool many = false;            ///< MF...: any number of values, in brackets unless it is one
};

struct VrmlFieldSpec {
  std::string_view name;
  VrmlType type;
};

struct VrmlNodeSpec {
  std::string_view name;
  VrmlKind kind = VrmlKind::kPassed;
  /// All fields of the node; empty for kinds of which no field is looked at.
  std::span<const VrmlFieldSpec> fields;
};

/// The node type of that name; null if the standard has none.
const VrmlNodeSpec* find_vrml_node(std::string_view name);

/// A field type by its name in a PROTO's interface, such as SFVec3f; null if there is none.
const VrmlFieldSpec* find_vrml_type(std::string_view name);

}  // namespace tocsin::io
