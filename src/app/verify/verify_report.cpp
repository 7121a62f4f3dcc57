#include "app/verify/verify_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/check/distance/episode_depths.h"
#include "app/check/distance/near_pairs.h"
#include "app/check/distance/nearest_things.h"
#include "app/cli/progress.h"
#include "app/cli/words.h"
#include "base/json_text.h"

namespace tocsin::app {
namespace {

namespace fs = std::filesystem;

/// Gathers sentences and counts those beyond the limit.
class Sentences {
 public:
  explicit Sentences(std::size_t most) : most_(most) {}
  void add(std::string sentence) {
    if (sentences_.size() < most_) {
      sentences_.push_back(std::move(sentence));
    } else {
      ++rest_;
    }
  }
  template <class T>
  void compare(std::string_view what, const T& recorded, const T& found) {
    if (recorded == found) return;
    add(fmt::format("{}: the report says {}, the check run again says {}", what, recorded, found));
  }
  std::vector<std::string> take() && {
    if (rest_ > 0) sentences_.push_back(fmt::format("... and {} more differences", rest_));
    return std::move(sentences_);
  }

 private:
  std::size_t most_;
  std::size_t rest_ = 0;
  std::vector<std::string> sentences_;
};

using Lines = std::vector<const io::ReportLine*>;

/// Lines of `a` that are not in `b`, each counted as often as it stands there.
Lines missing_from(const Lines& a, const Lines& b) {
  const auto by_text = [](const io::ReportLine* x, const io::ReportLine* y) {
    return x->text < y->text;
  };
  Lines sorted_a = a;
  Lines sorted_b = b;
  std::stable_sort(sorted_a.begin(), sorted_a.end(), by_text);
  std::stable_sort(sorted_b.begin(), sorted_b.end(), by_text);
  Lines out;
  std::set_difference(sorted_a.begin(), sorted_a.end(), sorted_b.begin(), sorted_b.end(),
                      std::back_inserter(out), by_text);
  return out;
}

/// `when`: what ReportLine::step counts.
void compare_lines(std::string_view kind, const std::vector<io::ReportLine>& recorded,
                   const std::vector<io::ReportLine>& found, Sentences& out,
                   std::string_view when = "step") {
  const bool equal = std::equal(recorded.begin(), recorded.end(), found.begin(), found.end(),
                                [](const auto& a, const auto& b) { return a.text == b.text; });
  if (equal) return;
  std::map<std::int64_t, std::pair<Lines, Lines>> by_step;
  for (const io::ReportLine& line : recorded) by_step[line.step].first.push_back(&line);
  for (const io::ReportLine& line : found) by_step[line.step].second.push_back(&line);
  bool any = false;
  for (const auto& [step, lines] : by_step) {
    for (const io::ReportLine* line : missing_from(lines.first, lines.second)) {
      out.add(fmt::format("line {}, {} {}: this {} is not found again: {}", line->number, when,
                          step, kind, line->text));
      any = true;
    }
    for (const io::ReportLine* line : missing_from(lines.second, lines.first)) {
      out.add(fmt::format("{} {}: the report lacks this {}: {}", when, step, kind, line->text));
      any = true;
    }
  }
  if (!any) out.add(fmt::format("the {} lines stand in another order", kind));
}

void compare_runs(const io::RunRecord& recorded, const io::RunRecord& found, Sentences& out) {
  out.compare("certified", recorded.certified, found.certified);
  out.compare("frames", recorded.frames, found.frames);
  out.compare("frame_time", recorded.frame_time, found.frame_time);
  out.compare("unit_metres", recorded.unit_metres, found.unit_metres);
  out.compare("links", listed(recorded.links), listed(found.links));
  out.compare("objects", recorded.objects, found.objects);
  out.compare("triangles", recorded.triangles, found.triangles);
  const bool same_avatars =
      std::equal(recorded.avatars.begin(), recorded.avatars.end(), found.avatars.begin(),
                 found.avatars.end(), [](const auto& a, const auto& b) {
                   return a.name == b.name && a.links == b.links && a.frames == b.frames &&
                          a.frame_time == b.frame_time && a.unit_metres == b.unit_metres;
                 });
  std::vector<std::string> motions;
  for (const io::InputRecord& input : recorded.inputs) {
    if (input.role == "motion") motions.push_back(input.file);
  }
  // A body that stands still has none.
  const auto has_motion = [&recorded](const auto& avatar) {
    const auto& bodies = recorded.options.spec.bodies;
    return std::none_of(bodies.begin(), bodies.end(), [&avatar](const BodySpec& body) {
      return body.motion.empty() && body.name == avatar.name && body.mesh == avatar.motion;
    });
  };
  std::vector<std::string> of_avatars;
  for (const io::AvatarRecord& avatar : recorded.avatars) {
    if (has_motion(avatar)) of_avatars.push_back(avatar.motion);
  }
  const bool same_motions = recorded.avatars.empty() ||
                            std::equal(of_avatars.begin(), of_avatars.end(), motions.begin(),
                                       motions.end(), [](const auto& motion, const auto& file) {
                                         return motion == base::valid_utf8(file);
                                       });
  if (!same_avatars || !same_motions)
    out.add("avatars: the report says others than the check run again");
  if (!recorded.time_line || !found.time_line) return;  // of one take
  out.compare("time_line: instants", recorded.time_line->instants, found.time_line->instants);
  out.compare("time_line: from", recorded.time_line->from, found.time_line->from);
  out.compare("time_line: to", recorded.time_line->to, found.time_line->to);
}

void compare_summaries(const io::ReadReport& report, const Rerun& rerun, Sentences& out) {
  if (report.hash != report.hash_of_lines) {
    out.add(fmt::format(
        "the summary's hash is {}, that of the contact lines is {}: the report was changed "
        "after it was written",
        report.hash, report.hash_of_lines));
  }
  out.compare("hash", report.hash, rerun.hash);
  out.compare("steps", report.tally.steps, rerun.tally.steps);
  out.compare("contacts", report.tally.contacts, rerun.tally.contacts);
  out.compare("hit", report.tally.hit, rerun.tally.hit);
  out.compare("graze", report.tally.graze, rerun.tally.graze);
  out.compare("overlap", report.tally.overlap, rerun.tally.overlap);
  out.compare("limited", report.tally.limited, rerun.tally.limited);
  out.compare("episodes", report.episodes, rerun.episodes);
  const bool same_first =
      report.first.empty() ? rerun.first.empty() : io::same_record(report.first, rerun.first);
  if (!same_first) {
    out.compare("first", report.first.empty() ? "null" : report.first,
                rerun.first.empty() ? "null" : rerun.first);
  }
}

}  // namespace

bool tells(const io::ReadReport& report, std::string_view what) {
  const std::vector<std::string>& all = report.run.tells;
  return std::find(all.begin(), all.end(), what) != all.end();
}

bool tells_depths(const io::ReadReport& report) {
  if (tells(report, io::kTellsEpisodes)) return true;
  return !report.episode_lines.empty() &&
         report.episode_lines.front().text.find("\"deepest\":{") != std::string::npos;
}

Result<Rerun> rerun_check(const Job& job, const Detector& detector, bool depths,
                          const std::stop_token& stop) {
  Rerun out;
  out.run = run_record(job, detector);
  std::int64_t step_index = 0;
  io::ReportWriter writer(report_names(job), [&out, &step_index](std::string_view line) {
    auto& lines = line.starts_with(R"({"type":"contact")")    ? out.contact_lines
                  : line.starts_with(R"({"type":"episode")")  ? out.episode_lines
                  : line.starts_with(R"({"type":"near")")     ? out.near_lines
                  : line.starts_with(R"({"type":"nearest")")  ? out.nearest_lines
                  : line.starts_with(R"({"type":"distance")") ? out.distance_lines
                                                              : out.clearance_lines;
    line.remove_suffix(1);
    lines.push_back({0, step_index, std::string(line)});
    return true;
  });
  std::vector<std::vector<LeastClearance>> clearances(job.takes.size());
  Progress progress("checking again", static_cast<std::int64_t>(job.step_count()));
  const auto keep = [&](const Step& step, const StepReport& report) {
    step_index = report.step;
    writer.step(step, report);
    out.steps.push_back({report.avatar, &step, report.contacts, report.clearances});
    keep_least(step, report, clearances[static_cast<std::size_t>(report.avatar)]);
    progress.step();
    return true;
  };
  if (const Status ran = run_job(job, detector, stop, keep); !ran) return ran.error();
  auto episodes = writer.episodes().sorted();
  if (depths) {
    if (auto measured = add_depths(job, detector, stop, episodes); !measured) {
      return measured.error();
    }
  }
  writer.write_episodes(episodes);
  const auto keep_grown = [&out](const GrownCheck& check, const Step& step,
                                 const StepReport& report) {
    if (out.grown.empty() || out.grown.back().check != check) out.grown.push_back({check, {}});
    out.grown.back().steps.push_back({report.avatar, &step, report.contacts});
  };
  Result<std::vector<io::NearPair>> near = std::vector<io::NearPair>();
  if (!job.scene) near = find_near(job, detector, episodes, stop, keep_grown);
  if (!near) return near.error();
  writer.write_near(*near);
  for (std::size_t i = 0; i < near->size(); ++i) out.near_lines[i].step = (*near)[i].frames[0];
  for (std::size_t i = 0; i < episodes.size(); ++i) {
    out.episode_lines[i].step = episodes[i].frames[0];
  }
  if (depths) {
    const auto nearest = nearest_things(job, detector, clearances, episodes, stop);
    if (!nearest) return nearest.error();
    const auto told = told_nearest(clearances, *nearest);
    writer.write_nearest(told);
    for (std::size_t i = 0; i < told.size(); ++i) out.nearest_lines[i].step = told[i].step;
  }
  const Status measured =
      find_distances(job, detector, stop, [&](const AskedPose& pose, const auto& told) {
        step_index = pose.frame;
        out.poses.push_back({pose, {}});
        for (const io::FrameDistance& one : told) out.poses.back().distances.push_back(one.at);
        return writer.write_distances(told);
      });
  if (!measured) return measured.error();
  out.tally = writer.tally();
  out.episodes = static_cast<std::int64_t>(writer.episodes().count());
  out.first = writer.first();
  out.hash = writer.hash();
  return out;
}

std::vector<std::string> differences(const io::ReadReport& report, const Rerun& rerun,
                                     std::size_t most) {
  Sentences out(most);
  compare_runs(report.run, rerun.run, out);
  compare_lines("contact", report.contacts, rerun.contact_lines, out);
  compare_lines("clearance", report.clearances, rerun.clearance_lines, out);
  // Reports of before, and those of live sessions, have none.
  if (tells(report, io::kTellsEpisodes) || !report.episode_lines.empty()) {
    compare_lines("episode", report.episode_lines, rerun.episode_lines, out);
  }
  compare_lines("near pair", report.near_lines, rerun.near_lines, out);
  if (tells(report, io::kTellsNearest) || !report.nearest_lines.empty()) {
    compare_lines("nearest thing", report.nearest_lines, rerun.nearest_lines, out);
  }
  compare_lines("distance", report.distance_lines, rerun.distance_lines, out,
                report.run.time_line ? "instant" : "frame");
  compare_summaries(report, rerun, out);
  return std::move(out).take();
}

WrittenLines written_lines(const fs::path& poses) {
  WrittenLines out;
  std::ifstream in(fs::path(poses).replace_extension(".lines"), std::ios::binary);
  std::string line;
  std::int64_t number = 0;
  while (std::getline(in, line) && !in.eof()) {  // at the end: a line without its newline
    ++number;
    constexpr std::string_view kStep = "\"step\":";
    const std::size_t at = line.find(kStep);
    std::int64_t step = 0;
    if (at != std::string::npos) {
      std::from_chars(line.data() + at + kStep.size(), line.data() + line.size(), step);
    }
    auto& lines = line.starts_with(R"({"type":"contact")") ? out.contacts : out.clearances;
    lines.push_back({number, step, line});
  }
  return out;
}

void drop_lines_from(std::int64_t step, WrittenLines& written) {
  for (auto* const lines : {&written.contacts, &written.clearances}) {
    written.beyond +=
        std::erase_if(*lines, [step](const io::ReportLine& line) { return line.step >= step; });
  }
}

std::vector<std::string> differences(const WrittenLines& written, const Rerun& rerun,
                                     std::size_t most) {
  Sentences out(most);
  const auto compare = [&out](const std::vector<io::ReportLine>& lines,
                              const std::vector<io::ReportLine>& found) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i < found.size() && lines[i].text == found[i].text) continue;
      out.add(fmt::format("line {}: is not found again: {}", lines[i].number, lines[i].text));
    }
  };
  compare(written.contacts, rerun.contact_lines);
  compare(written.clearances, rerun.clearance_lines);
  return std::move(out).take();
}

}  // namespace tocsin::app
