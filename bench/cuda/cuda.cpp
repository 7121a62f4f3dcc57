// bench_cuda: avatar-steps a second on a CUDA device, 1 to 50,000 avatars in rooms of 156 k to 10 M
// triangles, beside the CPU backend; stages, roofline. Without a device, emulated, and named so.
// docs/cuda.md, "What it costs".
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <bit>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "cuda/cuda_output.h"
#include "make/make.h"
#include "selftest/scenes/crowd_scene.h"
#include "selftest/scenes/standing_crowd.h"
#include "shared/files.h"
#include "shared/options.h"
#include "tocsin/tocsin.h"

namespace tocsin::bench {
namespace {

/// Stands for small_house.obj, where the test data is; else a made room of that size.
constexpr std::uint64_t kHouse = 156'000;

/// What is asked for on the command line; empty: as the device allows.
struct Wanted {
  std::vector<std::size_t> avatars;
  std::vector<std::uint64_t> triangles;
  std::optional<int> device;
  bool emulate = false;
  std::size_t memory = 0;
  int k = 6;
  unsigned traversals = 2;
  unsigned lanes = 1;
  std::size_t steps = 0;
  bool crowd = true;
};

struct Extent {
  std::vector<std::size_t> avatars;
  std::vector<std::uint64_t> triangles;
  std::size_t steps;  ///< of a case, at least
  std::size_t most_batches;
  std::size_t passes;
};

Extent extent_of(const Wanted& wanted, const Options& options, bool emulated) {
  Extent out{{1, 10, 100, 1'000, 10'000, 50'000}, {kHouse, 1'000'000, 10'000'000}, 100'000, 50, 7};
  if (emulated) out = {{1, 10, 100, 1'000, 10'000}, {kHouse, 1'000'000, 10'000'000}, 2'000, 20, 3};
  if (options.quick) out = {{1, 16}, {10'000}, 32, 2, 1};
  if (!wanted.avatars.empty()) out.avatars = wanted.avatars;
  if (!wanted.triangles.empty()) out.triangles = wanted.triangles;
  if (wanted.steps > 0) out.steps = wanted.steps;
  if (options.passes > 0) out.passes = options.passes;
  std::ranges::sort(out.avatars);
  return out;
}

std::size_t batches_of(const Extent& extent, std::size_t avatars) {
  return std::clamp<std::size_t>(extent.steps / avatars, 1, extent.most_batches);
}

/// A device if there is one; else, or if asked for, its emulation.
Result<std::shared_ptr<cuda::Device>> open_device(const Wanted& wanted) {
  cuda::DeviceOptions options{.index = wanted.device, .memory = wanted.memory};
  if (!wanted.emulate) {
    auto device = cuda::Device::open(options);
    if (device || wanted.device || device.error().code != ErrorCode::kUnavailable) return device;
    fmt::print(stderr, "EMULATED: {}\n", device.error().message);
  }
  options.emulate = true;
  return cuda::Device::open(options);
}

/// Says how far it is: a full run takes minutes.
void say(const std::string& what) {
  fmt::print(stderr, "{} ...\n", what);
  std::fflush(stderr);
}

struct NamedRoom {
  std::string name;
  bool house = false;
  Environment environment;
};

Result<NamedRoom> make_named(std::uint64_t triangles) {
  const std::filesystem::path file = data_folder() / "environments/small_house.obj";
  std::error_code ignored;
  if (triangles == kHouse && std::filesystem::exists(file, ignored)) {
    Result<Environment> house = load_environment(file);
    if (!house.ok()) return house.error();
    return NamedRoom{"small_house.obj", true, std::move(house).value()};
  }
  Result<Environment> room = make_room({triangles, 1});
  if (!room.ok()) return room.error();
  return NamedRoom{"a made room", false, std::move(room).value()};
}

/// The first batches of a crowd all over the room, everybody alone in it.
CudaBatches alone(const StandingCrowd& crowd, std::size_t avatars, std::size_t batches) {
  CudaBatches out;
  out.members.assign(avatars, Member{crowd.avatar(), {}, {}});
  for (std::size_t b = 0; b < batches; ++b) out.steps.push_back(crowd.frame(avatars, b));
  return out;
}

/// Called after every row: what a device that hangs, or a limit of time, leaves.
using Save = std::function<void()>;

/// Adds rows to `out` as they are measured.
Status run_room(std::uint64_t triangles, const Extent& extent,
                const std::shared_ptr<cuda::Device>& device, const cuda::CheckerOptions& asked,
                CudaCase& out, const Save& save) {
  Result<NamedRoom> named = make_named(triangles);
  if (!named.ok()) return named.error();
  const Environment environment = named.value().environment;
  const auto room = make_cuda_room(named.value().name, environment, device, asked);
  if (!room) return room.error();
  const Result<StandingCrowd> crowd = StandingCrowd::in(environment);
  if (!crowd.ok()) return crowd.error();
  out.name = room.value().name;
  out.what = "avatars of 16 links all over it walk, reach, kick and turn cartwheels, 120 Hz, alone";
  out.house = named.value().house;
  out.made = fmt::format(
      "{} triangles, copied and their tree built in {:.3f} s, {:.1f} MB; the CPU's tree in {:.3f} "
      "s",
      room.value().triangles, room.value().upload_seconds, room.value().tree_megabytes,
      room.value().cpu_seconds);
  for (const std::size_t avatars : extent.avatars) {
    say(fmt::format("{}, {} triangles, {} avatars", out.name, room.value().triangles, avatars));
    const CudaBatches batches = alone(*crowd, avatars, batches_of(extent, avatars));
    auto row = run_cuda(room.value(), batches, extent.passes);
    if (!row) return row.error();
    out.rows.push_back(std::move(row).value());
    save();
    if (avatars != extent.avatars.back()) continue;
    const StepCounters& work = out.rows.back().work;
    const auto evaluations = static_cast<double>(work.evaluations - work.candidates);
    auto counted = count_work(environment, batches, evaluations / out.rows.back().steps());
    if (!counted) return counted.error();
    out.work = std::move(counted).value();
  }
  return Nothing{};
}

/// Avatars that meet, in a hall that grows with them: bench_crowd's.
Result<CudaRow> run_meeting(std::size_t avatars, const Extent& extent,
                            const std::shared_ptr<cuda::Device>& device,
                            const cuda::CheckerOptions& asked) {
  say(fmt::format("a crowd of {} avatars that meet", avatars));
  // Every avatar has a skeleton and poses of its own, for every batch.
  const std::size_t most = std::min<std::size_t>(batches_of(extent, avatars), 10);
  Result<CrowdScene> scene = make_crowd(Layout::kCrowd, avatars, most);
  if (!scene.ok()) return scene.error();
  const auto room = make_cuda_room("hall", scene.value().hall, device, asked);
  if (!room) return room.error();
  const CudaBatches batches{std::move(scene.value().members), std::move(scene.value().steps), true};
  return run_cuda(room.value(), batches, extent.passes);
}

Status run_crowd(const Extent& extent, const std::shared_ptr<cuda::Device>& device,
                 const cuda::CheckerOptions& asked, CudaCase& out, const Save& save) {
  out.name = "a hall that grows with the crowd in it";
  out.what = fmt::format("avatars of 16 links that meet, {}, 90 Hz", what_of(Layout::kCrowd));
  for (const std::size_t avatars : extent.avatars) {
    if (avatars < 2) continue;
    auto row = run_meeting(avatars, extent, device, asked);
    if (!row) return row.error();
    out.rows.push_back(std::move(row).value());
    save();
  }
  return Nothing{};
}

int fail(const Error& error) {
  fmt::print(stderr, "error: {}\n", error.message);
  return 3;
}

int run(const Options& options, const Wanted& wanted) {
  auto device = open_device(wanted);
  if (!device) return fail(device.error());
  CudaReport report;
  report.machine = this_machine();
  report.device = device.value()->name();
  report.emulated = device.value()->emulated();
  report.quick = options.quick;
  report.k = wanted.k;
  report.traversals = wanted.traversals;
  report.lanes = wanted.lanes;
  const cuda::CheckerOptions asked{
      .k = wanted.k,
      .traversal = {wanted.traversals, static_cast<unsigned>(std::countr_zero(wanted.lanes))}};
  const Extent extent = extent_of(wanted, options, report.emulated);
  report.passes = extent.passes;
  say("ceilings");
  const auto ceilings = measure_ceilings(device.value(), options.quick);
  if (!ceilings) return fail(ceilings.error());
  report.ceilings = ceilings.value();
  const Save save = [&] {
    if (!options.json.empty()) keep_so_far(options.json, as_json(report));
  };
  for (const std::uint64_t triangles : extent.triangles) {
    report.cases.emplace_back();
    const Status done =
        run_room(triangles, extent, device.value(), asked, report.cases.back(), save);
    if (!done) return fail(done.error());
  }
  if (wanted.crowd) {
    report.cases.emplace_back();
    const Status done = run_crowd(extent, device.value(), asked, report.cases.back(), save);
    if (!done) return fail(done.error());
    if (report.cases.back().rows.empty()) report.cases.pop_back();
  }
  return finish({report.emulated ? "cuda-emulated" : "cuda", as_text(report), as_json(report)},
                options, report.machine, agrees(report),
                "CUDA's contacts are not the CPU's (see above)");
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  using namespace tocsin::bench;
  Wanted wanted;
  const auto more = [&](CLI::App& app) {
    app.add_option(
           "--avatars", wanted.avatars,
           "How many at once: one case each (1 10 100 1000 10000 50000; emulated: to 10000)")
        ->check(CLI::Range(1, 1'000'000));
    app.add_option("--triangles", wanted.triangles,
                   "Of the rooms (156000 1000000 10000000). 156000 is small_house.obj of "
                   "TOCSIN_DATA if it is there; others are made")
        ->check(CLI::Range(100, 100'000'000));
    app.add_option("--device", wanted.device, "As `tocsin devices` counts them (the first)")
        ->check(CLI::Range(0, 1000));
    app.add_flag("--emulate", wanted.emulate,
                 "On the processor even if there is a device; without one it is "
                 "emulated anyway");
    app.add_option("--memory", wanted.memory, "Bytes of the device to be used, e.g. 2GB (all)")
        ->transform(CLI::AsSizeValue(false));
    app.add_option("--k", wanted.k, "Of the tree's k-DOPs (6)")
        ->check(CLI::IsMember({6, 14, 18, 26}));
    app.add_option("--traversals", wanted.traversals,
                   "Of the tree for a link's candidates: 2 to count them and to write them; 1 to "
                   "write them at once (2)")
        ->check(CLI::IsMember({1U, 2U}));
    app.add_option("--lanes", wanted.lanes, "Threads a link that walk the tree (1)")
        ->check(CLI::IsMember({1U, 2U, 4U, 8U, 16U, 32U}));
    app.add_option("--steps", wanted.steps,
                   "Of a case, at least; each pass asks the CPU as many (100000; emulated: 2000)")
        ->check(CLI::Range(1, 100'000'000));
    app.add_flag("!--no-crowd", wanted.crowd,
                 "Rooms alone, without the crowd that meets in a hall");
  };
  return run_bench(
      argc, argv,
      {"Avatar-steps a second on a CUDA device beside the CPU backend, in one run: 1 to 50,000 "
       "avatars, rooms of 156 k to 10 M triangles, stage by stage, and how far from the device's "
       "ceilings. Without a device the same kernel bodies run on the processor: EMULATED, fewer "
       "and "
       "smaller cases. Exit status 1: contacts are not the CPU's.",
       "A small room, few avatars: shows that it runs, not how fast",
       "Passes over every case (7; emulated: 3)",
       {},
       "Examples:\n"
       "  bench_cuda --save                               everything, kept in bench/results\n"
       "  bench_cuda --avatars 50000 --triangles 156000   the aim on an H100\n"
       "  bench_cuda --emulate --avatars 100 --k 14 --memory 200MB\n",
       more},
      [&](const Options& options) { return run(options, wanted); });
}
