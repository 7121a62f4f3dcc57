#include "io/vrml/vrml_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text_scanner.h"
#include "io/vrml/vrml_mesh.h"

namespace tocsin::io {
namespace {

const VrmlField* field_named(std::span<const VrmlField> fields, std::string_view name) {
  const auto at = std::find_if(fields.begin(), fields.end(),
                               [name](const VrmlField& field) { return field.name == name; });
  return at == fields.end() ? nullptr : &*at;
}

}  // namespace

bool VrmlFieldReader::stop(std::int64_t line, std::string_view cause) {
  if (!error_) error_ = base::input_error(file_, line, cause);
  return false;
}

bool VrmlFieldReader::find(const VrmlBound& of, std::string_view name, Found& out) {
  work_ += 1 + of.node->field_count;
  out.field = field_named(scene_.fields_of(*of.node), name);
  out.scope = of.scope;
  if (out.field == nullptr) return true;
  out.line = out.field->line;
  while (out.field->form == VrmlField::Form::kIs) {
    // The parser only allows IS in bodies, and bodies are only read for an instance.
    if (out.scope == nullptr) return stop(out.line, "IS outside of the body of a PROTO");
    const VrmlScope& inside = *out.scope;
    const std::string_view parameter = out.field->text;
    const auto& all = inside.proto->parameters;
    work_ += all.size() + inside.instance->field_count;
    const auto declared = std::find_if(all.begin(), all.end(),
                                       [&](const VrmlParameter& p) { return p.name == parameter; });
    if (declared == all.end()) {
      return stop(out.line,
                  fmt::format("IS {}: the PROTO {} has no such field", base::in_quotes(parameter),
                              base::in_quotes(inside.proto->name)));
    }
    out.field = field_named(scene_.fields_of(*inside.instance), parameter);
    out.scope = inside.outer;
    if (out.field != nullptr) continue;
    out.field = declared->has_value ? &declared->value : nullptr;
    out.scope = nullptr;
    return true;
  }
  return true;
}

bool VrmlFieldReader::numbers(const VrmlBound& of, std::string_view name,
                              std::span<const double>& out, std::int64_t& line) {
  Found found;
  if (!find(of, name, found)) return false;
  if (found.field == nullptr) return true;
  line = found.line;
  if (found.field->form != VrmlField::Form::kNumbers) {
    return stop(line, fmt::format("{}: its PROTO gives it no numbers", name));
  }
  out = scene_.numbers_of(*found.field);
  return true;
}

bool VrmlFieldReader::fixed(const VrmlBound& of, std::string_view name, std::size_t count,
                            std::span<const double>& out, std::int64_t& line) {
  if (!numbers(of, name, out, line)) return false;
  if (line == 0 || out.size() == count) return true;
  return stop(line,
              fmt::format("{}: its PROTO gives it {} numbers, not {}", name, out.size(), count));
}

bool VrmlFieldReader::get(const VrmlBound& of, std::string_view name, double& out) {
  std::span<const double> all;
  std::int64_t line = 0;
  if (!fixed(of, name, 1, all, line)) return false;
  if (!all.empty()) out = all[0];
  return true;
}

bool VrmlFieldReader::get(const VrmlBound& of, std::string_view name, bool& out) {
  double number = out ? 1.0 : 0.0;
  if (!get(of, name, number)) return false;
  out = number != 0.0;
  return true;
}

bool VrmlFieldReader::get(const VrmlBound& of, std::string_view name, Vec3& out) {
  std::span<const double> all;
  std::int64_t line = 0;
  if (!fixed(of, name, 3, all, line)) return false;
  if (!all.empty()) out = {all[0], all[1], all[2]};
  return true;
}

bool VrmlFieldReader::get(const VrmlBound& of, std::string_view name, core::Mat3& out) {
  std::span<const double> all;
  std::int64_t line = 0;
  if (!fixed(of, name, 4, all, line)) return false;
  if (all.empty() || vrml_rotation({all[0], all[1], all[2]}, all[3], out)) return true;
  return stop(line, fmt::format("{}: {} {} {} {} is no rotation: an axis and an angle", name,
                                all[0], all[1], all[2], all[3]));
}

bool VrmlFieldReader::get(const VrmlBound& of, std::string_view name, std::size_t components,
                          std::span<const double>& out) {
  std::int64_t line = 0;
  if (!numbers(of, name, out, line)) return false;
  return out.size() % components == 0 ||
         stop(line, fmt::format("{}: its PROTO gives it {} numbers, not a multiple of {}", name,
                                out.size(), components));
}

bool VrmlFieldReader::get(const VrmlBound& of, std::string_view name, VrmlBoundRefs& out) {
  Found found;
  if (!find(of, name, found)) return false;
  if (found.field == nullptr) return true;
  if (found.field->form != VrmlField::Form::kNodes) {
    return stop(found.line, fmt::format("{}: its PROTO gives it no nodes", name));
  }
  out = {scene_.refs_of(*found.field), found.scope};
  return true;
}

bool VrmlFieldReader::get(const VrmlBound& of, std::string_view name, std::string_view& text) {
  Found found;
  if (!find(of, name, found)) return false;
  if (found.field != nullptr) text = found.field->text;
  return true;
}

VrmlBound VrmlFieldReader::resolve(const VrmlRef& ref, const VrmlScope* scope) {
  VrmlBound bound{&scene_.nodes[ref.node], scope};
  while (bound.node->kind == VrmlKind::kInstance) {
    const VrmlProto& proto = scene_.protos[bound.node->proto];
    if (proto.body.empty()) break;
    work_ += 4;
    scopes_.push_back({bound.node, &proto, bound.scope});
    bound = {&scene_.nodes[proto.body.front().node], &scopes_.back()};
  }
  return bound;
}

}  // namespace tocsin::io
