#include "rooms/loading_output.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

namespace tocsin::bench {

namespace {

using Json = nlohmann::ordered_json;

Json figures_json(const Figures& f) {
  return {{"median", f.median}, {"p10", f.p10}, {"p90", f.p90}};
}

double megabytes_per_second(const LoadingCase& c) {
  return c.load.median > 0.0 ? 1e-6 * static_cast<double>(c.bytes) / c.load.median : 0.0;
}

}  // namespace

std::string loading_text(const LoadingReport& r) {
  fmt::memory_buffer out;
  const auto put = [&](std::string_view text) {
    fmt::format_to(std::back_inserter(out), "{}", text);
  };
  put("bench/loading: from a room file (in the page cache) to an environment\n\n");
  put(machine_text(r.machine));
  if (!r.has_house) put("house       not here: set TOCSIN_DATA to the folder of the test data\n");
  if (r.quick) put("\nQUICK RUN: too small and too few passes for figures to be quoted\n");
  put(fmt::format(
      "\n{:<26} {:>7} {:>9} {:>8} {:>7} {:>8} {:>6} {:>16} {:>7} {:>8} {:>14} {:>8} {:>6}\n",
      "milliseconds", "MB", "triangles", "objects", "passes", "load", "MB/s", "load, on the wall",
      "wanted", "assimp", "assimp / load", "SHA-256", "save"));
  for (const LoadingCase& c : r.cases) {
    put(fmt::format(
        "{:<26} {:>7.1f} {:>9} {:>8} {:>7} {:>8.1f} {:>6.0f} {:>17.1f} {:>7} {:>8.0f} {:>14.1f} "
        "{:>8.1f} {:>6}{}\n",
        c.name, 1e-6 * static_cast<double>(c.bytes), c.triangles, c.objects, c.passes,
        1e3 * c.load.median, megabytes_per_second(c), 1e3 * c.load_wall.median,
        c.limit_seconds > 0.0 ? fmt::format("< {:.0f}", 1e3 * c.limit_seconds) : "",
        1e3 * c.assimp.median, c.ratio.median, 1e3 * c.hash.median,
        c.save_seconds > 0.0 ? fmt::format("{:.0f}", 1e3 * c.save_seconds) : "",
        c.same ? "" : "   DIFFERS"));
  }
  put("\nload: load_environment(), the whole call, on one thread. assimp: Importer::ReadFile() "
      "without "
      "post-processing, up to\nits own scene, in the same run on the same file, in turn with load. "
      "SHA-256: what `check` does with each input\nbesides. save: save_environment(), once. "
      "Medians over "
      "the passes, processor time unless said otherwise; files in the\npage cache. Triangles, "
      "vertices and names read are those written, and assimp counts as many faces.\n");
  return to_string(out);
}

std::string loading_json(const LoadingReport& r) {
  Json cases = Json::array();
  for (const LoadingCase& c : r.cases) {
    Json one = {{"name", c.name},
                {"format", c.format},
                {"bytes", c.bytes},
                {"triangles", c.triangles},
                {"vertices", c.vertices},
                {"objects", c.objects},
                {"passes", c.passes},
                {"load_seconds", figures_json(c.load)},
                {"load_wall_seconds", figures_json(c.load_wall)},
                {"megabytes_per_second", megabytes_per_second(c)},
                {"assimp_seconds", figures_json(c.assimp)},
                {"assimp_over_load", figures_json(c.ratio)},
                {"sha256_seconds", figures_json(c.hash)},
                {"same", c.same}};
    if (c.limit_seconds > 0.0) one["wanted_seconds"] = c.limit_seconds;
    if (c.save_seconds > 0.0) one["save_seconds"] = c.save_seconds;
    cases.push_back(std::move(one));
  }
  Json out = json_head("tocsin.bench.loading.v1", r.quick, r.machine);
  out["cases"] = std::move(cases);
  return out.dump(1) + "\n";
}

}  // namespace tocsin::bench
