#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "base/quoted.h"
#include "core/vector/rotation.h"
#include "io/nodes/named_nodes.h"
#include "io/nodes/turns.h"
#include "io/nodes/xml_numbers.h"
#include "io/nodes/xml_tags.h"

namespace tocsin::io {
namespace {

/// Of Transform nodes, the only ones with a transform that assimp reads.
class X3dNodes {
 public:
  explicit X3dNodes(std::string_view text) : tags_(text), edits_(text) {}

  Result<NamedNodes> read() {
    XmlTag tag;
    while (fault_.empty() && tags_.next(tag)) {
      if (!tag.closes) visit(tag);
    }
    if (!fault_.empty()) return {ErrorCode::kInput, fault_};
    out_.for_assimp = edits_.take();
    return std::move(out_);
  }

 private:
  void visit(const XmlTag& tag) {
    const bool groups = tag.name == "Transform" || tag.name == "Group" ||
                        tag.name == "StaticGroup" || tag.name == "Switch";
    if (const std::optional<XmlValue> use = tags_.attribute(tag, "USE")) {
      if (!groups) return;
      // assimp 5.2 goes one level up after it, and drops what follows there.
      fault_ = fmt::format(
          "<{} USE={}>, after which assimp loses nodes; write the node out in its place", tag.name,
          base::in_quotes(use->text));
      return;
    }
    const std::optional<XmlValue> def = tags_.attribute(tag, "DEF");
    if (tag.name != "Transform") {
      if (def && def->text.starts_with(kNumberedPrefix)) {
        fault_ = fmt::format("the DEF name {} is not allowed", base::in_quotes(def->text));
      }
      return;
    }
    NamedNode node;
    if (!read_fields(tag, node.local)) return;
    const std::size_t index = out_.nodes.size();
    if (def) {
      node.name = xml_unescaped(def->text);
      edits_.replace(def->at, def->text.size(), numbered_node(index));
    } else {
      edits_.replace(tag.begin + 1 + tag.name.size(), 0,
                     fmt::format(" DEF=\"{}\"", numbered_node(index)));
    }
    out_.nodes.push_back(std::move(node));
  }

  bool read_fields(const XmlTag& tag, Affine& out) {
    TransformFields fields;
    const bool read = vector(tag, "translation", fields.translation) &&
                      vector(tag, "center", fields.center) && vector(tag, "scale", fields.scale) &&
                      rotation(tag, "rotation", fields.rotation) &&
                      rotation(tag, "scaleOrientation", fields.scale_orientation);
    out = transform_of(fields);
    return read;
  }

  template <std::size_t count>
  bool list(const XmlTag& tag, std::string_view name,
            std::optional<std::array<double, count>>& out) {
    const std::optional<XmlValue> value = tags_.attribute(tag, name);
    if (!value) return true;
    out = xml_numbers<count>(value->text);
    return out || fail(name, value->text);
  }

  bool vector(const XmlTag& tag, std::string_view name, Vec3& out) {
    std::optional<std::array<double, 3>> v;
    if (!list(tag, name, v)) return false;
    if (v) out = {(*v)[0], (*v)[1], (*v)[2]};
    return true;
  }

  bool rotation(const XmlTag& tag, std::string_view name, core::Mat3& out) {
    std::optional<std::array<double, 4>> v;
    if (!list(tag, name, v)) return false;
    const bool turned =
        !v || turn_about({(*v)[0], (*v)[1], (*v)[2]}, (*v)[3] * core::kDegreesPerRadian, out);
    return turned || fail(name, tags_.attribute(tag, name)->text);
  }

  bool fail(std::string_view name, std::string_view text) {
    fault_ = fmt::format("a Transform's {} cannot be read: {}", name, base::in_quotes(text));
    return false;
  }

  XmlTags tags_;
  XmlEdits edits_;
  NamedNodes out_;
  std::string fault_;
};

}  // namespace

Result<NamedNodes> named_x3d_nodes(std::string_view bytes) { return X3dNodes(bytes).read(); }

}  // namespace tocsin::io
