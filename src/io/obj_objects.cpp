#include "io/obj_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/text_scanner.h"

namespace tocsin::io {
namespace {

/// The object of faces before any name.
constexpr std::string_view kDefaultName = "default";

/// A vertex that the object at hand does not use.
constexpr std::uint32_t kUnusedVertex = 0xFFFFFFFFU;

/// Successive triangles of one object: [first, last).
struct Run {
  std::uint32_t object = 0;
  std::size_t first = 0;
  std::size_t last = 0;
};

struct NamedRuns {
  std::vector<std::string_view> names;  ///< in the order in which they first come
  std::vector<Run> runs;                ///< in file order, none empty
};

NamedRuns name_runs(const ObjGeometry& geometry) {
  const bool has_objects = std::any_of(geometry.marks.begin(), geometry.marks.end(),
                                       [](const ObjMark& mark) { return mark.is_object; });
  NamedRuns out;
  std::unordered_map<std::string_view, std::uint32_t> index;
  const auto object_named = [&](std::string_view name) {
    const auto [at, added] = index.try_emplace(name, static_cast<std::uint32_t>(out.names.size()));
    if (added) out.names.push_back(name);
    return at->second;
  };
  const auto close_run = [&](Run& run, std::size_t last) {
    run.last = last;
    if (run.first < run.last) out.runs.push_back(run);
  };

  Run run;
  bool named = false;
  for (const ObjMark& mark : geometry.marks) {
    if (mark.is_object != has_objects) continue;
    if (!named && mark.first_triangle > 0) run.object = object_named(kDefaultName);
    close_run(run, mark.first_triangle);
    run.object = object_named(mark.name.empty() ? kDefaultName : mark.name);
    run.first = mark.first_triangle;
    named = true;
  }
  if (!named) run.object = object_named(kDefaultName);
  close_run(run, geometry.triangles.size());
  return out;
}

/// The vertices that some runs use, ascending; `local` is not kUnusedVertex for these afterwards.
std::vector<std::uint32_t> used_vertices(std::span<const Run> runs, const ObjGeometry& geometry,
                                         std::vector<std::uint32_t>& local) {
  std::vector<std::uint32_t> used;
  std::uint32_t least = kUnusedVertex;
  std::uint32_t greatest = 0;
  for (const Run& run : runs) {
    for (std::size_t i = run.first; i < run.last; ++i) {
      for (const std::uint32_t vertex : geometry.triangles[i]) {
        if (std::exchange(local[vertex], 0) != kUnusedVertex) continue;
        used.push_back(vertex);
        least = std::min(least, vertex);
        greatest = std::max(greatest, vertex);
      }
    }
  }
  // Most objects' vertices lie together: collecting them again costs less than sorting.
  if (used.empty() || (greatest - least) / 8 > used.size()) {
    std::sort(used.begin(), used.end());
    return used;
  }
  used.clear();
  for (std::size_t vertex = least; vertex <= greatest; ++vertex) {
    if (local[vertex] != kUnusedVertex) used.push_back(static_cast<std::uint32_t>(vertex));
  }
  return used;
}

/// The triangles of some runs with the vertices that they use, in file order.
void fill(ObjectMesh& mesh, std::span<const Run> runs, const ObjGeometry& geometry,
          std::vector<std::uint32_t>& local) {
  const std::vector<std::uint32_t> used = used_vertices(runs, geometry, local);
  std::size_t triangles = 0;
  for (const Run& run : runs) triangles += run.last - run.first;
  mesh.vertices.reserve(used.size());
  for (const std::uint32_t vertex : used) {
    local[vertex] = static_cast<std::uint32_t>(mesh.vertices.size());
    mesh.vertices.push_back(geometry.vertices[vertex]);
  }
  mesh.triangles.reserve(triangles);
  for (const Run& run : runs) {
    for (std::size_t i = run.first; i < run.last; ++i) {
      const TriangleIndices& t = geometry.triangles[i];
      mesh.triangles.push_back({local[t[0]], local[t[1]], local[t[2]]});
    }
  }
  for (const std::uint32_t vertex : used) local[vertex] = kUnusedVertex;
}

std::size_t count_unused(const ObjGeometry& geometry) {
  std::vector<bool> used(geometry.vertices.size(), false);
  for (const TriangleIndices& t : geometry.triangles) used[t[0]] = used[t[1]] = used[t[2]] = true;
  return static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
}

}  // namespace

ObjObjects split_objects(const ObjGeometry& geometry) {
  NamedRuns names = name_runs(geometry);
  // Runs of one object come together, in file order.
  std::stable_sort(names.runs.begin(), names.runs.end(),
                   [](const Run& a, const Run& b) { return a.object < b.object; });

  ObjObjects out;
  std::size_t changed_names = 0;
  std::string_view first_changed;
  std::vector<std::uint32_t> local(geometry.vertices.size(), kUnusedVertex);
  for (auto begin = names.runs.begin(); begin != names.runs.end();) {
    const auto end = std::find_if(begin, names.runs.end(),
                                  [&](const Run& run) { return run.object != begin->object; });
    const std::string_view raw = names.names[begin->object];
    ObjectMesh mesh;
    bool changed = false;
    mesh.name = base::clean_name(raw, changed);
    if (changed && changed_names++ == 0) first_changed = raw;
    fill(mesh, {begin, end}, geometry, local);
    out.objects.push_back(std::move(mesh));
    begin = end;
  }
  if (changed_names > 0) {
    out.warnings.push_back(fmt::format("{} object names are not UTF-8 text, the first is {}",
                                       changed_names, base::in_quotes(first_changed)));
  }
  if (const std::size_t empty = names.names.size() - out.objects.size(); empty > 0) {
    out.warnings.push_back(
        fmt::format("{} named objects have no triangles and are left out", empty));
  }
  if (const std::size_t unused = count_unused(geometry); unused > 0) {
    out.warnings.push_back(fmt::format("{} of {} vertices are used by no triangle and are left out",
                                       unused, geometry.vertices.size()));
  }
  return out;
}

}  // namespace tocsin::io
