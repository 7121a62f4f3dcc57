// From a report and its takes to a film.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "app/export/shown_report.h"
#include "io/report/json_line.h"
#include "io/report/option_names.h"

namespace tocsin::app {
namespace {

/// What is said about a contact, as a JSON object.
std::string extras_of(const ShownReport& shown, const io::ToldEpisode& episode) {
  std::string out;
  io::JsonLine json(out);
  const io::ToldPair& pair = episode.pair();
  json.open('{').key("avatar").value(shown.job.takes[static_cast<std::size_t>(pair.avatar)].name);
  json.key("link").value(pair.link);
  if (pair.of_links()) {
    json.key("other_avatar")
        .value(shown.job.takes[static_cast<std::size_t>(pair.other_avatar)].name);
    json.key("other_link").value(pair.other_link);
  } else {
    json.key("object").value(pair.object);
  }
  json.key("status").value(io::name_of(episode.first.status));
  json.key("frames").array(episode.frames);
  json.key("free_until_s").value(episode.first.seconds[0]);
  json.key("touch_s").value(episode.first.seconds[1]);
  json.key("end_s").value(episode.seconds[1]);
  json.key("steps").value(episode.steps);
  if (episode.deepest) {
    json.key("depth_m").value(episode.deepest->depth);
    json.key("deepest_s").value(episode.deepest->seconds);
  }
  json.close('}');
  return out;
}

std::string notes_of(const ShownReport& shown) {
  std::string out;
  io::JsonLine json(out);
  json.open('{').key("report").value(shown.file).key("hash").value(shown.report.hash);
  json.key("version").value(shown.report.version);
  json.key("in_between").value(io::name_of(shown.job.options.spec.in_between));
  json.key("margin_m").value(shown.job.options.spec.margin);
  json.key("certified").value(shown.report.run.certified).close('}');
  return out;
}

/// When what a contact's step shows ends: at the next step, of poses alone at the next pose.
double end_of_step(const Job& job, const io::ToldContact& contact) {
  const StepList& steps = job.takes[static_cast<std::size_t>(contact.pair.avatar)].steps;
  const std::size_t at = position_of(steps, contact.step);
  if (contact.frames[0] != contact.frames[1]) return steps[at].seconds(1.0);
  if (at + 1 < steps.size()) return steps[at + 1].seconds(0.0);
  return steps[at].seconds(1.0);
}

view::FilmMark mark_of(const ShownReport& shown, const io::ToldEpisode& episode,
                       double frame_time) {
  view::FilmMark out;
  const io::ToldPair& pair = episode.pair();
  out.name =
      told_link_text(shown.job, pair.avatar, pair.link) + " - " + told_thing_text(shown.job, pair);
  out.extras = extras_of(shown, episode);
  out.proved = false;
  for (const std::size_t i : episode.contacts) {
    const io::ToldContact& contact = shown.told.contacts[i];
    out.proved = out.proved || contact.status != ContactStatus::kGraze;
    // Seen for one frame at least, unless the next takes its place.
    const double from = contact.seconds[1];
    const double until = std::max(end_of_step(shown.job, contact), from + frame_time);
    if (!out.touches.empty()) {
      out.touches.back().until = std::min(out.touches.back().until, from);
    }
    out.touches.push_back({from, until, contact.point, contact.normal});
  }
  return out;
}

}  // namespace

view::Film make_film(const ShownReport& shown, const TakeParts& parts) {
  const Job& job = shown.job;
  view::Film out;
  out.title = shown.file;
  out.notes = notes_of(shown);
  out.margin = job.options.spec.margin;
  const double frame_time = job.takes.front().motion.frame_time();
  out.frame_rate = 1.0 / frame_time;
  constexpr double kAlways = std::numeric_limits<double>::infinity();
  const bool goes = job.several() && job.options.absent == Absence::kGone;
  for (std::size_t i = 0; i < job.takes.size(); ++i) {
    const JobTake& take = job.takes[i];
    view::FilmFigure figure;
    figure.index = static_cast<std::int32_t>(i);
    figure.name = take.name;
    figure.take = take.file;
    figure.avatar = take.member.avatar;
    figure.is_body = take.is_body;
    figure.held = job.options.sampled;
    view::sample_steps(figure, take.steps, [&](std::size_t step) { return parts(i, step); });
    if (figure.seconds.empty() && !job.several()) {  // a single frame: a pose, and no step
      const std::int64_t frame = job.options.takes.front().frames.first;
      figure.seconds = {take.motion.seconds(frame)};
      const auto pose = take.motion.pose(frame);
      figure.poses.assign(pose.begin(), pose.end());
    }
    if (figure.seconds.empty()) continue;
    figure.there = {goes ? figure.seconds.front() : -kAlways,
                    goes ? figure.seconds.back() : kAlways};
    out.figures.push_back(std::move(figure));
  }
  for (const io::ToldEpisode& episode : shown.told.episodes) {
    out.marks.push_back(mark_of(shown, episode, frame_time));
  }
  return out;
}

}  // namespace tocsin::app
