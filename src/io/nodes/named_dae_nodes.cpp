#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "base/quoted.h"
#include "core/vector/vec.h"
#include "io/nodes/named_nodes.h"
#include "io/nodes/turns.h"
#include "io/nodes/xml_numbers.h"
#include "io/nodes/xml_tags.h"

namespace tocsin::io {
namespace {

/// A rigid transform to `eye`, of which -z looks at `target` and y is as near to `up` as can be.
/// Nothing if these leave a direction open.
std::optional<Affine> look_at(const Vec3& eye, const Vec3& target, const Vec3& up) {
  using core::operator*;
  const auto unit = [](const Vec3& v) { return (1.0 / core::norm(v)) * v; };
  const Vec3 back = unit(eye - target);
  const Vec3 right = unit(core::cross(unit(up), back));
  const Vec3 above = core::cross(back, right);
  if (!core::is_finite(right) || !core::is_finite(above)) return std::nullopt;
  Affine out;
  out.linear = {
      {{right.x, above.x, back.x}, {right.y, above.y, back.y}, {right.z, above.z, back.z}}};
  out.origin = eye;
  return out;
}

/// One transform element of a node; nothing if the numbers are not those of one.
std::optional<Affine> element(std::string_view name, std::string_view text) {
  Affine out;
  if (name == "translate") {
    const auto v = xml_numbers<3>(text);
    if (!v) return std::nullopt;
    out.origin = {(*v)[0], (*v)[1], (*v)[2]};
  } else if (name == "scale") {
    const auto v = xml_numbers<3>(text);
    if (!v) return std::nullopt;
    out.linear = {{{(*v)[0], 0.0, 0.0}, {0.0, (*v)[1], 0.0}, {0.0, 0.0, (*v)[2]}}};
  } else if (name == "rotate") {
    const auto v = xml_numbers<4>(text);
    if (!v || !turn_about({(*v)[0], (*v)[1], (*v)[2]}, (*v)[3], out.linear)) return std::nullopt;
  } else if (name == "lookat") {
    const auto v = xml_numbers<9>(text);
    if (!v) return std::nullopt;
    return look_at({(*v)[0], (*v)[1], (*v)[2]}, {(*v)[3], (*v)[4], (*v)[5]},
                   {(*v)[6], (*v)[7], (*v)[8]});
  } else {  // matrix, by rows
    const auto v = xml_numbers<16>(text);
    if (!v || (*v)[12] != 0.0 || (*v)[13] != 0.0 || (*v)[14] != 0.0 || (*v)[15] != 1.0) {
      return std::nullopt;
    }
    for (std::size_t i = 0; i < 3; ++i) {
      out.linear.row[i] = {(*v)[4 * i], (*v)[4 * i + 1], (*v)[4 * i + 2]};
    }
    out.origin = {(*v)[3], (*v)[7], (*v)[11]};
  }
  return out;
}

bool is_transform(std::string_view name) {
  return name == "translate" || name == "rotate" || name == "scale" || name == "matrix" ||
         name == "lookat" || name == "skew";
}

class DaeNodes {
 public:
  explicit DaeNodes(std::string_view text) : tags_(text), edits_(text) {}

  Result<NamedNodes> read() {
    out_.collada = true;
    XmlTag tag;
    while (fault_.empty() && tags_.next(tag)) visit(tag);
    if (!fault_.empty()) return {ErrorCode::kInput, fault_};
    out_.for_assimp = edits_.take();
    return std::move(out_);
  }

 private:
  struct Open {
    std::string_view name;
    std::size_t node;  ///< of a <node>
  };

  void visit(const XmlTag& tag) {
    if (tag.closes) {
      if (!open_.empty()) open_.pop_back();
      return;
    }
    const bool in_node = !open_.empty() && open_.back().name == "node";
    if (in_node && is_transform(tag.name)) transform(tag, out_.nodes[open_.back().node]);
    if (open_.size() == 2 && open_.back().name == "asset") asset(tag);
    if (tag.name == "node") begin_node(tag);
    for (const char* const name : {"id", "name"}) {
      const auto value = tag.name == "visual_scene" ? tags_.attribute(tag, name) : std::nullopt;
      if (value && value->text.starts_with(kNumberedPrefix)) {
        fault_ =
            fmt::format("the name {} is not allowed for a scene", base::in_quotes(value->text));
      }
    }
    if (!tag.empty) open_.push_back({tag.name, out_.nodes.size() - 1});
  }

  void begin_node(const XmlTag& tag) {
    NamedNode node;
    const std::string number = numbered_node(out_.nodes.size());
    if (const std::optional<XmlValue> name = tags_.attribute(tag, "name")) {
      node.name = xml_unescaped(name->text);
      edits_.replace(name->at, name->text.size(), number);
    } else {
      edits_.replace(tag.begin + 1 + tag.name.size(), 0, fmt::format(" name=\"{}\"", number));
    }
    out_.nodes.push_back(std::move(node));
  }

  void transform(const XmlTag& tag, NamedNode& node) {
    const auto fail = [&](std::string_view cause) {
      fault_ = fmt::format("node {}: <{}> {}", base::in_quotes(node.name), tag.name, cause);
    };
    if (tag.name == "skew") return fail("is not read; write it as a <matrix>");
    const std::optional<Affine> part = element(tag.name, tags_.content(tag));
    if (!part) return fail("is no transform that can be read");
    node.local = product(node.local, *part);
  }

  void asset(const XmlTag& tag) {
    if (tag.name == "up_axis") {
      const std::string_view text = tags_.content(tag);
      if (text.find("X_UP") != std::string_view::npos) out_.up = UpAxis::kX;
      if (text.find("Z_UP") != std::string_view::npos) out_.up = UpAxis::kZ;
    }
    if (tag.name != "unit") return;
    const std::optional<XmlValue> meter = tags_.attribute(tag, "meter");
    if (!meter) return;
    const auto metres = xml_numbers<1>(meter->text);
    if (!metres || !((*metres)[0] > 0.0)) {
      fault_ =
          fmt::format("its unit of {} m is not a positive number", base::in_quotes(meter->text));
      return;
    }
    out_.unit_metres = (*metres)[0];
  }

  XmlTags tags_;
  XmlEdits edits_;
  NamedNodes out_;
  std::vector<Open> open_;
  std::string fault_;
};

}  // namespace

Result<NamedNodes> named_dae_nodes(std::string_view bytes) { return DaeNodes(bytes).read(); }

}  // namespace tocsin::io
