#include "app/check/scene_replay.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "base/json_text.h"

namespace tocsin::app {

Result<RecordedScene> load_recorded_scene(const std::string& file, std::uint64_t most_bytes,
                                          const Environment& room) {
  auto news = io::read_scene_record(file, most_bytes);
  if (!news) return news.error();
  RecordedScene out;
  out.file = file;
  out.news = std::move(news).value();
  for (const Object& object : room.objects()) {
    out.numbers.emplace(base::valid_utf8(object.name),
                        static_cast<std::uint32_t>(out.names.size()));
    out.names.push_back(object.name);
  }
  const auto add_names = [&out](const std::vector<SceneEdit>& edits) {
    for (const SceneEdit& edit : edits) {
      if (edit.verb != SceneVerb::kAdd || out.numbers.contains(edit.object)) continue;
      out.numbers.emplace(edit.object, static_cast<std::uint32_t>(out.names.size()));
      out.names.push_back(edit.object);
    }
  };
  for (const io::SceneNewsOfStep& of_step : out.news) {
    if (of_step.state) add_names(of_step.state->edits);
    for (const SceneChange& change : of_step.changes) add_names(change.edits);
  }
  return out;
}

bool SceneReplay::done() const { return position_ >= asked_.steps.size(); }

std::int64_t SceneReplay::step_of_next_news() const {
  const auto& news = asked_.recorded.news;
  return news_ < news.size() ? news[news_].step : std::numeric_limits<std::int64_t>::max();
}

Status SceneReplay::begin() {
  auto scene = detect::SceneVersions::of(asked_.room, asked_.options);
  if (!scene) return scene.error();
  scene_ = std::move(scene).value();
  auto reader = detect::SceneReader::with_starts(scene_, {});
  if (!reader) return reader.error();
  reader_ = std::move(reader).value();
  return Nothing{};
}

Status SceneReplay::take(const io::SceneNewsOfStep& news) {
  if (news.state) {
    auto scene = detect::SceneVersions::restored(asked_.room, asked_.options, *news.state);
    if (!scene) return scene.error();
    reader_.reset();
    scene_ = std::move(scene).value();
    auto reader = detect::SceneReader::with_starts(scene_, news.state->starts);
    if (!reader) return reader.error();
    reader_ = std::move(reader).value();
    table_.reset();
  }
  for (const SceneChange& change : news.changes) {
    if (auto applied = scene_->apply(change.edits); !applied) {
      return Error{applied.error().code,
                   fmt::format("version {}: {}", change.version, applied.error().message)};
    }
  }
  return Nothing{};
}

Result<SceneRun> SceneReplay::next() {
  const StepList& steps = asked_.steps;
  const RecordedScene& recorded = asked_.recorded;
  Status done = scene_ ? Nothing{} : begin();
  const std::int64_t step = steps[position_].index();
  while (done && step_of_next_news() <= step) done = take(recorded.news[news_++]);
  if (!done) {
    // What a file asks for wrongly is the file's fault.
    const ErrorCode code = done.error().code;
    return {code == ErrorCode::kUsage ? ErrorCode::kInput : code,
            fmt::format("{}: before step {}: {}", recorded.file, step, done.error().message)};
  }
  auto next = reader_->next();
  if (!next) return next.error();
  at_rest_ = !*next;
  if (*next) moment_ = std::move(**next);
  const bool moves = moment_->moves && !at_rest_;
  const Detector& detector = moves ? moment_->detector : moment_->rest;
  const auto& ignore = asked_.ignore;
  if (!ignore.empty() && table_ != moment_->table) {
    auto active = ActivePairs::ignoring(asked_.member.avatar, detector.environment(), ignore);
    if (!active) return active.error();
    asked_.member.active = std::move(active).value();
    table_ = moment_->table;
  }
  SceneRun out{detector, asked_.member, position_, 1, moves};
  while (!moves && position_ + out.count < steps.size() &&
         steps[position_ + out.count].index() < step_of_next_news()) {
    ++out.count;
  }
  position_ += out.count;
  return out;
}

void SceneReplay::number_objects(const SceneRun& run, StepReport& report) const {
  const auto objects = run.detector.environment().objects();
  for (Contact& contact : report.contacts) {
    auto* const touched = std::get_if<RoomTriangle>(&contact.touched);
    if (touched != nullptr)
      touched->object = asked_.recorded.numbers.at(objects[touched->object].name);
  }
}

Result<Environment> SceneReplay::flat(std::vector<std::uint32_t>& numbers) const {
  auto flat = scene_->flat();
  if (!flat) return flat.error();
  numbers.clear();
  for (const Object& object : flat->room.objects()) {
    numbers.push_back(asked_.recorded.numbers.at(object.name));
  }
  return std::move(flat->room);
}

}  // namespace tocsin::app
