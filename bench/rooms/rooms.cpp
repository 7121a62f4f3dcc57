// bench_rooms: the same steps in a small room and in a large one of the same plan, by
// Detector::check and by Stream::check. docs/performance.md explains the figures.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "make/make.h"
#include "shared/files.h"
#include "shared/loading_files.h"
#include "shared/options.h"
#include "shared/timing.h"
#include "tocsin/stream.h"

namespace tocsin::bench {
namespace {

/// Steps that are timed together; a reading of the clock (some 300 ns) is small beside them.
constexpr std::size_t kBatch = 16;
constexpr std::uint64_t kSeed = 1;

/// A house with its tree, and what it cost to get there.
struct Room {
  Environment environment;
  std::optional<Detector> detector;
  double file_megabytes = 0.0;
  double load_seconds = 0.0;
  double tree_seconds = 0.0;
};

/// A take at a place. Both rooms have the same plan, so it is clear of both or among the same
/// furniture, of more triangles in the large one.
struct Place {
  std::string name;
  std::string what;
  Performance kind = Performance::kWalk;
  Placement placement;
};

// 3 cm above the floor, which would otherwise be in contact all the time.
const std::array<Place, 3> kPlaces{{
    {"clear", "a reach, clear of everything", Performance::kReach, {{-2.0, 0.03, 0.0}, 0.0}},
    {"among", "a cartwheel among furniture", Performance::kCartwheel, {{-2.0, 0.03, -2.5}, 0.0}},
    {"through", "a reach inside furniture", Performance::kReach, {{-4.0, 0.03, -2.5}, 0.0}},
}};

enum Row : std::size_t { kSmallCheck, kLargeCheck, kSmallStream, kLargeStream, kRows };
constexpr std::array<const char*, kRows> kRowNames{"small, Detector::check",
                                                   "large, Detector::check", "small, Stream::check",
                                                   "large, Stream::check"};

struct PlaceResult {
  const Place* place = nullptr;
  std::int64_t stride = 1;
  std::size_t steps = 0;
  std::array<std::uint64_t, 2> contacts{};    ///< small, large
  std::array<std::uint64_t, 2> candidates{};  ///< small, large
  bool stream_equal = true;
  Samples samples{kRows, 0};
};

Result<Room> make(std::uint64_t triangles, const TemporaryFolder& folder) {
  Room out;
  const auto file = folder.path() / "room.ply";
  {
    const Result<Environment> made = make_room({triangles, kSeed});
    if (!made.ok()) return made.error();
    const Status saved = save_environment(*made, file);
    if (!saved.ok()) return saved.error();
  }
  out.file_megabytes = 1e-6 * static_cast<double>(std::filesystem::file_size(file));
  double begin = now_us();
  Result<Environment> loaded = load_environment(file);
  out.load_seconds = 1e-6 * (now_us() - begin);
  std::filesystem::remove(file);
  if (!loaded.ok()) return loaded.error();
  out.environment = std::move(loaded).value();
  begin = now_us();
  auto detector = Detector::make(out.environment);
  out.tree_seconds = 1e-6 * (now_us() - begin);
  if (!detector) return detector.error();
  out.detector = std::move(detector).value();
  return out;
}

/// Counts, and whether streams report what the detectors do. Untimed.
void check_answers(const std::array<const Detector*, 2>& rooms, const Avatar& avatar,
                   const std::vector<Step>& steps, PlaceResult& result) {
  for (std::size_t room = 0; room < rooms.size(); ++room) {
    Stream stream(*rooms[room], avatar);
    for (const Step& step : steps) {
      const StepReport report = rooms[room]->check(avatar, step);
      const StepReport streamed = stream.check(step);
      result.contacts[room] += report.contacts.size();
      result.candidates[room] += report.counters.candidates;
      if (streamed.contacts != report.contacts || streamed.safe_until != report.safe_until) {
        result.stream_equal = false;
      }
    }
  }
}

Result<PlaceResult> run_place(const Place& place, std::int64_t stride, double seconds,
                              const std::array<const Detector*, 2>& rooms, std::size_t passes) {
  const Result<Motion> take =
      make_motion({.kind = place.kind, .seconds = seconds, .rate = 120.0, .seed = kSeed});
  if (!take.ok()) return take.error();
  const Result<Motion> placed = take->placed(place.placement);
  if (!placed.ok()) return placed.error();
  const Result<Avatar> avatar = Avatar::bind(*load_avatar_model("humanoid16"), placed->skeleton());
  if (!avatar.ok()) return avatar.error();
  const Result<StepList> list = placed->steps({.stride = stride});
  if (!list.ok()) return list.error();
  const std::vector<Step> steps(list->begin(), list->end());
  const std::size_t batches = (steps.size() + kBatch - 1) / kBatch;
  PlaceResult out;
  out.place = &place;
  out.stride = stride;
  out.steps = steps.size();
  out.samples = Samples(kRows, batches);
  check_answers(rooms, *avatar, steps, out);
  std::array<Stream, 2> streams{Stream(*rooms[0], *avatar), Stream(*rooms[1], *avatar)};
  const auto time = [&](std::size_t row, std::size_t batch) {
    const std::size_t room = row % 2;
    const std::size_t end = std::min((batch + 1) * kBatch, steps.size());
    const double begin = cpu_us();
    for (std::size_t i = batch * kBatch; i < end; ++i) {
      if (row < kSmallStream) {
        keep(rooms[room]->check(*avatar, steps[i]));
      } else {
        keep(streams[room].check(steps[i]));
      }
    }
    out.samples.set(row, batch, (cpu_us() - begin) / static_cast<double>(end - batch * kBatch));
  };
  for (std::size_t pass = 0; pass < passes; ++pass) {
    out.samples.next_pass();
    for (std::size_t batch = 0; batch < batches; ++batch) {
      for (std::size_t i = 0; i < kRows; ++i) time(pass % 2 == 0 ? i : kRows - 1 - i, batch);
    }
  }
  return out;
}

struct Report {
  Machine machine;
  bool quick = false;
  std::array<const Room*, 2> rooms{};
  std::vector<PlaceResult> places;
};

std::string as_text(const Report& r) {
  fmt::memory_buffer out;
  const auto put = [&](const std::string& text) {
    fmt::format_to(std::back_inserter(out), "{}", text);
  };
  put("bench/rooms: the same steps in a small room and in a large one of the same plan\n\n");
  put(machine_text(r.machine));
  if (r.quick) put("\nQUICK RUN: too small and too few passes for figures to be quoted\n");
  for (const Room* room : r.rooms) {
    put(fmt::format(
        "room        {} triangles, {} objects; PLY of {:.0f} MB loaded in {:.3f} s, tree "
        "built in {:.3f} s\n",
        room->environment.triangles().size(), room->environment.objects().size(),
        room->file_megabytes, room->load_seconds, room->tree_seconds));
  }
  for (const PlaceResult& p : r.places) {
    put(fmt::format("\n{}, stride {}: {}; {} steps; contacts {} and {}, candidates {} and {}{}\n",
                    p.place->name, p.stride, p.place->what, p.steps, p.contacts[0], p.contacts[1],
                    p.candidates[0], p.candidates[1],
                    p.stream_equal ? "" : "; Stream::check DIFFERS FROM Detector::check"));
    put(fmt::format("  {:<24} {:>8} {:>8} {:>8}\n", "microseconds per step", "median", "p99",
                    "mean"));
    for (std::size_t row = 0; row < kRows; ++row) {
      const Figures f = p.samples.along_take(row);
      put(fmt::format("  {:<24} {:>8.2f} {:>8.2f} {:>8.2f}\n", kRowNames[row], f.median, f.p99,
                      f.mean));
    }
    for (const auto& [large, small, name] :
         {std::tuple(kLargeCheck, kSmallCheck, "Detector::check"),
          std::tuple(kLargeStream, kSmallStream, "Stream::check")}) {
      const Figures ratio = p.samples.ratio(large, small);
      put(fmt::format("  large / small, {}: medians {:.2f}, totals {:.2f} ({:.2f} to {:.2f})\n",
                      name, p.samples.along_take(large).median / p.samples.along_take(small).median,
                      ratio.median, ratio.p10, ratio.p90));
    }
  }
  put("\nTimes are processor time of one thread, along the take, over batches of 16 steps; load "
      "and\n"
      "tree are by the clock on the wall.\n");
  return to_string(out);
}

std::string as_json(const Report& r) {
  using Json = nlohmann::ordered_json;
  Json out = json_head("tocsin.bench.rooms.v1", r.quick, r.machine);
  for (const Room* room : r.rooms) {
    out["rooms"].push_back({{"triangles", room->environment.triangles().size()},
                            {"load_seconds", room->load_seconds},
                            {"tree_seconds", room->tree_seconds}});
  }
  for (const PlaceResult& p : r.places) {
    Json one = {{"place", p.place->name},     {"stride", p.stride},
                {"steps", p.steps},           {"contacts", p.contacts},
                {"candidates", p.candidates}, {"stream_equal", p.stream_equal}};
    for (std::size_t row = 0; row < kRows; ++row) {
      const Figures f = p.samples.along_take(row);
      one["microseconds_per_step"][kRowNames[row]] = {
          {"median", f.median}, {"p99", f.p99}, {"mean", f.mean}};
    }
    one["large_over_small"] = {{"check", p.samples.ratio(kLargeCheck, kSmallCheck).median},
                               {"stream", p.samples.ratio(kLargeStream, kSmallStream).median}};
    out["places"].push_back(std::move(one));
  }
  return out.dump(1) + "\n";
}

int run(const Options& options) {
  const TemporaryFolder folder;
  const Result<Room> small = make(options.quick ? 20'000 : 156'000, folder);
  const Result<Room> large = make(options.quick ? 60'000 : 10'000'000, folder);
  for (const auto* room : {&small, &large}) {
    if (room->ok()) continue;
    fmt::print(stderr, "error: {}\n", room->error().message);
    return 3;
  }
  Report report{this_machine(), options.quick, {&small.value(), &large.value()}, {}};
  const std::size_t passes = options.passes > 0 ? options.passes : options.quick ? 2 : 15;
  bool equal = true;
  for (const Place& place : kPlaces) {
    for (const std::int64_t stride : {1, 12}) {
      Result<PlaceResult> result = run_place(place, stride, options.quick ? 1.0 : 8.0,
                                             {&*small->detector, &*large->detector}, passes);
      if (!result.ok()) {
        fmt::print(stderr, "error: {}\n", result.error().message);
        return 3;
      }
      equal = equal && result->stream_equal;
      report.places.push_back(std::move(result).value());
    }
  }
  const Results results{"rooms", as_text(report), as_json(report)};
  return finish(results, options, report.machine, equal,
                "a Stream's reports are not the detector's (see above)");
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  return tocsin::bench::run_bench(
      argc, argv,
      {"The same steps in a room of 156,000 triangles and in one of 10 million of the same plan. "
       "Exit status 1: a Stream's reports are not the detector's.",
       "Small rooms, few steps: shows that it runs, not how fast", "Passes over every case (15)"},
      tocsin::bench::run);
}
