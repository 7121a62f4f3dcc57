// bench_gl_share: how much the visibility test of the OpenGL backend culls, at which resolution,
// and what CULLIDE's own criterion and rasterisation at pixel centres (paper 004) make of the same
// pairs of slab and cluster. Counts, no times: they are the same
// on every machine, but for what a device's raster rounds.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "shared/files.h"
#include "shared/gl_scene.h"
#include "shared/options.h"
#include "support/scenes/culled_share.h"

namespace tocsin::bench {
namespace {

using test::CulledShare;

/// ctest takes this for "skipped".
constexpr int kSkipped = 77;

/// One room, asked at one resolution.
struct Row {
  int tile = 0;  ///< pixels
  CulledShare ours;
  CulledShare plain;  ///< drawn at pixel centres only
};

struct Scene {
  std::string name;
  std::size_t steps = 0;
  std::vector<Row> rows;
};

struct Extent {
  std::vector<int> tiles;
  std::size_t steps;  ///< of each scene, at most
};

Result<CulledShare> ask(const GlScene& scene, const scene::Clusters& clusters,
                        const test::SlabQuestions& questions,
                        const std::shared_ptr<gl::DeviceThread>& device,
                        const gl::VisibilityOptions& options) {
  const auto visibility = gl::Visibility::create(device, options);
  if (!visibility) return visibility.error();
  return test::ask_and_count(**visibility, options, scene.environment, clusters, questions);
}

Result<Scene> run_scene(const GlScene& scene, const Extent& extent,
                        const std::shared_ptr<gl::DeviceThread>& device) {
  Scene out{scene.name + ", " + scene.take, std::min(extent.steps, scene.near.size()), {}};
  const scene::Clusters clusters = scene.tree->clusters(scene.environment);
  test::SlabQuestions questions(scene.environment, clusters);
  for (std::size_t i = 0; i < out.steps; ++i) questions.add(scene.avatar, scene.near[i]);
  for (const int tile : extent.tiles) {
    gl::VisibilityOptions options{.width = tile, .height = tile, .all_views = true};
    const auto ours = ask(scene, clusters, questions, device, options);
    if (!ours) return ours.error();
    options.raster = gl::Raster::kPlain;
    const auto plain = ask(scene, clusters, questions, device, options);
    if (!plain) return plain.error();
    out.rows.push_back({tile, *ours, *plain});
  }
  return out;
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-"
                    : fmt::format("{:.1f} %",
                                  100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string as_text(const std::vector<Scene>& scenes, const std::string& device, bool quick,
                    const Machine& machine) {
  std::string out =
      "bench/gl_share: what visibility makes of pairs of slab and cluster whose boxes overlap\n\n" +
      machine_text(machine) + "device      " + device + "\n";
  if (quick) out += "\nQUICK RUN: too few pairs for figures to be quoted\n";
  for (const Scene& scene : scenes) {
    out += fmt::format("\n{}: {} steps, {} pairs\n", scene.name, scene.steps,
                       scene.rows.front().ours.boxes);
    out += fmt::format("  {:<10}{:>8}{:>8}{:>10}{:>8}{:>10}{:>10}{:>12}{:>14}\n", "pixels", "meet",
                       "lost", "< 2 px", "culled", "farther", "culled", "of drawn", "six ways");
    for (const Row& row : scene.rows) {
      const CulledShare& s = row.ours;
      out += fmt::format("  {:<10}{:>8}{:>8}{:>10}{:>8}{:>10}{:>10}{:>12}{:>14}\n",
                         fmt::format("{0} x {0}", row.tile), s.meeting, s.lost, s.near,
                         percent(s.near_culled, s.near), s.apart, percent(s.culled, s.apart),
                         percent(s.culled - s.empty, s.apart - s.empty),
                         percent(s.culled_one_sided, s.apart));
    }
    for (const Row& row : scene.rows) {
      out += fmt::format(
          "  six ways at pixel centres, as the paper draws, {0} x {0}: {1} of {2} lost\n", row.tile,
          row.plain.lost_one_sided, row.plain.meeting);
    }
  }
  return out +
         "\n  meet: some triangle meets the skin; lost: of these, culled (must be 0)\n"
         "  < 2 px: within two pixels of each other; farther: the others; culled: of these\n"
         "  of drawn: of those farther where some triangle's box meets the slab's\n"
         "  six ways: of those farther, wholly visible from one of six directions (CULLIDE)\n";
}

std::string as_json(const std::vector<Scene>& scenes, const std::string& device, bool quick,
                    const Machine& machine) {
  nlohmann::ordered_json out = json_head("tocsin.bench.gl_share.v1", quick, machine);
  out["device"] = device;
  for (const Scene& scene : scenes) {
    nlohmann::ordered_json rows;
    for (const Row& row : scene.rows) {
      const CulledShare& s = row.ours;
      rows.push_back({{"pixels", row.tile},
                      {"pairs", s.boxes},
                      {"meeting", s.meeting},
                      {"lost", s.lost},
                      {"near", s.near},
                      {"near_culled", s.near_culled},
                      {"farther", s.apart},
                      {"farther_culled", s.culled},
                      {"farther_not_drawn", s.empty},
                      {"farther_culled_from_six_directions", s.culled_one_sided},
                      {"lost_from_six_directions_at_pixel_centres", row.plain.lost_one_sided}});
    }
    out["scenes"].push_back({{"name", scene.name}, {"steps", scene.steps}, {"rows", rows}});
  }
  return out.dump(2) + "\n";
}

int fail(const Error& error) {
  fmt::print(stderr, "error: {}\n", error.message);
  return 3;
}

int run(const Options& options) {
  const auto device = gl::DeviceThread::start({});
  if (!device) {
    fmt::print(stderr, "no OpenGL device, so nothing is counted: {}\n", device.error().message);
    return options.quick && std::getenv("TOCSIN_NEEDS_GL") == nullptr ? kSkipped : 3;
  }
  const auto rooms = gl_scenes(options.quick);
  if (!rooms) return fail(rooms.error());
  const Extent extent = options.quick ? Extent{{16, 64}, 4} : Extent{{16, 32, 64, 128, 256}, 24};
  std::vector<Scene> scenes;
  std::uint64_t lost = 0;
  for (const GlScene& room : *rooms) {
    Result<Scene> scene = run_scene(room, extent, device.value());
    if (!scene) return fail(scene.error());
    for (const Row& row : scene->rows) lost += row.ours.lost;
    scenes.push_back(std::move(scene).value());
  }
  const Machine machine = this_machine();
  const std::string& name = device.value()->info().renderer;
  const Results results{"gl_share", as_text(scenes, name, options.quick, machine),
                        as_json(scenes, name, options.quick, machine)};
  return finish(results, options, machine, lost == 0,
                fmt::format("{} pairs that meet were culled (see above)", lost));
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  return tocsin::bench::run_bench(
      argc, argv,
      {"How much the OpenGL backend's visibility test culls. Exit status 1: it culled what meets.",
       "A small room, few steps: shows that it runs", "Not used: nothing is timed"},
      tocsin::bench::run);
}
