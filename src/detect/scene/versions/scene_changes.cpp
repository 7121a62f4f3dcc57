// What SceneVersions does with a change, and what it knows of the scene.
#include <fmt/format.h>

#include <new>

#include "base/json_text.h"
#include "base/quoted.h"
#include "detect/scene/versions/scene_parts.h"

namespace tocsin::detect {
namespace {

/// Of the changes that are kept for readers that have not seen them. One that stays behind gets the
/// whole state instead.
constexpr std::size_t kMostLog = 4096;
constexpr std::size_t kMostLogBytes = std::size_t{16} << 20U;

std::size_t bytes_of(const SceneChange& change) {
  std::size_t out = sizeof(SceneChange);
  for (const SceneEdit& edit : change.edits) {
    out += sizeof(SceneEdit) + edit.object.size() + edit.other.size() + edit.parent.size() +
           edit.pattern.size() + edit.vertices.size() * sizeof(Vec3f);
    if (!edit.shape.empty()) {
      out += edit.shape.corners().size() * sizeof(Vec3) +
             edit.shape.features().size() * sizeof(TriangleIndices);
    }
  }
  return out;
}

Error no_memory_for_change() {
  return {ErrorCode::kResource, "out of memory while a room changed"};
}

/// What an edit is about, for messages.
std::string subject_of(const SceneEdit& edit) {
  for (const std::string* const name : {&edit.object, &edit.parent, &edit.pattern}) {
    if (!name->empty()) return fmt::format("{} {}", name_of(edit.verb), base::in_quotes(*name));
  }
  return name_of(edit.verb);
}

}  // namespace

SceneVersions::SceneVersions(Environment room, Scene scene, const DetectorOptions& options,
                             const SceneLimits& limits)
    : room_(std::move(room)), options_(options), limits_(limits), scene_(std::move(scene)) {
  for (const Object& object : room_.objects()) {
    names_.push_back(base::valid_utf8(object.name));
    numbers_.emplace(names_.back(), static_cast<std::uint32_t>(names_.size() - 1));
  }
}

SceneVersions::~SceneVersions() = default;

Result<std::shared_ptr<SceneVersions>> SceneVersions::of(const Environment& room,
                                                         const DetectorOptions& options,
                                                         const SceneLimits& limits) {
  SceneState files;
  const auto objects = room.objects();
  for (std::uint32_t i = 0; i < objects.size(); ++i) {
    if (objects[i].triangle_count == 0) continue;
    if (objects[i].name.empty()) {
      return {ErrorCode::kInput,
              fmt::format("object {} of the room has no name, and changes name objects", i)};
    }
    SceneEdit edit;
    edit.verb = SceneVerb::kAdd;
    edit.object = base::valid_utf8(objects[i].name);
    edit.of_file = i;
    files.edits.push_back(std::move(edit));
  }
  return restored(room, options, files, limits);
}

Result<std::shared_ptr<SceneVersions>> SceneVersions::restored(const Environment& room,
                                                               const DetectorOptions& options,
                                                               const SceneState& state,
                                                               const SceneLimits& limits) {
  try {
    auto scene = Scene::make(options);
    if (!scene) return scene.error();
    std::shared_ptr<SceneVersions> out(
        new SceneVersions(room, std::move(scene).value(), options, limits));
    if (!state.edits.empty()) {
      if (auto applied = out->apply(state.edits); !applied) return applied.error();
    }
    out->version_ = state.version;
    out->log_.clear();
    out->log_bytes_ = 0;
    return out;
  } catch (const std::bad_alloc&) {
    return no_memory_for_change();
  }
}

Result<std::uint64_t> SceneVersions::apply(std::vector<SceneEdit> edits,
                                           std::optional<std::uint64_t> expected) {
  const std::scoped_lock gate(gate_);
  const std::scoped_lock lock(mutex_);
  if (expected && *expected != version_) {
    return {ErrorCode::kUnavailable,
            fmt::format("the room has version {}, and the change is for {}", version_, *expected)};
  }
  Status done = lost_ ? rebuild() : Nothing{};
  if (!done) return done.error();
  lost_ = false;
  try {
    undo_ = std::make_unique<Undo>();
    for (std::size_t i = 0; i < edits.size() && done; ++i) {
      done = apply_one(edits[i]);
      if (done) continue;
      done = Error{done.error().code,
                   fmt::format("edit {} ({}): {}", i, subject_of(edits[i]), done.error().message)};
    }
    if (done) done = check_limits();
    if (done) done = settle();
    if (done) keep({version_ + 1, std::move(edits)});
  } catch (const std::bad_alloc&) {
    done = no_memory_for_change();
  }
  if (!done) {
    roll_back();
    return done.error();
  }
  undo_.reset();
  ++version_;
  moments_.clear();
  rest_.reset();
  return version_;
}

void SceneVersions::keep(SceneChange change) {
  const std::size_t bytes = bytes_of(change);
  log_.emplace_back(std::make_shared<const SceneChange>(std::move(change)), bytes);
  log_bytes_ += bytes;
  while (log_.size() > kMostLog || (log_bytes_ > kMostLogBytes && log_.size() > 1)) {
    log_bytes_ -= log_.front().second;
    log_.pop_front();
  }
}

Status SceneVersions::settle() {
  if (!unsettled_) return Nothing{};
  for (int i = 0; i < 2; ++i) {  // the deformation's own step, and the one after it
    if (auto snapshot = scene_.snapshot(); !snapshot) return snapshot.error();
  }
  unsettled_ = false;
  deforming_.clear();
  return Nothing{};
}

/// What is known of the objects is put back, and the scene is made anew from it: a scene does not
/// take back what it has done.
void SceneVersions::roll_back() {
  const std::unique_ptr<Undo> undo = std::move(undo_);
  if (!undo) return;
  for (auto& [order, before] : undo->entries) {
    if (entries_.contains(order)) take_out(order);
    if (before) put(std::move(*before));
  }
  if (undo->switches) switches_ = std::move(*undo->switches);
  if (undo->rules) rules_ = std::move(*undo->rules);
  for (auto saved = undo->starts.rbegin(); saved != undo->starts.rend(); ++saved) {
    const auto pin = pins_.find(saved->version);
    if (pin == pins_.end()) continue;
    pin->second.starts.erase(saved->name);
    if (saved->start) pin->second.starts.emplace(saved->name, std::move(*saved->start));
  }
  moments_.clear();
  rest_.reset();
  lost_ = !rebuild();
}

Status SceneVersions::rebuild() {
  auto made = Scene::make(options_);
  if (!made) return made.error();
  scene_ = std::move(made).value();
  deforming_.clear();
  ++table_;
  for (auto& [order, entry] : entries_) {
    auto id = scene_.add(entry.name, entry.mesh->mesh, entry.at);
    if (!id) return id.error();
    entry.id = id.value();
    if (!entry.vertices) continue;
    if (Status deformed = scene_.deform(entry.id, *entry.vertices); !deformed) return deformed;
    unsettled_ = true;
  }
  if (Status settled = settle(); !settled) return settled;
  for (auto& [name, one] : switches_) one.id = scene_.add_switch();
  for (const auto& [order, entry] : entries_) {
    Status set = Nothing{};
    if (!entry.active) set = scene_.deactivate(entry.id);
    if (set && !entry.parent.empty()) {
      const Switch& parent = switches_.at(entry.parent);
      set = scene_.set_switch(entry.id, parent.id);
      if (set && parent.chosen == entry.name) set = scene_.choose(parent.id, entry.id);
    }
    if (!set) return set;
  }
  for (const SceneEdit& rule : rules_) {
    if (Status put = put_rule(rule); !put) return put;
  }
  return Nothing{};
}

// ---- Objects ----

SceneVersions::Entry* SceneVersions::find(const std::string& name) {
  const auto known = by_name_.find(name);
  if (known == by_name_.end()) return nullptr;
  Entry& entry = entries_.at(known->second);
  if (undo_) undo_->entries.try_emplace(entry.order, entry);
  return &entry;
}

void SceneVersions::save_rules() {
  if (undo_ && !undo_->rules) undo_->rules = rules_;
}

void SceneVersions::save_switches() {
  if (undo_ && !undo_->switches) undo_->switches = switches_;
}

SceneVersions::Entry& SceneVersions::put(Entry entry) {
  // One that is put back has its place.
  if (entry.order == 0 || undo_) entry.order = ++next_order_;
  if (undo_) undo_->entries.try_emplace(entry.order, std::nullopt);
  by_name_[entry.name] = entry.order;
  name_bytes_ += entry.name.size();
  if (entry.vertices) deformed_ += entry.vertices->size();
  use(entry.mesh);
  const std::uint64_t order = entry.order;
  return entries_.insert_or_assign(order, std::move(entry)).first->second;
}

void SceneVersions::take_out(std::uint64_t order) {
  const auto known = entries_.find(order);
  const Entry& entry = known->second;
  if (by_name_.at(entry.name) == order) by_name_.erase(entry.name);
  name_bytes_ -= entry.name.size();
  if (entry.vertices) deformed_ -= entry.vertices->size();
  release(entry.mesh);
  entries_.erase(known);
}

void SceneVersions::use(const std::shared_ptr<const MeshUse>& mesh) {
  if (++uses_[mesh.get()] > 1) return;
  triangles_ += mesh->mesh.triangle_count();
  if (!mesh->of_file) sent_ += mesh->mesh.triangle_count();
}

void SceneVersions::release(const std::shared_ptr<const MeshUse>& mesh) {
  const auto known = uses_.find(mesh.get());
  if (--known->second > 0) return;
  triangles_ -= mesh->mesh.triangle_count();
  if (!mesh->of_file) sent_ -= mesh->mesh.triangle_count();
  uses_.erase(known);
}

bool SceneVersions::is_there(const Entry& entry) const {
  if (!entry.active) return false;
  return entry.parent.empty() || switches_.at(entry.parent).chosen == entry.name;
}

std::uint64_t SceneVersions::version() const {
  const std::scoped_lock lock(mutex_);
  return version_;
}

std::size_t SceneVersions::objects() const {
  const std::scoped_lock lock(mutex_);
  return entries_.size();
}

std::uint64_t SceneVersions::triangles() const {
  const std::scoped_lock lock(mutex_);
  return triangles_;
}

std::vector<SceneEdit> SceneVersions::pair_commands() const {
  const std::scoped_lock lock(mutex_);
  return rules_;
}

Result<std::array<Vec3f, 2>> SceneVersions::bounds() {
  try {
    const std::scoped_lock lock(mutex_);
    const auto standing = rest();
    if (!standing) return standing.error();
    return standing->environment().bounds();
  } catch (const std::bad_alloc&) {
    return no_memory_for_change();
  }
}

// ---- Numbers ----

void SceneVersions::number(const std::string& name) {
  if (numbers_.contains(name)) return;
  names_.push_back(name);
  numbers_.emplace(name, static_cast<std::uint32_t>(names_.size() - 1));
}

std::string SceneVersions::name_of(std::uint32_t number) const {
  const std::scoped_lock lock(mutex_);
  return number < names_.size() ? names_[number] : std::string();
}

std::vector<std::string> SceneVersions::names_from(std::size_t number) const {
  const std::scoped_lock lock(mutex_);
  std::vector<std::string> out;
  for (std::size_t i = number; i < names_.size(); ++i) out.push_back(names_[i]);
  return out;
}

void SceneVersions::number_objects(const Environment& room,
                                   std::span<LinkDistance> distances) const {
  const auto objects = room.objects();
  const std::scoped_lock lock(mutex_);
  for (LinkDistance& one : distances) {
    one.nearest.object = numbers_.at(objects[one.nearest.object].name);
  }
}

void SceneVersions::number_objects(const Environment& room, StepReport& report) const {
  if (report.contacts.empty()) return;
  const auto objects = room.objects();
  const std::scoped_lock lock(mutex_);
  for (Contact& contact : report.contacts) {
    if (auto* const touched = std::get_if<RoomTriangle>(&contact.touched)) {
      touched->object = numbers_.at(objects[touched->object].name);
    }
  }
}

}  // namespace tocsin::detect

namespace tocsin {

const char* name_of(SceneVerb verb) {
  constexpr std::array<const char*, kSceneVerbs> kNames{
      "add",           "remove",          "replace",        "place",
      "move",          "deform",          "activate",       "deactivate",
      "activate_pair", "deactivate_pair", "activate_pairs", "deactivate_pairs",
      "add_switch",    "set_switch",      "clear_switch",   "choose",
      "choose_none"};
  const auto index = static_cast<std::size_t>(verb);
  return index < kNames.size() ? kNames.at(index) : "unknown";
}

}  // namespace tocsin
