#include "app/report/page_data.h"

#include <fmt/format.h>

#include <array>

#include "app/cli/words.h"
#include "app/export/shown_times.h"
#include "io/report/json_line.h"
#include "io/report/option_names.h"

namespace tocsin::app {
namespace {

using io::JsonLine;

void append_pair(JsonLine& json, const Job& job, const io::ToldPair& pair) {
  json.key("avatar").value(pair.avatar).key("link").value(pair.link);
  if (pair.of_links()) {
    json.key("other_avatar").value(pair.other_avatar).key("other_link").value(pair.other_link);
  } else {
    json.key("object").value(pair.object);
  }
  json.key("link_text").value(told_link_text(job, pair.avatar, pair.link));
  json.key("thing_text").value(told_thing_text(job, pair));
}

void append_contact(JsonLine& json, const Job& job, const io::ToldContact& c, std::size_t episode) {
  json.open('{').key("episode").value(static_cast<std::int64_t>(episode));
  json.key("step").value(c.step).key("frames").array(c.frames);
  json.key("seconds").array(c.seconds).key("toc").array(c.toc);
  json.key("span").array(step_times(job, c.pair.avatar, c.step));
  json.key("status").value(io::name_of(c.status)).key("point").array(c.point);
  json.key("normal");
  if (c.normal) {
    json.array(*c.normal);
  } else {
    json.raw("null");
  }
  if (c.triangle) json.key("triangle").value(*c.triangle);
  if (c.inside) json.key("inside").value(true);
  if (c.depth) json.key("depth").value(*c.depth);
  if (c.limited) json.key("limited").value(true);
  json.close('}');
}

void append_deepest(JsonLine& json, const io::ToldDeepest& deepest) {
  json.key("deepest").open('{').key("frame").value(deepest.frame);
  json.key("seconds").value(deepest.seconds).key("depth").value(deepest.depth);
  if (deepest.inside) json.key("inside").value(true);
  if (deepest.through) json.key("through").value(true);
  if (deepest.between) json.key("between").value(true);
  json.close('}');
}

void append_episode(JsonLine& json, const Job& job, const io::ToldEpisode& e) {
  json.open('{');
  append_pair(json, job, e.pair());
  json.key("status").value(io::name_of(e.first.status)).key("frames").array(e.frames);
  json.key("steps").value(e.steps);
  json.key("free_until").value(e.first.seconds[0]);
  json.key("seconds").array(e.seconds);
  if (e.deepest) append_deepest(json, *e.deepest);
  json.close('}');
}

void append_clearances(JsonLine& json, const ClearanceLanes& lanes) {
  json.key("clearance").open('[');
  for (const auto& [lane, values] : lanes) {
    json.open('{').key("avatar").value(lane.first).key("link").value(lane.second);
    json.key("metres").array(values).close('}');
  }
  json.close(']');
}

void append_takes(JsonLine& json, const ShownReport& shown) {
  json.key("takes").open('[');
  for (std::size_t i = 0; i < shown.job.takes.size(); ++i) {
    const JobTake& take = shown.job.takes[i];
    json.open('{').key("name").value(take.name);
    json.key("file").value(io::told_take(shown.report.run, static_cast<std::int32_t>(i)));
    json.key("body").value(take.is_body).key("avatar").value(take.member.avatar.name());
    json.key("frames").value(take.motion.frame_count());
    json.key("frame_time").value(take.motion.frame_time());
    json.key("links").array(io::told_links(shown.report.run, static_cast<std::int32_t>(i)));
    json.close('}');
  }
  json.close(']');
}

void append_tally(JsonLine& json, const ShownReport& shown) {
  const io::Tally& tally = shown.report.tally;
  json.key("tally").open('{').key("steps").value(tally.steps);
  json.key("contacts").value(tally.contacts).key("hit").value(tally.hit);
  json.key("graze").value(tally.graze).key("overlap").value(tally.overlap);
  json.key("limited").value(tally.limited);
  json.key("episodes").value(static_cast<std::int64_t>(shown.told.episodes.size())).close('}');
}

/// How the report was made.
void append_run(JsonLine& json, const ShownReport& shown) {
  const io::RunRecord& run = shown.report.run;
  const CheckSpec& spec = run.options.spec;
  json.key("version").value(shown.report.version).key("hash").value(shown.report.hash);
  json.key("report").value(shown.file).key("certified").value(run.certified);
  json.key("sampled").value(run.options.sampled).key("backend").value(run.backend);
  json.key("in_between").value(io::name_of(spec.in_between));
  json.key("margin").value(spec.margin).key("ignore").array(spec.ignore);
  json.key("first_only").value(spec.contacts == Contacts::kFirst);
  json.key("objects").value(run.objects).key("triangles").value(run.triangles);
  json.key("rooms").open('[');
  for (const io::InputRecord& input : run.inputs) {
    if (input.role == "environment") json.value(input.file);
  }
  json.close(']');
}

void append_near(JsonLine& json, const ShownReport& shown) {
  json.key("near").open('[');
  for (const io::ReportLine& line : shown.report.near_lines) json.raw(line.text);
  json.close(']');
}

}  // namespace

PageData page_data(const ShownReport& shown, const std::vector<std::string>& notes,
                   const std::string& index) {
  PageData out;
  const std::array<double, 2> times = all_times(shown.job);
  const io::ToldReport& told = shown.told;
  JsonLine json(out.json);
  json.open('{').key("format").value(std::string_view("tocsin.page.v1"));
  append_run(json, shown);
  append_takes(json, shown);
  json.key("instants").value(shown.job.several()).key("times").array(times);
  append_tally(json, shown);
  json.key("episodes").open('[');
  for (const io::ToldEpisode& e : told.episodes) append_episode(json, shown.job, e);
  json.close(']').key("contacts").open('[');
  const bool all = told.contacts.size() <= kMostPageContacts;
  for (std::size_t i = 0; i < told.episodes.size(); ++i) {
    for (const std::size_t c : told.episodes[i].contacts) {
      append_contact(json, shown.job, told.contacts[c], i);
      if (!all) break;
    }
  }
  json.close(']');
  if (!all) {
    out.left_out.push_back(
        fmt::format("Of {} contact lines only those that begin an episode are in this page.",
                    grouped(static_cast<std::int64_t>(told.contacts.size()))));
  }
  append_clearances(json, clearance_lanes(shown, times));
  append_near(json, shown);
  json.key("index").value(index);
  std::vector<std::string> all_notes = notes;
  all_notes.insert(all_notes.end(), out.left_out.begin(), out.left_out.end());
  json.key("notes").array(all_notes).close('}');
  return out;
}

std::string takes_text(const ShownReport& shown) {
  std::vector<std::string> names;
  for (const JobTake& take : shown.job.takes) {
    if (!take.is_body) names.push_back(take.name);
  }
  return listed(names);
}

std::string index_row(const ShownReport& shown, const PageRow& row) {
  std::string out;
  JsonLine json(out);
  json.open('{').key("name").value(row.name).key("report").value(row.report);
  json.key("page").value(row.page).key("times").array(all_times(shown.job));
  append_tally(json, shown);
  json.key("certified").value(shown.report.run.certified);
  json.key("episodes").open('[');
  for (const io::ToldEpisode& e : shown.told.episodes) append_episode(json, shown.job, e);
  json.close(']').close('}');
  return out;
}

}  // namespace tocsin::app
