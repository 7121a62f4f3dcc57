// Readers of a scene's versions, and what each sees.
#include <limits>
#include <new>

#include "detect/scene/versions/scene_parts.h"

namespace tocsin::detect {
namespace {

Error no_memory_for_reader() {
  return {ErrorCode::kResource, "out of memory while a session followed its room"};
}

Error lost_scene() {
  return {ErrorCode::kResource, "the room was lost when memory was out during a change"};
}

SceneEdit begin_edit(SceneVerb verb, const std::string& object) {
  SceneEdit out;
  out.verb = verb;
  out.object = object;
  return out;
}

bool is_same(const std::shared_ptr<const std::vector<Vec3f>>& a,
             const std::shared_ptr<const std::vector<Vec3f>>& b) {
  return a == b || (a && b && *a == *b);
}

}  // namespace

/// Objects in the order of their indices: contacts come in that order.
SceneState SceneVersions::state() const {
  SceneState out;
  out.version = version_;
  std::map<const MeshUse*, std::string> known;
  for (const auto& [order, entry] : entries_) {
    SceneEdit edit = begin_edit(SceneVerb::kAdd, entry.name);
    edit.at = entry.at;
    if (const auto same = known.find(entry.mesh.get()); same != known.end()) {
      edit.like = same->second;
    } else {
      edit.shape = entry.mesh->shape;
      edit.of_file = entry.mesh->of_file;
      known.emplace(entry.mesh.get(), entry.name);
    }
    out.edits.push_back(std::move(edit));
    if (!entry.vertices) continue;
    SceneEdit deform = begin_edit(SceneVerb::kDeform, entry.name);
    deform.vertices = *entry.vertices;
    out.edits.push_back(std::move(deform));
  }
  for (const auto& [name, one] : switches_) {
    out.edits.push_back(begin_edit(SceneVerb::kAddSwitch, {}));
    out.edits.back().parent = name;
  }
  for (const auto& [order, entry] : entries_) {
    if (!entry.active) out.edits.push_back(begin_edit(SceneVerb::kDeactivate, entry.name));
    if (entry.parent.empty()) continue;
    out.edits.push_back(begin_edit(SceneVerb::kSetSwitch, entry.name));
    out.edits.back().parent = entry.parent;
    if (switches_.at(entry.parent).chosen != entry.name) continue;
    out.edits.push_back(begin_edit(SceneVerb::kChoose, entry.name));
    out.edits.back().parent = entry.parent;
  }
  out.edits.insert(out.edits.end(), rules_.begin(), rules_.end());
  return out;
}

std::vector<SceneEdit> SceneVersions::starts_of(const Pin& pin) const {
  std::vector<SceneEdit> out;
  for (const auto& [name, start] : pin.starts) {
    const Entry& entry = entries_.at(by_name_.at(name));
    out.push_back(begin_edit(SceneVerb::kPlace, name));
    out.back().at = start.at;
    out.back().in_between = entry.in_between;  // of the motion to where it is now
    if (!is_straight(entry, start)) continue;
    out.push_back(begin_edit(SceneVerb::kDeform, name));
    out.back().vertices = vertices_of(entry, start.vertices);
  }
  return out;
}

std::vector<Vec3f> SceneVersions::vertices_of(const Entry& entry, const Vertices& own) const {
  return own ? *own : entry.mesh->parts(room_).vertices;
}

bool SceneVersions::is_straight(const Entry& entry, const Start& start) {
  return start.straight || !is_same(start.vertices, entry.vertices);
}

Result<Detector> SceneVersions::rest() {
  if (!rest_) {
    auto snapshot = scene_.snapshot();
    if (!snapshot) return snapshot.error();
    rest_ = std::move(snapshot).value();
  }
  return *rest_;
}

/// Puts what moved back to where it was, and lets it move: the scene ends as it is now.
Result<SceneMoment> SceneVersions::make_moment(const Pin& pin) {
  struct Motion {
    const Entry* entry;
    const Start* start;
  };
  std::vector<Motion> moves;
  std::vector<Motion> deformations;
  for (const auto& [name, start] : pin.starts) {
    const auto known = by_name_.find(name);
    if (known == by_name_.end()) continue;
    const Entry& entry = entries_.at(known->second);
    if (!is_there(entry)) continue;
    if (is_same(start.vertices, entry.vertices) && is_same_placement(start.at, entry.at)) continue;
    (is_straight(entry, start) ? deformations : moves).push_back({&entry, &start});
  }
  Status done = Nothing{};
  for (const Motion& one : deformations) {
    const Entry& entry = *one.entry;
    if (done) {
      done = scene_.deform(entry.id, vertices_of(entry, one.start->vertices), one.start->at);
    }
    unsettled_ = true;
  }
  if (done) done = settle();
  for (const Motion& one : deformations) {
    const Entry& entry = *one.entry;
    if (!done) break;
    done = scene_.deform(entry.id, vertices_of(entry, entry.vertices), entry.at);
  }
  for (const Motion& one : moves) {
    const ShapePlacement& at = one.entry->at;
    if (done) done = scene_.place(one.entry->id, one.start->at);
    if (done) {
      done = scene_.move(one.entry->id, {at.rotation, at.translation}, one.entry->in_between);
    }
  }
  if (!done) return done.error();
  auto motions = scene_.snapshot();
  if (!motions) return motions.error();
  rest_.reset();
  auto standing = rest();
  if (!standing) return standing.error();
  return SceneMoment{version_, std::move(motions).value(), std::move(standing).value(),
                     !moves.empty() || !deformations.empty(), table_};
}

Result<SceneMoment> SceneVersions::moment(std::uint64_t from) {
  if (lost_) lost_ = !rebuild();
  if (lost_) return lost_scene();
  if (const auto known = moments_.find(from); known != moments_.end()) return known->second;
  const auto pin = pins_.find(from);
  if (pin == pins_.end() || pin->second.starts.empty()) {
    auto standing = rest();
    if (!standing) return standing.error();
    return SceneMoment{version_, standing.value(), standing.value(), false, table_};
  }
  auto made = make_moment(pin->second);
  if (!made) {
    lost_ = true;  // some objects may not be where they should: it is made anew
    return made;
  }
  return moments_.emplace(from, std::move(made).value()).first->second;
}

void SceneVersions::unpin(std::uint64_t version) {
  const auto pin = pins_.find(version);
  if (--pin->second.readers == 0) pins_.erase(pin);
}

// ---- Readers ----

SceneReader::SceneReader(std::shared_ptr<SceneVersions> scene, std::uint64_t version)
    : scene_(std::move(scene)), version_(version) {}

SceneReader::~SceneReader() {
  const std::scoped_lock lock(scene_->mutex_);
  scene_->readers_.erase(this);
  scene_->unpin(version_);
}

Result<SceneEntrance> SceneReader::enter(std::shared_ptr<SceneVersions> scene,
                                         const ReaderLimits& limits) {
  try {
    std::unique_ptr<SceneReader> reader;
    std::unique_lock lock(scene->mutex_);
    if (scene->entries_.size() > limits.objects || scene->name_bytes_ > limits.name_bytes) {
      return {ErrorCode::kResource,
              "the room has too many objects for the session's links and "
              "patterns"};
    }
    auto moment = scene->moment(scene->version_);
    if (!moment) return moment.error();
    std::optional<SceneState> state;
    if (scene->version_ > 0) state = scene->state();
    SceneVersions& versions = *scene;
    ++versions.pins_[versions.version_].readers;
    reader.reset(new SceneReader(std::move(scene), versions.version_));
    versions.readers_.emplace(reader.get(), limits);
    lock.unlock();
    return SceneEntrance{std::move(reader), std::move(moment).value(), std::move(state)};
  } catch (const std::bad_alloc&) {
    return no_memory_for_reader();
  }
}

Result<std::unique_ptr<SceneReader>> SceneReader::with_starts(std::shared_ptr<SceneVersions> scene,
                                                              std::span<const SceneEdit> starts) {
  std::unique_lock lock(scene->mutex_);
  SceneVersions& versions = *scene;
  // A version that no other reader has.
  const std::uint64_t before = std::numeric_limits<std::uint64_t>::max() - versions.pins_.size();
  SceneVersions::Pin& pin = versions.pins_[before];
  ++pin.readers;
  std::unique_ptr<SceneReader> reader(new SceneReader(std::move(scene), before));
  std::optional<Error> wrong;
  for (const SceneEdit& edit : starts) {
    const auto known = versions.by_name_.find(edit.object);
    if (known == versions.by_name_.end()) {
      wrong = Error{ErrorCode::kInput, "a start of an object that there is not"};
      break;
    }
    SceneVersions::Entry& entry = versions.entries_.at(known->second);
    auto& start =
        pin.starts.try_emplace(edit.object, SceneVersions::Start{entry.at, entry.vertices})
            .first->second;
    if (edit.verb == SceneVerb::kPlace) {
      start.at = edit.at;
      entry.in_between = edit.in_between;
    } else {
      start.vertices = std::make_shared<const std::vector<Vec3f>>(edit.vertices);
      start.straight = true;
    }
  }
  lock.unlock();
  if (wrong) return *wrong;
  return reader;
}

Result<std::optional<SceneMoment>> SceneReader::next(SceneNews* news) {
  try {
    const std::scoped_lock lock(scene_->mutex_);
    SceneVersions& scene = *scene_;
    if (scene.version_ == version_) return std::optional<SceneMoment>();
    auto moment = scene.moment(version_);
    if (!moment) return moment.error();
    if (news != nullptr) {
      *news = {};
      const auto& log = scene.log_;
      if (!log.empty() && log.front().first->version <= version_ + 1) {
        for (const auto& [change, bytes] : log) {
          if (change->version > version_) news->changes.push_back(change);
        }
      } else {
        news->state = scene.state();
        news->state->starts = scene.starts_of(scene.pins_.at(version_));
      }
    }
    ++scene.pins_[scene.version_].readers;
    scene.unpin(version_);
    version_ = scene.version_;
    return std::optional<SceneMoment>(std::move(moment).value());
  } catch (const std::bad_alloc&) {
    return no_memory_for_reader();
  }
}

}  // namespace tocsin::detect
