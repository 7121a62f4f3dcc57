// Writing avatar models: the other half of avatar_json.cpp.
#include <utility>
#include <vector>

#include "base/json_text.h"
#include "io/avatar/avatar_json.h"

namespace tocsin::io {
namespace {

using NameTable = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// `, "name": `; the comma but for the first.
void append_key(std::string& out, std::string_view name, bool first = false) {
  if (!first) out += ", ";
  base::append_json(out, name);
  out += ": ";
}

void append_text(std::string& out, std::string_view key, std::string_view text,
                 bool first = false) {
  append_key(out, key, first);
  base::append_json(out, text);
}

void append_end(std::string& out, std::string_view key, const EndPoint& end) {
  append_key(out, key);
  if (end.joint.empty()) {
    const char* before = "[";
    for (const double x : {end.offset.x, end.offset.y, end.offset.z}) {
      out += std::exchange(before, ", ");
      base::append_json(out, x);
    }
    out += ']';
    return;
  }
  out += '{';
  append_text(out, "joint", end.joint, true);
  if (!end.beyond.empty()) {
    append_text(out, "beyond", end.beyond);
    append_key(out, "times");
    base::append_json(out, end.times);
  }
  out += '}';
}

/// `shape`: its text; empty: none, or as shape_text() writes it.
void append_link(std::string& out, const LinkModel& link, const std::string& shape) {
  out += "    {";
  append_text(out, "name", link.name, true);
  append_text(out, "joint", link.joint);
  if (!link.shape.empty() || !shape.empty()) {
    append_key(out, "shape");
    out += (shape.empty() ? shape_text(link.shape) : shape) + '}';
    return;
  }
  append_end(out, "a", link.a);
  append_end(out, "b", link.b);
  append_key(out, "radius");
  base::append_json(out, link.radius);
  if (link.length > 0.0) {
    append_key(out, "length");
    base::append_json(out, link.length);
  }
  out += '}';
}

void append_table(std::string& out, const NameTable& table) {
  out += '{';
  bool first = true;
  for (const auto& [joint, names] : table) {
    append_key(out, joint, std::exchange(first, false));
    const char* before = "[";
    for (const std::string& name : names) {
      out += std::exchange(before, ", ");
      base::append_json(out, std::string_view(name));
    }
    out += names.empty() ? "[]" : "]";
  }
  out += '}';
}

void append_scheme(std::string& out, const NamingScheme& scheme) {
  out += "    {";
  append_text(out, "name", scheme.name, true);
  if (!scheme.prefix.empty()) {
    append_text(out, "prefix", scheme.prefix);
  } else {
    append_key(out, "joints");
    append_table(out, scheme.joints);
  }
  out += '}';
}

/// `,\n  "key": [`, an item a line, `]`.
template <class Items, class Append>
void append_list(std::string& out, std::string_view key, const Items& items, Append append) {
  out += ",\n  ";
  append_key(out, key, true);
  const char* before = "[\n";
  for (const auto& item : items) {
    out += std::exchange(before, ",\n");
    append(out, item);
  }
  out += items.empty() ? "[]" : "\n  ]";
}

}  // namespace

std::string avatar_model_text(const AvatarModel& model,
                              const std::map<std::size_t, std::string>& shapes) {
  std::string out = "{\n  ";
  append_text(out, "format", "tocsin.avatar.v1", true);
  out += ",\n  ";
  append_text(out, "name", model.name.empty() ? std::string_view("model") : model.name, true);
  out += ",\n  ";
  append_text(out, "description", model.description, true);
  append_list(out, "links", model.links, [&](std::string& to, const LinkModel& link) {
    const auto shape = shapes.find(static_cast<std::size_t>(&link - model.links.data()));
    append_link(to, link, shape == shapes.end() ? std::string() : shape->second);
  });
  if (!model.aliases.empty()) {
    out += ",\n  ";
    append_key(out, "aliases", true);
    append_table(out, model.aliases);
  }
  if (!model.schemes.empty()) append_list(out, "schemes", model.schemes, append_scheme);
  out += "\n}\n";
  return out;
}

Result<AvatarModel> as_in_a_file(const AvatarModel& model, std::string_view display_name) {
  AvatarModel plain = model;
  for (LinkModel& link : plain.links) {
    if (link.shape.empty()) continue;
    link.shape = {};
    link.radius = 1.0;
  }
  auto out = parse_avatar_model(avatar_model_text(plain), display_name);
  if (!out) return out;
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    if (model.links[i].shape.empty()) continue;
    out->links[i].shape = model.links[i].shape;
    out->links[i].radius = model.links[i].radius;
  }
  return out;
}

}  // namespace tocsin::io
