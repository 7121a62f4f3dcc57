// `tocsin info humanoid16`
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/text_table.h"
#include "app/cli/words.h"
#include "app/info/info_parts.h"
#include "base/json_text.h"
#include "tocsin/io.h"

namespace tocsin::app {
namespace {

using Json = nlohmann::ordered_json;

std::string end_point_text(const EndPoint& point) {
  if (!point.beyond.empty()) {
    return fmt::format("{}, or beyond {} x {}", point.joint, point.beyond, brief(point.times));
  }
  if (!point.joint.empty()) return point.joint;
  const Vec3& v = point.offset;
  return fmt::format("({}, {}, {})", brief(v.x), brief(v.y), brief(v.z));
}

/// A sphere is one point, a capsule one segment; all else is made of triangles.
std::string size_text(const Shape& shape) {
  const auto features = shape.features();
  const auto& [i, j, k] = features.front();
  if (features.size() == 1 && j == k) return i == j ? "1 point" : "1 segment";
  return count_of(static_cast<std::int64_t>(features.size()), "triangle");
}

/// A row of the table of links. What stands in it of a shape is its size.
std::vector<std::string> row_of(const LinkModel& link) {
  if (!link.shape.empty()) {
    const double radius = link.shape.radius();
    return {link.name,
            link.joint,
            "a shape",
            size_text(link.shape),
            radius > 0.0 ? fmt::format("{} m", brief(radius)) : std::string(),
            ""};
  }
  return {link.name,
          link.joint,
          end_point_text(link.a),
          end_point_text(link.b),
          fmt::format("{} m", brief(link.radius)),
          link.length > 0.0 ? fmt::format("{} m", brief(link.length)) : std::string()};
}

std::string text_for_people(const AvatarModel& model) {
  std::string out = fmt::format("{}: an avatar model\n", base::printable(model.name));
  if (!model.description.empty()) out += fact("About", model.description);
  out += fact("Links", grouped(static_cast<std::int64_t>(model.links.size())));
  std::size_t names = 0;
  for (const auto& [joint, others] : model.aliases) names += others.size();
  out += fact("Aliases",
              fmt::format("{} for {}", count_of(static_cast<std::int64_t>(names), "other name"),
                          count_of(static_cast<std::int64_t>(model.aliases.size()), "joint")));
  std::vector<std::string> schemes;
  for (const NamingScheme& scheme : model.schemes) schemes.push_back(base::printable(scheme.name));
  if (!schemes.empty()) out += fact("Schemes", listed(schemes));
  TextTable table({{"Link", Align::kLeft, kWidestName},
                   {"Joint", Align::kLeft, kWidestName},
                   {"From (m)", Align::kLeft},
                   {"To (m, or joint)", Align::kLeft},
                   {"Radius", Align::kRight},
                   {"Length", Align::kRight}});
  for (const LinkModel& link : model.links) table.add(row_of(link));
  return out + '\n' + table.text();
}

Json to_json(const EndPoint& point) {
  if (!point.joint.empty()) {
    Json json{{"joint", base::valid_utf8(point.joint)}};
    if (!point.beyond.empty()) {
      json["beyond"] = base::valid_utf8(point.beyond);
      json["times"] = point.times;
    }
    return json;
  }
  return Json::array({point.offset.x, point.offset.y, point.offset.z});
}

Json to_json(const LinkModel& link) {
  Json json{{"name", base::valid_utf8(link.name)}, {"joint", base::valid_utf8(link.joint)}};
  if (!link.shape.empty()) {
    json["shape"] = {{"corners", link.shape.corners().size()},
                     {"triangles", link.shape.features().size()},
                     {"radius", link.shape.radius()}};
    return json;
  }
  json["a"] = to_json(link.a);
  json["b"] = to_json(link.b);
  json["radius"] = link.radius;
  json["length"] = link.length > 0.0 ? Json(link.length) : Json(nullptr);
  return json;
}

std::string text_for_programs(const AvatarModel& model) {
  Json json;
  json["kind"] = "avatar_model";
  json["name"] = base::valid_utf8(model.name);
  json["description"] = base::valid_utf8(model.description);
  json["links"] = Json::array();
  for (const LinkModel& link : model.links) json["links"].push_back(to_json(link));
  json["schemes"] = Json::array();
  for (const NamingScheme& scheme : model.schemes) {
    json["schemes"].push_back(base::valid_utf8(scheme.name));
  }
  return json.dump() + '\n';
}

}  // namespace

Result<Description> describe_avatar_model(const InfoOptions& options) {
  const auto model = load_avatar_model(options.file);
  if (!model) return model.error();
  return Description{options.json ? text_for_programs(*model) : text_for_people(*model), {}};
}

}  // namespace tocsin::app
