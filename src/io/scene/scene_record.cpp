#include "io/scene/scene_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/text_file.h"
#include "io/report/json_line.h"
#include "io/report/report_fields.h"

namespace tocsin::io {
namespace {

using namespace fields;

constexpr std::string_view kSceneFormat = "tocsin.scene.v1";

// ---- Writing ----

/// "-0" would be read as a whole number, which has no sign.
void append_number(JsonLine& json, double x) {
  if (x == 0.0 && std::signbit(x)) {
    json.raw("-0.0");
  } else {
    json.value(x);
  }
}

/// Where it goes; null: the verb has no place.
const ShapePlacement* place_of(const SceneEdit& edit) {
  using enum SceneVerb;
  if (edit.verb == kDeform) return edit.to ? &*edit.to : nullptr;
  return edit.verb == kAdd || edit.verb == kPlace || edit.verb == kMove ? &edit.at : nullptr;
}

void append_placement(JsonLine& json, const ShapePlacement& at) {
  const Vec3& t = at.translation;
  const Quat& q = at.rotation;
  const Vec3& s = at.scale;
  json.key("at").open('[');
  for (const double x : {t.x, t.y, t.z, q.w, q.x, q.y, q.z, s.x, s.y, s.z}) append_number(json, x);
  json.close(']');
}

void append_shape(JsonLine& json, const Shape& shape) {
  json.key("corners").open('[');
  for (const Vec3& p : shape.corners()) {
    for (const double x : {p.x, p.y, p.z}) append_number(json, x);
  }
  json.close(']').key("triangles").open('[');
  for (const TriangleIndices& triangle : shape.features()) {
    for (const std::uint32_t corner : triangle) json.value(std::uint64_t{corner});
  }
  json.close(']');
}

void append_text(JsonLine& json, std::string_view key, const std::string& text) {
  if (!text.empty()) json.key(key).value(text);
}

void append_edit(JsonLine& json, const SceneEdit& edit) {
  json.open('{').key("verb").value(std::string_view(name_of(edit.verb)));
  append_text(json, "object", edit.object);
  append_text(json, "other", edit.other);
  append_text(json, "switch", edit.parent);
  append_text(json, "pattern", edit.pattern);
  append_text(json, "like", edit.like);
  if (edit.of_file) json.key("of_file").value(std::uint64_t{*edit.of_file});
  if (!edit.shape.empty()) append_shape(json, edit.shape);
  const ShapePlacement* const at = place_of(edit);
  if (at != nullptr) append_placement(json, *at);
  if (at != nullptr && edit.verb != SceneVerb::kDeform && edit.in_between != InBetween::kScrew) {
    json.key("in_between").value(name_of(edit.in_between));
  }
  if (!edit.vertices.empty()) {
    json.key("vertices").open('[');
    for (const Vec3f& v : edit.vertices) {
      for (const float x : {v.x, v.y, v.z}) append_number(json, double{x});
    }
    json.close(']');
  }
  json.close('}');
}

void append_edits(JsonLine& json, std::string_view key, const std::vector<SceneEdit>& edits) {
  json.key(key).open('[');
  for (const SceneEdit& edit : edits) append_edit(json, edit);
  json.close(']');
}

// ---- Reading ----

std::vector<double> numbers_in(const OrderedJson& json, std::string_view name) {
  std::vector<double> out;
  for (const OrderedJson& value : list_in(json, name)) out.push_back(to_number(value, name));
  return out;
}

ShapePlacement placement_in(const OrderedJson& json) {
  list_of(json, "at", 10);
  const std::vector<double> n = numbers_in(json, "at");
  return {{n[0], n[1], n[2]}, {n[3], n[4], n[5], n[6]}, {n[7], n[8], n[9]}};
}

Shape shape_in(const OrderedJson& json) {
  const std::vector<double> corners = numbers_in(json, "corners");
  const OrderedJson& triangles = list_in(json, "triangles");
  if (corners.size() % 3 != 0) refuse_type("corners", "three numbers a corner");
  if (triangles.size() % 3 != 0) refuse_type("triangles", "three corners a triangle");
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < corners.size(); i += 3) {
    points.push_back({corners[i], corners[i + 1], corners[i + 2]});
  }
  std::vector<TriangleIndices> features(triangles.size() / 3);
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const std::int64_t corner = to_count(triangles[i], "triangles");
    if (corner > std::int64_t{UINT32_MAX}) refuse_type("triangles", "numbers of corners");
    features[i / 3][i % 3] = static_cast<std::uint32_t>(corner);
  }
  auto shape = Shape::mesh(std::move(points), std::move(features));
  if (!shape) throw Refused{shape.error().message};
  return std::move(shape).value();
}

std::vector<Vec3f> vertices_in(const OrderedJson& json) {
  const std::vector<double> n = numbers_in(json, "vertices");
  if (n.size() % 3 != 0) refuse_type("vertices", "three numbers a vertex");
  std::vector<Vec3f> out;
  for (std::size_t i = 0; i < n.size(); i += 3) {
    out.push_back(
        {static_cast<float>(n[i]), static_cast<float>(n[i + 1]), static_cast<float>(n[i + 2])});
  }
  return out;
}

SceneVerb verb_in(const OrderedJson& json) {
  const std::string name = text_in(json, "verb");
  for (std::size_t i = 0; i < kSceneVerbs; ++i) {
    const auto verb = static_cast<SceneVerb>(i);
    if (name == name_of(verb)) return verb;
  }
  throw Refused{fmt::format("there is no verb \"{}\"", name)};
}

SceneEdit edit_in(const OrderedJson& json) {
  if (!json.is_object()) refuse_type("edits", "an array of objects");
  SceneEdit out;
  out.verb = verb_in(json);
  const auto text = [&](std::string_view name, std::string& into) {
    if (json.contains(name)) into = text_in(json, name);
  };
  text("object", out.object);
  text("other", out.other);
  text("switch", out.parent);
  text("pattern", out.pattern);
  text("like", out.like);
  if (json.contains("of_file")) {
    out.of_file = static_cast<std::uint32_t>(
        std::min<std::int64_t>(count_in(json, "of_file"), std::int64_t{UINT32_MAX}));
  }
  if (json.contains("corners")) out.shape = shape_in(json);
  if (json.contains("at")) {
    const ShapePlacement at = placement_in(json);
    if (out.verb == SceneVerb::kDeform) {
      out.to = at;
    } else {
      out.at = at;
    }
  }
  if (json.contains("in_between")) out.in_between = named_in<InBetween>(json, "in_between");
  if (json.contains("vertices")) out.vertices = vertices_in(json);
  return out;
}

std::vector<SceneEdit> edits_in(const OrderedJson& json, std::string_view name) {
  std::vector<SceneEdit> out;
  for (const OrderedJson& edit : list_in(json, name)) out.push_back(edit_in(edit));
  return out;
}

class SceneRecordReader {
 public:
  void take(std::string_view line) {
    const OrderedJson json = parse_line(line);
    const std::string type = text_in(json, "type");
    if (!begun_) {
      if (type != "scene" || text_in(json, "format") != kSceneFormat) {
        throw Refused{fmt::format("not a .scene file: expected format \"{}\"", kSceneFormat)};
      }
      begun_ = true;
    } else if (type == "state") {
      SceneState state;
      state.version = next_version(json);
      state.edits = edits_in(json, "edits");
      state.starts = edits_in(json, "starts");
      next_.state = std::move(state);
      next_.changes.clear();
    } else if (type == "change") {
      SceneChange change;
      change.version = next_version(json);
      change.edits = edits_in(json, "edits");
      next_.changes.push_back(std::move(change));
    } else if (type == "step") {
      next_.step = count_in(json, "step");
      add(std::exchange(next_, {}));
    } else {
      throw Refused{fmt::format("there is no type \"{}\"", type)};
    }
  }

  [[nodiscard]] bool begun() const { return begun_; }
  std::vector<SceneNewsOfStep> done() && { return std::move(out_); }

 private:
  /// A session that enters a changed room writes what it found before its first step; what happens
  /// until that step begins is news of the same step.
  void add(SceneNewsOfStep news) {
    if (out_.empty() || news.step > out_.back().step) {
      out_.push_back(std::move(news));
      return;
    }
    SceneNewsOfStep& last = out_.back();
    if (news.step < last.step) throw Refused{"a step that is before the one above it"};
    if (news.state) {
      last = std::move(news);
    } else {
      std::move(news.changes.begin(), news.changes.end(), std::back_inserter(last.changes));
    }
  }

  std::uint64_t next_version(const OrderedJson& json) {
    const auto version = static_cast<std::uint64_t>(count_in(json, "version"));
    if (version <= version_) throw Refused{"a version that is not after the one before"};
    return version_ = version;
  }

  bool begun_ = false;
  std::uint64_t version_ = 0;
  SceneNewsOfStep next_;
  std::vector<SceneNewsOfStep> out_;
};

}  // namespace

std::string scene_header() {
  return fmt::format("{{\"type\":\"scene\",\"format\":\"{}\"}}\n", kSceneFormat);
}

std::string scene_state_line(const SceneState& state) {
  std::string out;
  JsonLine json(out);
  json.open('{').key("type").value(std::string_view("state"));
  json.key("version").value(state.version);
  append_edits(json, "edits", state.edits);
  append_edits(json, "starts", state.starts);
  json.close('}');
  return out + '\n';
}

std::string scene_change_line(const SceneChange& change) {
  std::string out;
  JsonLine json(out);
  json.open('{').key("type").value(std::string_view("change"));
  json.key("version").value(change.version);
  append_edits(json, "edits", change.edits);
  json.close('}');
  return out + '\n';
}

std::string scene_step_line(std::int64_t step) {
  return fmt::format("{{\"type\":\"step\",\"step\":{}}}\n", step);
}

Result<std::vector<SceneNewsOfStep>> read_scene_record(const std::filesystem::path& file,
                                                       std::uint64_t most_bytes) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return base::file_error(file, "cannot be opened");
  SceneRecordReader reader;
  std::string line;
  std::size_t number = 0;
  std::uint64_t left = most_bytes;
  while (std::getline(in, line) && !in.eof()) {  // at the end: a line that was cut off
    if (line.size() >= left) break;
    left -= line.size() + 1;
    ++number;
    try {
      reader.take(line);
    } catch (const Refused& refused) {
      return {ErrorCode::kInput, fmt::format("{}:{}: {}", file.string(), number, refused.cause)};
    }
  }
  if (!reader.begun()) return base::file_error(file, "is cut off in its first line, or empty");
  return std::move(reader).done();
}

}  // namespace tocsin::io
