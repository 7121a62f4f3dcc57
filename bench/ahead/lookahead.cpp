// bench_lookahead: what is predicted ahead of time, against what then happened, on all takes.
// docs/lookahead.md.
#include "tocsin/live/lookahead.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ahead/forecast.h"
#include "shared/files.h"
#include "shared/machine.h"
#include "shared/options.h"
#include "tocsin/tocsin.h"

namespace tocsin::bench {
namespace {

namespace fs = std::filesystem;

/// Where takes are placed in the house: free floor, and among furniture.
const std::vector<Placement> kPlaces{
    {{3.0, 0.03, 1.0}, 0.0},   {{5.4, 0.03, -4.0}, 0.0}, {{-4.5, 0.03, 0.0}, 0.0},
    {{-7.5, 0.03, 2.0}, 90.0}, {{0.0, 0.03, 1.5}, 0.0},  {{6.5, 0.03, 1.0}, 90.0},
};

struct Plan {
  Environment room;
  std::string room_name;
  std::vector<fs::path> takes;
  std::vector<Placement> places;
  double rate = 0.0;  ///< frames a second of the takes
};

Result<Plan> make_plan(bool quick) {
  Plan out;
  const fs::path data = data_folder();
  std::error_code ignored;
  const bool recorded = fs::exists(data / "environments/small_house.obj", ignored);
  const fs::path folder = recorded ? data : source_folder();
  out.room_name = recorded ? "environments/small_house.obj" : "environments/music_room.obj";
  out.places = recorded ? kPlaces : std::vector<Placement>{{}};
  if (recorded) {
    for (const auto& file : fs::directory_iterator(data / "motions/cmu")) {
      if (file.path().extension() == ".amc") out.takes.push_back(file.path());
    }
    out.takes.push_back(data / "motions/cmu_bvh/01_01.bvh");
  } else {
    out.takes.push_back(folder / "motions/walk_and_reach.bvh");
  }
  std::sort(out.takes.begin(), out.takes.end());
  if (quick) {
    out.takes.resize(1);
    out.places.assign(1, recorded ? kPlaces[1] : Placement{});
  }
  const auto first = load_motion(out.takes.front());
  if (!first) return first.error();
  out.rate = 1.0 / first->frame_time();
  auto room = load_environment(folder / out.room_name);
  if (!room) return room.error();
  out.room = std::move(room).value();
  return out;
}

/// One rate and one lookahead, over all takes and places.
struct Row {
  int stride = 1;
  double rate = 0.0;
  double seconds = 0.0;
  ForecastTally all;
  ForecastTally floor;  ///< of these, feet and all else on the floor and its carpets
};

nlohmann::ordered_json json_of(const ForecastTally& t) {
  return {{"contacts", t.touches},
          {"predicted", t.predicted},
          {"half_lead", t.half_lead},
          {"lead_ms_p50", 1e3 * percentile(t.leads, 0.5)},
          {"error_ms_p50", 1e3 * percentile(t.errors, 0.5)},
          {"error_ms_p90", 1e3 * percentile(t.errors, 0.9)},
          {"last_error_ms_p50", 1e3 * percentile(t.last_errors, 0.5)},
          {"alarms", t.alarms},
          {"false_alarms", t.false_alarms},
          {"minutes", t.seconds / 60.0}};
}

double share(std::size_t part, std::size_t of) {
  return of == 0 ? 0.0 : 100.0 * static_cast<double>(part) / static_cast<double>(of);
}

constexpr std::string_view kHead =
    "\n  rate  ahead | contacts  foreseen  at half  lead ms | error ms   p90 | alarms   false  a "
    "minute | us/step  ahead\n";

std::string line_of(const Row& row, const ForecastTally& t) {
  const double a_minute =
      t.seconds > 0.0 ? 60.0 * static_cast<double>(t.false_alarms) / t.seconds : 0.0;
  return fmt::format(
      "{:>4.0f} Hz {:>3.0f} ms | {:>8} {:>7.1f} % {:>6.1f} % {:>8.0f} | {:>8.1f} {:>5.0f} | {:>6} "
      "{:>5.0f} % {:>9.1f} | {:>7.1f} {:>6.1f}\n",
      row.rate, 1e3 * row.seconds, t.touches, share(t.predicted, t.touches),
      share(t.half_lead, t.touches), 1e3 * percentile(t.leads, 0.5),
      1e3 * percentile(t.errors, 0.5), 1e3 * percentile(t.errors, 0.9), t.alarms,
      share(t.false_alarms, t.alarms), a_minute, t.step_us(), t.ahead_us());
}

constexpr std::string_view kLegend =
    "\nContacts: of a link and an object that begin, 50 ms or more after the pair's last. "
    "Foreseen: "
    "at any\npose from the lookahead before on; at half: at least half of it before. Lead: from "
    "the "
    "first prediction\nto the contact, median. Error: of the predicted time, median and 90 % of "
    "all "
    "predictions of contacts\nthat came. Alarms: predictions of one pair that follow each other; "
    "false: the pair did not touch within\nthe lookahead and 50 ms after the last of them. Times: "
    "of Stream::check, of a step and of one ahead.\n";

struct Tried {
  std::vector<int> strides{1, 2, 4};
  int base = 1;
  double damp = 1.0;
};

int run(const Options& options, const Tried& tried) {
  const Machine machine = this_machine();
  const Plan plan = make_plan(options.quick).value();
  const Detector detector = Detector::make(plan.room).value();
  std::vector<Row> rows;
  for (const int stride : tried.strides) {
    for (const double seconds : {0.05, 0.1, 0.2})
      rows.push_back({stride, plan.rate / stride, seconds, {}, {}});
  }
  std::size_t frames = 0;
  for (const fs::path& file : plan.takes) {
    const Motion motion = load_motion(file).value();
    const BoundAvatar bound =
        bind_avatar(load_avatar_model("humanoid16").value(), motion, {}).value();
    for (const Placement& place : plan.places) {
      const Motion placed = motion.placed(place).value();
      const BoundAvatar here =
          bind_avatar(load_avatar_model("humanoid16").value(), placed, {}).value();
      std::map<int, Course> courses;
      for (const int stride : tried.strides) {
        courses.emplace(stride, Course(detector, here.avatar, placed, stride, options.quick));
      }
      frames += static_cast<std::size_t>(placed.frame_count());
      for (Row& row : rows) {
        courses.at(row.stride).forecast(row.seconds, tried.base, tried.damp, row.all, row.floor);
      }
    }
  }
  std::string text = "bench/lookahead: contacts predicted, against what then happened\n\n";
  text += machine_text(machine);
  if (options.quick) text += "\nQUICK RUN: too small for figures to be quoted\n";
  text += fmt::format("\n{} takes at {} places in {}: {} frames\n", plan.takes.size(),
                      plan.places.size(), plan.room_name, frames);
  std::string of_floor = "\nOf these, with the floor and its carpets:\n" + std::string(kHead);
  text += kHead;
  auto json = json_head("tocsin.bench.lookahead.v1", options.quick, machine);
  bool sound = true;
  for (const Row& row : rows) {
    text += line_of(row, row.all);
    of_floor += line_of(row, row.floor);
    json["rows"].push_back({{"hz", row.rate},
                            {"lookahead_ms", 1e3 * row.seconds},
                            {"all", json_of(row.all)},
                            {"floor", json_of(row.floor)},
                            {"step_us", row.all.step_us()},
                            {"ahead_us", row.all.ahead_us()}});
    sound = sound && (row.stride > 1 || row.all.predicted > 0);
  }
  text += of_floor;
  text += kLegend;
  return finish({"lookahead", text, json.dump(1) + "\n"}, options, machine, sound,
                "no contact was predicted");
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  tocsin::bench::Tried tried;
  return tocsin::bench::run_bench(
      argc, argv,
      {.what = "What is predicted of the takes' contacts 50, 100 and 200 ms ahead, and what then "
               "happened. Exit status 1: no contact was predicted.",
       .quick = "One take at one place: shows that it runs",
       .passes = "Not used",
       .more =
           [&](CLI::App& app) {
             app.add_option("--base", tried.base, "Frames over which velocities are taken (1)");
             app.add_option("--damp", tried.damp, "Share of the way that joints go (1)");
             app.add_option("--strides", tried.strides, "Strides of the takes' 120 Hz (1 2 4)");
           }},
      [&](const tocsin::bench::Options& options) { return tocsin::bench::run(options, tried); });
}
