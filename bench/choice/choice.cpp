// bench_auto: what --backend auto costs beside the best backend of the machine, in rooms of several
// sizes, with one avatar and with many. docs/performance.md.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "choice/choice_run.h"
#include "make/make.h"
#include "shared/files.h"
#include "shared/machine.h"
#include "shared/options.h"
#include "tocsin/tocsin.h"

namespace tocsin::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kHouse = 156'000;
constexpr std::uint64_t kQuick = 10'000;
/// auto must not be slower than so many times the best backend.
constexpr double kAim = 1.1;

struct NamedRoom {
  std::string name;
  Environment environment;
};

Result<std::vector<NamedRoom>> rooms_of(bool quick) {
  std::vector<NamedRoom> out;
  auto made = make_room({quick ? kQuick : kHouse, 1});
  if (!made) return made.error();
  if (quick) return std::vector<NamedRoom>{{"a made room", std::move(made).value()}};
  auto demo = load_environment(source_folder() / "environments/music_room.obj");
  if (!demo) return demo.error();
  out.push_back({"the demo's room", std::move(demo).value()});
  const std::filesystem::path file = data_folder() / "environments/small_house.obj";
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored)) {
    auto house = load_environment(file);
    if (!house) return house.error();
    out.push_back({"small_house.obj", std::move(house).value()});
  }
  out.push_back({"a made house", std::move(made).value()});
  return out;
}

std::string text_of(const ChoiceRoom& room) {
  std::string out = fmt::format("\n{}, {} triangles\n  {:<16} {:>8} {:<6} {}\n", room.name,
                                room.triangles, "way", "opened s", "took", "because");
  for (const OpenedWay& w : room.ways) {
    out += fmt::format("  {:<16} {:>8.3f} {:<6} {}\n", w.way.name, w.seconds, w.backend, w.why);
  }
  out += fmt::format("  {:>7}", "avatars");
  for (const OpenedWay& w : room.ways) out += fmt::format(" {:>15}", w.way.name);
  out +=
      "   microseconds an avatar-step; choices: times the best backend, wall / "
      "processor\n";
  for (const ChoiceRow& row : room.rows) {
    out += fmt::format("  {:>7}", row.avatars);
    for (std::size_t w = 0; w < row.us.size(); ++w) {
      const std::string ratios =
          fmt::format("{:.3f} / {:.3f}", row.times_best[w], row.processor_times_best[w]);
      out += room.ways[w].way.chooses ? fmt::format(" {:>15}", ratios)
                                      : fmt::format(" {:>15.2f}", row.us[w]);
    }
    out += row.equal ? "\n" : "   CONTACTS DIFFER\n";
  }
  return out;
}

/// The greatest of all choices.
double worst(const std::vector<ChoiceRoom>& rooms, std::vector<double> ChoiceRow::*times_best) {
  double out = 0.0;
  for (const ChoiceRoom& room : rooms) {
    for (const ChoiceRow& row : room.rows) {
      out = std::max(out, *std::ranges::max_element(row.*times_best));
    }
  }
  return out;
}

Json json_of(const ChoiceRoom& room) {
  Json out{{"room", room.name}, {"triangles", room.triangles}};
  for (const OpenedWay& w : room.ways) {
    out["ways"].push_back({{"way", w.way.name},
                           {"backend", w.backend},
                           {"choice", w.why},
                           {"open_seconds", w.seconds}});
  }
  for (const ChoiceRow& row : room.rows) {
    Json one{{"avatars", row.avatars}, {"equal", row.equal}};
    for (std::size_t w = 0; w < row.us.size(); ++w) {
      const std::string& name = room.ways[w].way.name;
      one["us_per_step"][name] = row.us[w];
      one["processor_us_per_step"][name] = row.processor_us[w];
      if (!room.ways[w].way.chooses) continue;
      one["times_best"][name] = row.times_best[w];
      one["processor_times_best"][name] = row.processor_times_best[w];
    }
    out["rows"].push_back(std::move(one));
  }
  return out;
}

int fail(const Error& error) {
  fmt::print(stderr, "error: {}\n", error.message);
  return 3;
}

int run(const Options& options) {
  auto rooms = rooms_of(options.quick);
  if (!rooms) return fail(rooms.error());
  const std::vector<ChoiceWay> ways = choice_ways();
  const std::vector<std::size_t> avatars =
      options.quick ? std::vector<std::size_t>{1, 8} : std::vector<std::size_t>{1, 16, 256, 1'000};
  const std::size_t passes = options.passes > 0 ? options.passes : options.quick ? 1 : 40;
  std::vector<ChoiceRoom> done;
  for (const NamedRoom& room : *rooms) {
    fmt::print(stderr, "{} ...\n", room.name);
    auto one = run_choice(room.name, room.environment, ways, avatars, passes);
    if (!one) return fail(one.error());
    done.push_back(std::move(one).value());
  }
  const Machine machine = this_machine();
  std::string text = "bench/choice: --backend auto beside the best backend of this machine\n\n" +
                     machine_text(machine);
  Json json = json_head("tocsin.bench.auto.v1", options.quick, machine);
  json["passes"] = passes;
  const double wall = worst(done, &ChoiceRow::times_best);
  const double processor = worst(done, &ChoiceRow::processor_times_best);
  json["worst_times_best"] = wall;
  json["worst_processor_times_best"] = processor;
  bool equal = true;
  for (const ChoiceRoom& room : done) {
    text += text_of(room);
    json["rooms"].push_back(json_of(room));
    equal = equal && std::ranges::all_of(room.rows, &ChoiceRow::equal);
  }
  text += fmt::format(
      "\nAt worst a choice takes {:.3f} times the best backend by the clock on the wall, and "
      "{:.3f} "
      "times of the processor;\n{} at most is meant.\n\n"
      "Every pass asks all ways about every batch, in turns; of each batch the least time of {} "
      "passes counts. processor: of\nall threads together, which other programs disturb less; a "
      "device takes no part in it. A choice is divided by the best\nbackend that it could take: of "
      "those that are named, and of emulated ones if the choice is. What takes more than 1 s "
      "a\npass "
      "is asked in one. opened: the tree, the device, and what a choice measures.\n",
      wall, processor, kAim, passes);
  return finish({"auto", text, json.dump(1) + "\n"}, options, machine, equal,
                "the contacts of the ways differ (see above)");
}

}  // namespace
}  // namespace tocsin::bench

int main(int argc, char** argv) {
  return tocsin::bench::run_bench(
      argc, argv,
      {"What --backend auto costs beside every backend that works here, in the same run: the "
       "demo's "
       "room, small_house.obj of TOCSIN_DATA and a made house; 1 to 1,000 avatars. Exit status 1: "
       "contacts differ.",
       "A small room, few avatars: shows that it runs, not how fast",
       "Passes over every case (40)"},
      tocsin::bench::run);
}
