// `tocsin info house.obj`
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/cli/open_edges.h"
#include "app/cli/text_table.h"
#include "app/cli/words.h"
#include "app/info/info_parts.h"
#include "base/json_text.h"
#include "scene/room/mesh_statistics.h"
#include "scene/solid/solids.h"
#include "tocsin/io.h"

namespace tocsin::app {
namespace {

using Json = nlohmann::ordered_json;
using scene::EnvironmentStatistics;
using scene::MeshStatistics;

constexpr std::size_t kMostObjects = 20;  // without --all: half a screen

std::string count_text(std::uint64_t number) { return grouped(static_cast<std::int64_t>(number)); }

std::string bounds_text(const MeshStatistics& mesh) {
  const auto& [low, high] = mesh.bounds;
  const auto range = [](float from, float to) {
    return extent(static_cast<double>(from), static_cast<double>(to), "m");
  };
  return fmt::format("x {}, y {}, z {}", range(low.x, high.x), range(low.y, high.y),
                     range(low.z, high.z));
}

/// Whether a mesh is closed, and what is unusual about it.
std::string remarks(const MeshStatistics& mesh, bool solid) {
  if (mesh.triangles == 0) return "no triangles";
  std::vector<std::string> words;
  const std::string open =
      open_edges({mesh.edges, mesh.boundary_edges, mesh.nonmanifold_edges, mesh.twisted_edges});
  words.push_back(!open.empty() ? open : (solid ? "closed" : "closed, facing inward"));
  if (mesh.degenerate > 0) {
    words.push_back(count_of(static_cast<std::int64_t>(mesh.degenerate), "degenerate triangle",
                             "degenerate triangles"));
  }
  return listed(words);
}

/// Indices of the objects to show: all in file order, or the largest ones.
std::vector<std::size_t> shown_objects(const Environment& room, bool all) {
  const auto objects = room.objects();
  std::vector<std::size_t> order(objects.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (all || order.size() <= kMostObjects) return order;
  std::stable_sort(order.begin(), order.end(), [objects](std::size_t a, std::size_t b) {
    return objects[a].triangle_count > objects[b].triangle_count;
  });
  order.resize(kMostObjects);
  return order;
}

std::string object_rows(const Environment& room, const EnvironmentStatistics& statistics,
                        bool all) {
  TextTable table({{"Object", Align::kLeft, kWidestListedName},
                   {"Triangles", Align::kRight},
                   {"Bounds", Align::kLeft},
                   {"Surface", Align::kLeft}});
  const scene::Solids& solids = scene::solids_of(room);
  const auto shown = shown_objects(room, all);
  for (const std::size_t i : shown) {
    const MeshStatistics& mesh = statistics.objects[i];
    table.add({room.objects()[i].name, count_text(mesh.triangles),
               mesh.triangles > 0 ? bounds_text(mesh) : "-",
               remarks(mesh, solids.solid(static_cast<std::uint32_t>(i)))});
  }
  std::string out = table.text();
  const std::size_t left_out = room.objects().size() - shown.size();
  if (left_out > 0) {
    out += fmt::format("... and {} more with fewer triangles (use --all)\n", count_text(left_out));
  }
  return out;
}

std::string text_for_people(const InfoOptions& options, const Environment& room,
                            const EnvironmentStatistics& statistics) {
  const MeshStatistics& total = statistics.total;
  std::string out = fmt::format("{}: a room\n", base::printable(options.file));
  out += fact("Objects", count_text(room.objects().size()));
  out +=
      fact("Triangles", fmt::format("{} ({} degenerate), {} vertices", count_text(total.triangles),
                                    count_text(total.degenerate), count_text(total.vertices)));
  out += fact("Edges",
              fmt::format("{}, of which {} boundary and {} non-manifold", count_text(total.edges),
                          count_text(total.boundary_edges), count_text(total.nonmanifold_edges)));
  out += fact("Bounds", bounds_text(total));
  return out + '\n' + object_rows(room, statistics, options.all);
}

Json to_json(const MeshStatistics& mesh) {
  const auto& [low, high] = mesh.bounds;
  Json json;
  json["triangles"] = mesh.triangles;
  json["vertices"] = mesh.vertices;
  json["degenerate"] = mesh.degenerate;
  json["edges"] = mesh.edges;
  json["boundary_edges"] = mesh.boundary_edges;
  json["nonmanifold_edges"] = mesh.nonmanifold_edges;
  json["twisted_edges"] = mesh.twisted_edges;
  json["bounds"] = {{low.x, low.y, low.z}, {high.x, high.y, high.z}};
  return json;
}

std::string text_for_programs(const InfoOptions& options, const Environment& room,
                              const EnvironmentStatistics& statistics) {
  Json json;
  json["kind"] = "environment";
  json["file"] = base::valid_utf8(options.file);
  json.update(to_json(statistics.total));
  json["objects"] = Json::array();
  for (std::size_t i = 0; i < statistics.objects.size(); ++i) {
    Json object;
    object["name"] = base::valid_utf8(room.objects()[i].name);
    object.update(to_json(statistics.objects[i]));
    object["closed"] = statistics.objects[i].closed();
    object["solid"] = scene::solids_of(room).solid(static_cast<std::uint32_t>(i));
    json["objects"].push_back(std::move(object));
  }
  return json.dump() + '\n';
}

}  // namespace

Result<Description> describe_room(const InfoOptions& options) {
  const auto room = load_environment(options.file, options.room);
  if (!room) return room.error();
  const EnvironmentStatistics statistics = scene::mesh_statistics(*room);
  Description out;
  out.warnings.assign(room->warnings().begin(), room->warnings().end());
  out.text = options.json ? text_for_programs(options, *room, statistics)
                          : text_for_people(options, *room, statistics);
  return out;
}

}  // namespace tocsin::app
