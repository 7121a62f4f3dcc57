#include "io/avatar/avatar_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/quoted.h"
#include "io/json/json_value.h"
#include "io/shape/shape_fields.h"
#include "scene/avatar/avatar_limits.h"

namespace tocsin::io {
namespace {

using base::in_quotes;

constexpr std::string_view kAvatarFormat = "tocsin.avatar.v1";
/// Binding tries one after the other: so many times the links of a hostile file take no time yet.
constexpr std::size_t kMaxSchemes = 64;

/// Values in a model's text: a mesh of 100,000 triangles takes 600,000, and 130 bytes each. The
/// text of a link without a shape has some 15.
constexpr std::size_t kMostModelValues = 1'000'000;

using NameTable = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Bytes of a name: longer ones are noise, and every contact of a report repeats its link's.
constexpr std::size_t kMaxName = 256;

/// Walks a document and keeps the first thing that is wrong with it. Every function gives some
/// value of its type after an error, so that the code that calls it stays straight.
class Reader : private ShapeFields {
 public:
  Reader(std::string_view display_name, const ModelFolder* folder)
      : ShapeFields(display_name, folder) {}

  Result<AvatarModel> read(const JsonValue& root) {
    AvatarModel model = read_model(root);
    if (error()) return *error();
    model.file = file();
    return model;
  }

 private:
  std::string read_text(const JsonValue& value, std::string_view path) {
    return is_kind(value, JsonKind::kString, path) ? value.text : std::string();
  }

  std::string read_name(const JsonValue& value, std::string_view path) {
    std::string name = read_text(value, path);
    if (error()) return name;
    if (name.empty()) fail(path, "must not be empty");
    if (name.size() > kMaxName) {
      fail(path, fmt::format("must not be longer than {} bytes, has {}", kMaxName, name.size()));
    }
    if (std::any_of(name.begin(), name.end(),
                    [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; })) {
      fail(path, fmt::format("must not contain control characters, is {}", in_quotes(name)));
    }
    return name;
  }

  std::string required_name(const JsonValue& object, std::string_view field,
                            std::string_view path) {
    const JsonValue* value = required(object, field, path);
    return value == nullptr ? std::string() : read_name(*value, json_path(path, field));
  }

  double read_coordinate(const JsonValue& value, std::string_view path) {
    if (!is_kind(value, JsonKind::kNumber, path)) return 0.0;
    if (!(std::fabs(value.number) <= scene::kMaxModelOffset)) {
      fail(path, fmt::format("must be within {} m of the joint, is {}", scene::kMaxModelOffset,
                             value.number));
    }
    return value.number;
  }

  EndPoint read_joint_end(const JsonValue& value, std::string_view path) {
    constexpr std::array<std::string_view, 3> kKnown{"joint", "beyond", "times"};
    EndPoint end;
    if (!is_object_of(value, kKnown, path)) return end;
    end.joint = required_name(value, "joint", path);
    if (value.member("beyond") == nullptr && value.member("times") == nullptr) return end;
    end.beyond = required_name(value, "beyond", path);
    if (const JsonValue* times = required(value, "times", path)) {
      end.times = read_times(*times, json_path(path, "times"));
    }
    return end;
  }

  double read_times(const JsonValue& value, std::string_view path) {
    if (!is_kind(value, JsonKind::kNumber, path)) return 0.0;
    if (!(value.number >= 0.0 && value.number <= scene::kMaxModelTimes)) {
      fail(path, fmt::format("must be 0 to {}, is {}", scene::kMaxModelTimes, value.number));
    }
    return value.number;
  }

  EndPoint read_end_point(const JsonValue& value, std::string_view path) {
    EndPoint end;
    if (value.kind == JsonKind::kObject) return read_joint_end(value, path);
    if (value.kind != JsonKind::kArray || value.items.size() != 3) {
      const std::string found = value.kind == JsonKind::kArray
                                    ? fmt::format("an array of {}", value.items.size())
                                    : std::string(json_kind_name(value.kind));
      fail(path, fmt::format("must be an array of 3 numbers or {{\"joint\": NAME}}, is {}", found));
      return end;
    }
    end.offset = {read_coordinate(value.items[0], json_path(path, 0)),
                  read_coordinate(value.items[1], json_path(path, 1)),
                  read_coordinate(value.items[2], json_path(path, 2))};
    return end;
  }

  double read_radius(const JsonValue& value, std::string_view path) {
    if (!is_kind(value, JsonKind::kNumber, path)) return 0.0;
    if (!(value.number >= scene::kMinLinkRadius)) {
      // Spelled out, as 1e-6 is what the format's description says.
      fail(path, fmt::format("must be at least 1e-6, is {}", value.number));
    }
    if (!(value.number <= scene::kMaxModelRadius)) {
      fail(path,
           fmt::format("must be at most {} (metres), is {}", scene::kMaxModelRadius, value.number));
    }
    return value.number;
  }

  double read_length(const JsonValue& value, std::string_view path) {
    if (!is_kind(value, JsonKind::kNumber, path)) return 0.0;
    if (!(value.number > 0.0 && value.number <= scene::kMaxModelOffset)) {
      fail(path, fmt::format("must be above 0 and at most {} (metres), is {}",
                             scene::kMaxModelOffset, value.number));
    }
    return value.number;
  }

  LinkModel read_link(const JsonValue& value, std::string_view path) {
    constexpr std::array<std::string_view, 7> kKnown{"name",   "joint",  "a",    "b",
                                                     "radius", "length", "shape"};
    LinkModel link;
    if (!is_object_of(value, kKnown, path)) return link;
    link.name = required_name(value, "name", path);
    if (link.name.find(':') != std::string::npos) {
      fail(json_path(path, "name"), fmt::format("must not contain ':', which --ignore LINK:OBJECT "
                                                "puts between two names; is {}",
                                                in_quotes(link.name)));
    }
    link.joint = required_name(value, "joint", path);
    if (const JsonValue* shape = value.member("shape")) {
      for (const std::string_view one : {"a", "b", "radius", "length"}) {
        if (value.member(one) == nullptr) continue;
        fail(json_path(path, one), "is not for a link with a shape, which has its own size");
      }
      if (!error()) link.shape = read_shape(*shape, json_path(path, "shape"));
      return link;
    }
    if (const JsonValue* a = value.member("a")) link.a = read_end_point(*a, json_path(path, "a"));
    if (const JsonValue* b = required(value, "b", path)) {
      link.b = read_end_point(*b, json_path(path, "b"));
    }
    if (const JsonValue* radius = required(value, "radius", path)) {
      link.radius = read_radius(*radius, json_path(path, "radius"));
    }
    if (const JsonValue* length = value.member("length")) {
      link.length = read_length(*length, json_path(path, "length"));
    }
    return link;
  }

  std::vector<LinkModel> read_links(const JsonValue& value) {
    std::vector<LinkModel> links;
    if (!is_kind(value, JsonKind::kArray, "links")) return links;
    if (value.items.empty()) fail("links", "must not be empty");
    std::set<std::string> names;
    for (std::size_t i = 0; i < value.items.size() && !error(); ++i) {
      const std::string path = json_path("links", i);
      links.push_back(read_link(value.items[i], path));
      if (!names.insert(links.back().name).second) {
        fail(json_path(path, "name"),
             fmt::format("{} is the name of an earlier link", in_quotes(links.back().name)));
      }
    }
    return links;
  }

  /// What links use -> its names: "aliases", and "joints" of a scheme.
  NameTable read_names(const JsonValue& value, const std::vector<LinkModel>& links,
                       std::string_view path) {
    NameTable table;
    if (!is_kind(value, JsonKind::kObject, path)) return table;
    std::set<std::string_view> used;
    for (const LinkModel& link : links) {
      used.insert({link.joint, link.a.joint, link.b.joint, link.a.beyond, link.b.beyond});
    }
    for (std::size_t i = 0; i < value.items.size() && !error(); ++i) {
      const std::string& joint = value.names[i];
      const std::string at = json_path(path, joint);
      if (joint.empty() || used.find(joint) == used.end()) {
        fail(at, "no link uses a joint of this name");
        return table;
      }
      const JsonValue& list = value.items[i];
      if (!is_kind(list, JsonKind::kArray, at)) return table;
      std::vector<std::string> names;
      for (std::size_t j = 0; j < list.items.size(); ++j) {
        names.push_back(read_name(list.items[j], json_path(at, j)));
      }
      table.emplace_back(joint, std::move(names));
    }
    return table;
  }

  NamingScheme read_scheme(const JsonValue& value, const std::vector<LinkModel>& links,
                           std::string_view path) {
    constexpr std::array<std::string_view, 3> kKnown{"name", "prefix", "joints"};
    NamingScheme scheme;
    if (!is_object_of(value, kKnown, path)) return scheme;
    scheme.name = required_name(value, "name", path);
    const JsonValue* prefix = value.member("prefix");
    const JsonValue* joints = value.member("joints");
    if ((prefix == nullptr) == (joints == nullptr)) {
      fail(path, "must have either \"prefix\" or \"joints\"");
      return scheme;
    }
    if (prefix != nullptr) scheme.prefix = read_name(*prefix, json_path(path, "prefix"));
    if (joints != nullptr) scheme.joints = read_names(*joints, links, json_path(path, "joints"));
    return scheme;
  }

  void read_schemes(const JsonValue& value, AvatarModel& model) {
    if (!is_kind(value, JsonKind::kArray, "schemes")) return;
    if (value.items.size() > kMaxSchemes) {
      fail("schemes", fmt::format("must be at most {}, are {}", kMaxSchemes, value.items.size()));
    }
    std::set<std::string> names;
    for (std::size_t i = 0; i < value.items.size() && !error(); ++i) {
      const std::string path = json_path("schemes", i);
      model.schemes.push_back(read_scheme(value.items[i], model.links, path));
      if (!names.insert(model.schemes.back().name).second) {
        fail(json_path(path, "name"), fmt::format("{} is the name of an earlier scheme",
                                                  in_quotes(model.schemes.back().name)));
      }
    }
  }

  AvatarModel read_model(const JsonValue& root) {
    constexpr std::array<std::string_view, 7> kKnown{"$schema", "format",  "name",   "description",
                                                     "links",   "aliases", "schemes"};
    AvatarModel model;
    if (!is_kind(root, JsonKind::kObject, "")) return model;
    // The format comes first: what is no model at all should not be told about its unknown fields.
    const JsonValue* format = required(root, "format", "");
    if (format == nullptr) return model;
    const std::string found = read_text(*format, "format");
    if (found != kAvatarFormat)
      fail("format", fmt::format("must be \"{}\", is {}", kAvatarFormat, in_quotes(found)));
    if (error() || !is_object_of(root, kKnown, "")) return model;

    if (const JsonValue* schema = root.member("$schema")) read_text(*schema, "[\"$schema\"]");
    model.name = required_name(root, "name", "");
    if (const JsonValue* text = root.member("description")) {
      model.description = read_text(*text, "description");
    }
    if (const JsonValue* links = required(root, "links", "")) model.links = read_links(*links);
    if (error()) return model;
    if (const JsonValue* aliases = root.member("aliases")) {
      model.aliases = read_names(*aliases, model.links, "aliases");
    }
    if (const JsonValue* schemes = root.member("schemes")) read_schemes(*schemes, model);
    return model;
  }
};

}  // namespace

Result<AvatarModel> parse_avatar_model(std::string_view text, std::string_view display_name,
                                       const ModelFolder* folder) {
  const Result<JsonValue> root = parse_json(text, display_name, {.values = kMostModelValues});
  if (!root.ok()) return root.error();
  return Reader(display_name, folder).read(*root);
}

}  // namespace tocsin::io
