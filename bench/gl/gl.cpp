// bench_gl: the OpenGL backend: the rows of the main paper's Table 1, whole frames of one avatar
// and of many, and a room that deforms. docs/performance.md explains the figures.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "gl/gl_output.h"
#include "gpu/gl/context/device_thread.h"
#include "gpu/gl/visibility/visibility.h"
#include "selftest/measure/gl_counts.h"
#include "shared/files.h"
#include "shared/gl_scene.h"
#include "shared/options.h"

namespace tocsin::bench {
namespace {

/// ctest takes this for "skipped".
constexpr int kSkipped = 77;

/// Of the crowd's room: the house that the aim is about.
constexpr std::uint64_t kCountedTriangles = 156'000;

/// How much is done.
struct Extent {
  std::vector<GlWay> ways;
  double seconds;  ///< for a cell
  double most;     ///< seconds that one frame may take
  std::vector<std::size_t> crowd;
  std::uint64_t crowd_triangles;
  std::size_t deforming_frames;
};

Extent extent_of(bool quick) {
  Extent out{{}, 1.0, 4.0, {1, 16, 64, 256, 1000}, 156'000, 40};
  std::vector<std::pair<int, int>> sizes{{64, 64}, {256, 256}, {1024, 768}};
  if (quick) {
    out = {{}, 0.02, 1.0, {1, 8}, 10'000, 4};
    sizes = {{64, 64}, {96, 48}};
  }
  for (const auto& [width, height] : sizes) {
    for (const GlMethod method : {GlMethod::kFlags, GlMethod::kQuery}) {
      out.ways.push_back({width, height, method});
    }
  }
  return out;
}

int fail(const Error& error) {
  fmt::print(stderr, "error: {}\n", error.message);
  return 3;
}

/// Says how far it is: a full run takes minutes.
void say(const std::string& what) {
  fmt::print(stderr, "{} ...\n", what);
  std::fflush(stderr);
}

Status measure_all(const Extent& extent, const std::vector<GlScene>& scenes,
                   const std::shared_ptr<gl::DeviceThread>& device, GlReport& report) {
  for (const GlScene& scene : scenes) {
    say(scene.name);
    auto table = run_table(scene, device, extent.ways, extent.seconds);
    if (!table) return table.error();
    auto frames = run_frames(scene, *table, extent.seconds, extent.most);
    if (!frames) return frames.error();
    report.scenes.push_back({&scene, time_kinematics(scene), time_interval_boxes(scene),
                             std::move(table).value(), std::move(frames).value()});
  }
  say("many avatars");
  const auto crowd = StandingCrowd::make(extent.crowd_triangles);
  if (!crowd) return crowd.error();
  report.crowd_triangles = crowd->environment().triangles().size();
  auto rows = run_crowd(*crowd, extent.crowd, extent.seconds, extent.most * 3);
  if (!rows) return rows.error();
  report.crowd = std::move(rows).value();
  say("a deforming room");
  report.deforming_scene = &scenes.front();
  auto deforming = run_deforming(scenes.front(), extent.deforming_frames);
  if (!deforming) return deforming.error();
  report.deforming = std::move(deforming).value();
  return Nothing{};
}

/// What frames of the crowd ask for, for scripts/gpu_kit/predict.py.
int count(const Options& options, const std::shared_ptr<gl::DeviceThread>& device) {
  const auto crowd = StandingCrowd::make(kCountedTriangles);
  if (!crowd) return fail(crowd.error());
  const Machine machine = this_machine();
  auto json = json_head("tocsin.bench.gl-counts.v1", options.quick, machine);
  json["triangles"] = crowd->environment().triangles().size();
  for (const std::size_t avatars : {std::size_t{1}, std::size_t{1000}}) {
    const auto counts = count_gl_frame(*crowd, options.quick ? 1 : avatars, device);
    if (!counts) return fail(counts.error());
    json["frames"].push_back({{"avatars", counts->avatars},
                              {"near_links", counts->near_links},
                              {"slabs", counts->slabs},
                              {"pairs", counts->pairs},
                              {"kept", counts->kept},
                              {"skin_triangles", counts->skin_triangles},
                              {"room_triangles", counts->room_triangles},
                              {"views", counts->views},
                              {"draws", counts->draws},
                              {"bytes_up", counts->bytes_up},
                              {"bytes_down", counts->bytes_down}});
  }
  const std::string text = json.dump(1) + "\n";
  return finish({"gl-counts", text, text}, options, machine, true, "");
}

int run(const Options& options) {
  const auto device = gl::DeviceThread::start({});
  if (!device) {
    fmt::print(stderr, "no OpenGL device, so nothing is measured: {}\n", device.error().message);
    return options.quick && std::getenv("TOCSIN_NEEDS_GL") == nullptr ? kSkipped : 3;
  }
  if (options.count) return count(options, device.value());
  GlReport report;
  report.machine = this_machine();
  report.device = (*device.value()).info();
  report.quick = options.quick;
  {
    const auto visibility = gl::Visibility::create(device.value(), {});
    if (!visibility) return fail(visibility.error());
    report.raster = (*visibility)->raster();
  }
  const auto scenes = gl_scenes(options.quick);
  if (!scenes) return fail(scenes.error());
  Extent extent = extent_of(options.quick);
  if (options.passes > 0) extent.seconds *= static_cast<double>(options.passes);
  if (const Status done = measure_all(extent, *scenes, device.value(), report); !done) {
    return fail(done.error());
  }
  const Results results{"gl", as_text(report), as_json(report)};
  return finish(results, options, report.machine, agrees(report),
                "OpenGL's answers are not the CPU's (see above)");
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  return tocsin::bench::run_bench(
      argc, argv,
      {"The OpenGL backend on the device that TOCSIN_GL_DEVICE names, else the first usable one. "
       "Exit status 1: its answers are not the CPU's.",
       "A small room, few rounds: shows that it runs, not how fast",
       "Seconds for every cell of the table (1)",
       "Counts what frames of 1 and 1,000 avatars ask of OpenGL instead, which is the same on "
       "every "
       "device; --quick: of 1"},
      tocsin::bench::run);
}
