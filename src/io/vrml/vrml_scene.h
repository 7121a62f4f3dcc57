// The nodes of a VRML97 file, as they stand there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "io/vrml/vrml_nodes.h"

namespace tocsin::io {

/// A place where a node is written, or used again.
struct VrmlRef {
  std::uint32_t node = 0;
  bool by_use = false;
  std::int64_t line = 0;
};

/// A field that was given a value. What the value is made of lies in the scene's lists.
struct VrmlField {
  enum class Form : std::uint8_t { kNumbers, kNodes, kText, kIs };
  Form form = Form::kNumbers;
  std::string_view name;
  std::string_view
      text;  ///< kText: the first string; kIs: the field of the PROTO that it stands for
  std::size_t first = 0;  ///< kNumbers: in VrmlScene::numbers; kNodes: in VrmlScene::refs
  std::size_t count = 0;
  std::int64_t line = 0;
};

struct VrmlNode {
  VrmlKind kind = VrmlKind::kPassed;
  std::string_view type;
  std::string_view name;  ///< after DEF; empty without
  std::int64_t line = 0;
  std::uint32_t proto = 0;      ///< kInstance: in VrmlScene::protos
  std::size_t first_field = 0;  ///< in VrmlScene::fields
  std::size_t field_count = 0;
};

/// A declaration of a field in a PROTO's interface.
struct VrmlParameter {
  std::string_view name;
  VrmlType type;
  bool has_value = false;
  VrmlField value;  ///< what it is where an instance does not say
};

struct VrmlProto {
  std::string_view name;
  bool external = false;  ///< EXTERNPROTO: what it is made of stands elsewhere
  std::vector<VrmlParameter> parameters;
  std::vector<VrmlRef> body;  ///< the first node is what an instance is
};

struct VrmlScene {
  std::vector<double> numbers;
  std::vector<VrmlRef> refs;
  std::vector<VrmlField> fields;
  std::deque<VrmlNode> nodes;  // which grow without copies: they are what takes most memory
  std::deque<VrmlProto> protos;
  std::vector<VrmlRef> roots;
  std::int64_t unknown_fields = 0;  ///< of known nodes; passed over
  std::int64_t unknown_field_line = 0;
  std::string_view unknown_field;  ///< the first of them

  [[nodiscard]] std::span<const VrmlField> fields_of(const VrmlNode& node) const {
    return std::span(fields).subspan(node.first_field, node.field_count);
  }
  [[nodiscard]] std::span<const double> numbers_of(const VrmlField& field) const {
    return std::span(numbers).subspan(field.first, field.count);
  }
  [[nodiscard]] std::span<const VrmlRef> refs_of(const VrmlField& field) const {
    return std::span(refs).subspan(field.first, field.count);
  }
};

/// A scene, or why there is none.
struct VrmlParsed : VrmlScene {};

}  // namespace tocsin::io
