#include "gl/gl_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace tocsin::bench {

namespace {

using Json = nlohmann::ordered_json;

/// Three digits that count.
std::string time_text(double us) {
  const auto three = [](double x) {
    return fmt::format("{:.{}f}", x, x < 10 ? 2 : x < 100 ? 1 : 0);
  };
  if (us < 1e3) return three(us) + " us";
  return us < 1e6 ? three(1e-3 * us) + " ms" : three(1e-6 * us) + " s";
}

/// Mean and median, as the paper's table has averages.
std::string text_of(const Measured& m) {
  if (m.us.empty()) return fmt::format("{:>21}", m.skipped.empty() ? "-" : m.skipped);
  const Figures f = m.figures();
  return fmt::format("{:>10} {:>10}", time_text(f.mean), time_text(f.median));
}

class Text {
 public:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  [[nodiscard]] std::string text() const { return to_string(out_); }

 private:
  fmt::memory_buffer out_;
};

/// All rows: the kinematics' first.
std::vector<PaperRow> rows_of(const GlSceneReport& s) {
  std::vector<PaperRow> out = paper_rows(s.kinematics);
  out.insert(out.end() - 1, {"swept_boxes_interval", "Swept AABBs update, interval matrices",
                             "50 us", &s.interval_boxes});
  const std::vector<PaperRow> others = paper_rows(s.table.rows);
  out.insert(out.end(), others.begin(), others.end());
  return out;
}

/// The paper's figure, in its column.
std::string paper(std::string_view figure) {
  return figure.empty() ? std::string() : fmt::format(" {:>12}", figure);
}

/// How many are behind a figure.
std::string count_of(const Measured& m) {
  return m.us.empty() ? std::string() : fmt::format("   n {}", m.us.size());
}

void put_table(Text& out, const GlSceneReport& scene) {
  const TableResult& table = scene.table;
  out.put("\n  Table 1 of paper 004, averages           {:>10} {:>10} {:>12}\n", "here", "median",
          "paper 004");
  for (const PaperRow& row : rows_of(scene)) {
    out.put("  {:<41}{}{}\n", row.text, text_of(*row.ours), paper(row.paper));
  }
  out.put("  Interference detection (one link){:>41}\n", "600 us");
  for (const WayRows& way : table.ways) {
    out.put("    {:<39}{}{}; {:.1f} pairs, {:.1f} stay{}\n", way.way.text(),
            text_of(way.interference), count_of(way.interference), way.pairs, way.kept,
            way.same_as_other_method ? "" : "; OTHERS THAN BY THE OTHER METHOD");
  }
  out.put("  Backtracking step (one link){:>46}\n", "500 us");
  for (const WayRows& way : table.ways) {
    out.put("    {:<39}{}{}\n", way.way.text(), text_of(way.backtracking),
            count_of(way.backtracking));
  }
}

void put_frames(Text& out, const FrameResult& frames) {
  out.put("\n  Whole frame, one avatar                  {:>10} {:>10} {:>12}\n", "here", "median",
          "paper 004");
  out.put("    {:<39}{}\n", "CPU, certified", text_of(frames.cpu));
  for (const FrameRows& row : frames.ways) {
    out.put("    {:<39}{}{:>13}{}{}\n", row.way.text() + ", certified", text_of(row.certified), "",
            count_of(row.certified), row.equal ? "" : "  CONTACTS DIFFER FROM THE CPU'S");
    out.put("    {:<39}{}{}{}{}\n", row.way.text() + ", image space", text_of(row.image),
            paper("10-30 ms"), count_of(row.image), row.covered ? "" : "  MISSES SOMETHING");
  }
}

void put_crowd(Text& out, const GlReport& r) {
  out.put(
      "\nMany avatars a frame, each one step of 8 ms, in one batch; a made room of {} triangles; "
      "flags, 64 x 64\n  {:>8} {:>9}  {:<21}  {:<21}  {}\n",
      r.crowd_triangles, "avatars", "contacts", "CPU, all threads", "certified", "image space");
  for (const CrowdRows& row : r.crowd) {
    out.put("  {:>8} {:>9.1f} {} {} {}{}{}\n", row.avatars, row.contacts, text_of(row.cpu),
            text_of(row.certified), text_of(row.image),
            row.equal ? "" : "  CONTACTS DIFFER FROM THE CPU'S",
            row.covered ? "" : "  IMAGE SPACE MISSES SOMETHING");
  }
}

void put_deforming(Text& out, const GlReport& r) {
  const DeformingResult& d = r.deforming;
  out.put("\nA deforming room: {}; every vertex moves in each of {} frames; {} contacts\n",
          r.deforming_scene->name, d.frames, d.contacts);
  for (const auto& [text, row] :
       {std::pair("Environment::with_vertices", &d.replace),
        std::pair("cpu: moved() (tree fitted)", &d.cpu_moved),
        std::pair("cpu: check()", &d.cpu_check),
        std::pair("gl: moved() (the same, and upload)", &d.gl_moved),
        std::pair("gl: check()", &d.gl_check), std::pair("cpu: built anew", &d.cpu_built)}) {
    out.put("    {:<39}{}\n", text, text_of(*row));
  }
  out.put("  hash of the contacts: built anew {}, cpu {}, gl {}{}\n", d.built_hash, d.cpu_hash,
          d.gl_hash, d.equal() ? ": equal" : ": NOT EQUAL");
}

Json json_of(const Measured& m) {
  if (m.us.empty()) return m.skipped.empty() ? Json(nullptr) : Json(m.skipped);
  const Figures f = m.figures();
  return {{"mean_us", f.mean}, {"median_us", f.median}, {"p90_us", f.p90}, {"n", m.us.size()}};
}

Json json_of(const GlWay& way) {
  return {{"width", way.width},
          {"height", way.height},
          {"method", way.method == GlMethod::kQuery ? "query" : "flags"}};
}

Json json_of(const GlSceneReport& s) {
  Json out = {{"room", s.scene->name},
              {"take", s.scene->take},
              {"triangles", s.scene->environment.triangles().size()},
              {"clusters", s.table.rows.room_clusters},
              {"steps", s.scene->steps.size()},
              {"steps_near_something", s.scene->near.size()},
              {"near_links", s.scene->near_links}};
  for (const PaperRow& row : rows_of(s)) out["table_1"][row.key] = json_of(*row.ours);
  for (const WayRows& way : s.table.ways) {
    Json one = json_of(way.way);
    one["interference"] = json_of(way.interference);
    one["backtracking"] = json_of(way.backtracking);
    one["pairs"] = way.pairs;
    one["kept"] = way.kept;
    one["same_as_other_method"] = way.same_as_other_method;
    out["one_link"].push_back(std::move(one));
  }
  out["frame"]["cpu"] = json_of(s.frames.cpu);
  for (const FrameRows& row : s.frames.ways) {
    Json one = json_of(row.way);
    one["certified"] = json_of(row.certified);
    one["image_space"] = json_of(row.image);
    one["contacts_equal"] = row.equal;
    one["image_space_covers"] = row.covered;
    out["frame"]["gl"].push_back(std::move(one));
  }
  return out;
}

}  // namespace

std::string as_text(const GlReport& r) {
  Text out;
  out.put("bench/gl: the OpenGL backend, beside Table 1 of the main paper (paper 004)\n\n{}",
          machine_text(r.machine));
  out.put("GL device   {}\n            {}; {}; triangles drawn by: {}\n", r.device.renderer,
          r.device.version, r.device.way, r.raster);
  if (r.device.software) {
    out.put(
        "\nNOT RUN ON A GPU: this device is a program on the processor. What is aimed at on a GPU "
        "(0.3 ms a\nframe for one avatar, 1,000 avatars a frame in 30 ms) says nothing about "
        "these times.\n");
  }
  if (r.quick) out.put("\nQUICK RUN: too small and too few rounds for figures to be quoted\n");
  for (const GlSceneReport& s : r.scenes) {
    out.put("\nroom        {}, {} objects, {} clusters\n", s.scene->name,
            s.scene->environment.objects().size(), s.table.rows.room_clusters);
    out.put("take        {}; {} steps, {} of them near something, with {:.1f} of {} links\n",
            s.scene->take, s.scene->steps.size(), s.scene->near.size(), s.scene->near_links,
            s.scene->avatar.links().size());
    put_table(out, s);
    put_frames(out, s.frames);
  }
  put_crowd(out, r);
  put_deforming(out, r);
  out.put(
      "\nTimes are by the clock on the wall; those of rows without a resolution, but for the "
      "rendering,\nprocessor time of one thread. Links, steps and frames are those near "
      "something, taken in an order\nwithout pattern for as long as a cell's budget lasts (n: "
      "how many). The paper's figures are from a\n2.4 GHz Pentium IV and a graphics card of "
      "2003 with another room and motion: they give the scale.\n");
  return out.text();
}

std::string as_json(const GlReport& r) {
  Json out = json_head("tocsin.bench.gl.v1", r.quick, r.machine);
  out["gl_device"] = {
      {"renderer", r.device.renderer}, {"vendor", r.device.vendor}, {"version", r.device.version},
      {"way", r.device.way},           {"raster", r.raster},        {"gpu", !r.device.software}};
  for (const GlSceneReport& s : r.scenes) out["rooms"].push_back(json_of(s));
  out["crowd"]["triangles"] = r.crowd_triangles;
  for (const CrowdRows& row : r.crowd) {
    out["crowd"]["frames"].push_back({{"avatars", row.avatars},
                                      {"contacts", row.contacts},
                                      {"cpu", json_of(row.cpu)},
                                      {"certified", json_of(row.certified)},
                                      {"image_space", json_of(row.image)},
                                      {"contacts_equal", row.equal},
                                      {"image_space_covers", row.covered}});
  }
  const DeformingResult& d = r.deforming;
  out["deforming"] = {{"room", r.deforming_scene->name},
                      {"triangles", d.triangles},
                      {"frames", d.frames},
                      {"contacts", d.contacts},
                      {"with_vertices", json_of(d.replace)},
                      {"cpu_moved", json_of(d.cpu_moved)},
                      {"cpu_check", json_of(d.cpu_check)},
                      {"gl_moved", json_of(d.gl_moved)},
                      {"gl_check", json_of(d.gl_check)},
                      {"cpu_built", json_of(d.cpu_built)},
                      {"hash_built", d.built_hash},
                      {"hash_cpu", d.cpu_hash},
                      {"hash_gl", d.gl_hash}};
  return out.dump(1) + "\n";
}

bool agrees(const GlReport& r) {
  return r.deforming.equal() &&
         std::all_of(r.crowd.begin(), r.crowd.end(),
                     [](const CrowdRows& row) { return row.equal && row.covered; }) &&
         std::all_of(r.scenes.begin(), r.scenes.end(), [](const GlSceneReport& s) {
           return std::all_of(s.table.ways.begin(), s.table.ways.end(),
                              [](const WayRows& way) { return way.same_as_other_method; }) &&
                  std::all_of(s.frames.ways.begin(), s.frames.ways.end(),
                              [](const FrameRows& row) { return row.equal && row.covered; });
         });
}

}  // namespace tocsin::bench
