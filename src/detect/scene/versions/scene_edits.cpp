// The verbs of a change.
#include <fmt/format.h>

#include "base/quoted.h"
#include "core/vector/vec.h"
#include "detect/scene/versions/scene_parts.h"
#include "scene/instance/affine.h"
#include "scene/room/coordinate_limit.h"

namespace tocsin::detect {
namespace {

/// A scene lists what it was told to move until the next snapshot, which nobody may ask for.
constexpr std::size_t kMostToldMoves = 4096;

Error no_object_named(const std::string& name) {
  return {ErrorCode::kInput, fmt::format("there is no object {}", base::in_quotes(name))};
}

Error no_switch_named(const std::string& name) {
  return {ErrorCode::kInput, fmt::format("there is no switch {}", base::in_quotes(name))};
}

Error over(std::string_view what, std::uint64_t most) {
  return {ErrorCode::kResource, fmt::format("the room would have more than {} {}", most, what)};
}

bool is_about_pair(const SceneEdit& rule, const std::string& a, const std::string& b) {
  return rule.pattern.empty() &&
         ((rule.object == a && rule.other == b) || (rule.object == b && rule.other == a));
}

}  // namespace

Status SceneVersions::apply_one(const SceneEdit& edit) {
  using enum SceneVerb;
  switch (edit.verb) {
    case kAdd:
      return add(edit);
    case kActivatePair:
    case kDeactivatePair:
    case kActivatePairs:
    case kDeactivatePairs:
      return change_pairs(edit);
    case kAddSwitch:
    case kSetSwitch:
    case kClearSwitch:
    case kChoose:
    case kChooseNone:
      return change_switch(edit);
    default:
      break;
  }
  Entry* const entry = find(edit.object);
  if (entry == nullptr) return no_object_named(edit.object);
  // What is said of an object comes after what it was told before.
  if (deforming_.contains(entry->order)) {
    if (Status settled = settle(); !settled) return settled;
  }
  switch (edit.verb) {
    case kRemove:
      return remove(*entry);
    case kReplace:
      return replace(edit, *entry);
    case kPlace:
      return place(edit, *entry);
    case kMove:
      return move(edit, *entry);
    case kDeform:
      return deform(edit, *entry);
    case kActivate:
      return set_active(*entry, true);
    case kDeactivate:
      return set_active(*entry, false);
    default:
      return Error{ErrorCode::kUsage, "a verb that this version does not know"};
  }
}

Status SceneVersions::check_name(const std::string& name) const {
  if (name.empty()) return Error{ErrorCode::kInput, "an object or a switch needs a name"};
  if (name.size() <= limits_.name_bytes) return Nothing{};
  return Error{ErrorCode::kInput, fmt::format("its name has {} bytes; {} are allowed", name.size(),
                                              limits_.name_bytes)};
}

Status SceneVersions::check_limits() const {
  if (entries_.size() > limits_.objects) return over("objects", limits_.objects);
  if (triangles_ > limits_.triangles) return over("triangles", limits_.triangles);
  if (sent_ + deformed_ > limits_.sent) {
    return over("triangles that were sent, and corners that were deformed", limits_.sent);
  }
  if (names_.size() > limits_.names) return over("names of objects, ever", limits_.names);
  for (const auto& [reader, most] : readers_) {
    if (entries_.size() <= most.objects && name_bytes_ <= most.name_bytes) continue;
    return Error{ErrorCode::kResource,
                 fmt::format("a session in the room can be checked against {} objects with {} "
                             "bytes of names at most",
                             most.objects, most.name_bytes)};
  }
  return Nothing{};
}

Result<std::shared_ptr<const SceneVersions::MeshUse>> SceneVersions::mesh_of(
    const SceneEdit& edit) const {
  const int kinds =
      (edit.shape.empty() ? 0 : 1) + (edit.like.empty() ? 0 : 1) + (edit.of_file ? 1 : 0);
  if (kinds != 1) return {ErrorCode::kInput, "it needs one mesh"};
  if (!edit.like.empty()) {
    const auto known = by_name_.find(edit.like);
    if (known == by_name_.end()) return no_object_named(edit.like);
    return entries_.at(known->second).mesh;
  }
  MeshUse out;
  auto mesh = edit.of_file ? Mesh::of(room_, *edit.of_file) : Mesh::of(edit.shape);
  if (!mesh) return mesh.error();
  out.mesh = std::move(mesh).value();
  out.shape = edit.shape;
  out.of_file = edit.of_file;
  return std::make_shared<const MeshUse>(std::move(out));
}

Status SceneVersions::add(const SceneEdit& edit) {
  if (Status named = check_name(edit.object); !named) return named;
  if (by_name_.contains(edit.object)) {
    return Error{ErrorCode::kInput, "there is an object of that name already"};
  }
  auto mesh = mesh_of(edit);
  if (!mesh) return mesh.error();
  auto id = scene_.add(edit.object, (*mesh)->mesh, edit.at);
  if (!id) return id.error();
  Entry entry;
  entry.name = edit.object;
  entry.mesh = std::move(mesh).value();
  entry.at = edit.at;
  entry.id = id.value();
  put(std::move(entry));
  number(edit.object);
  ++table_;
  return Nothing{};
}

Status SceneVersions::remove(Entry& entry) {
  if (Status removed = scene_.remove(entry.id); !removed) return removed;
  save_rules();
  std::erase_if(rules_, [&](const SceneEdit& rule) {
    return rule.pattern.empty() && (rule.object == entry.name || rule.other == entry.name);
  });
  leave_switch(entry);
  note_jump(entry.name);
  take_out(entry.order);
  return Nothing{};
}

Status SceneVersions::replace(const SceneEdit& edit, Entry& entry) {
  auto mesh = mesh_of(edit);
  if (!mesh) return mesh.error();
  if (Status replaced = scene_.replace(entry.id, (*mesh)->mesh); !replaced) return replaced;
  note_jump(entry.name);
  Entry now = entry;
  now.mesh = std::move(mesh).value();
  now.vertices.reset();
  take_out(entry.order);
  put(std::move(now));  // its index in the scene is the last one, too
  ++table_;
  return Nothing{};
}

Status SceneVersions::place(const SceneEdit& edit, Entry& entry) {
  if (Status placed = scene_.place(entry.id, edit.at); !placed) return placed;
  note_jump(entry.name);
  entry.at = edit.at;
  return Nothing{};
}

Status SceneVersions::move(const SceneEdit& edit, Entry& entry) {
  ShapePlacement to = edit.at;
  to.scale = entry.at.scale;
  // Not every object can move that can be put there.
  const Transform end{to.rotation, to.translation};
  if (Status moved = scene_.move(entry.id, end, edit.in_between); !moved) return moved;
  if (Status placed = scene_.place(entry.id, to); !placed) return placed;
  if (++told_moves_ % kMostToldMoves == 0) unsettled_ = true;
  note_start(entry);
  entry.at = to;
  entry.in_between = edit.in_between;
  return Nothing{};
}

Status SceneVersions::deform(const SceneEdit& edit, Entry& entry) {
  Status deformed = edit.to ? scene_.deform(entry.id, edit.vertices, *edit.to)
                            : scene_.deform(entry.id, edit.vertices);
  if (!deformed) return deformed;
  unsettled_ = true;
  deforming_.insert(entry.order);
  note_start(entry, edit.to.has_value());
  if (edit.to) entry.at = *edit.to;
  if (edit.to && edit.vertices.empty()) return Nothing{};
  if (entry.vertices) deformed_ -= entry.vertices->size();
  deformed_ += edit.vertices.size();
  entry.vertices = std::make_shared<const std::vector<Vec3f>>(edit.vertices);
  return Nothing{};
}

Status SceneVersions::set_active(Entry& entry, bool active) {
  const bool before = is_there(entry);
  entry.active = active;
  if (Status set = active ? scene_.activate(entry.id) : scene_.deactivate(entry.id); !set) {
    return set;
  }
  if (!before && is_there(entry)) note_jump(entry.name);
  return Nothing{};
}

// ---- Pairs ----

Status SceneVersions::put_rule(const SceneEdit& edit) {
  using enum SceneVerb;
  if (edit.verb == kActivatePairs) return scene_.activate_pairs(edit.pattern);
  if (edit.verb == kDeactivatePairs) return scene_.deactivate_pairs(edit.pattern);
  const auto a = by_name_.find(edit.object);
  const auto b = by_name_.find(edit.other);
  if (a == by_name_.end()) return no_object_named(edit.object);
  if (b == by_name_.end()) return no_object_named(edit.other);
  const ObjectId one = entries_.at(a->second).id;
  const ObjectId two = entries_.at(b->second).id;
  return edit.verb == kActivatePair ? scene_.activate_pair(one, two)
                                    : scene_.deactivate_pair(one, two);
}

Status SceneVersions::change_pairs(const SceneEdit& edit) {
  using enum SceneVerb;
  SceneEdit rule;
  rule.verb = edit.verb;
  const bool of_patterns = edit.verb == kActivatePairs || edit.verb == kDeactivatePairs;
  if (of_patterns) {
    rule.pattern = edit.pattern;
    if (edit.pattern.size() > 2 * limits_.name_bytes + 1) {
      return Error{ErrorCode::kInput, "a pattern that is too long"};
    }
  } else {
    rule.object = edit.object;
    rule.other = edit.other;
  }
  if (Status put = put_rule(rule); !put) return put;
  save_rules();
  // What this one says of a pair counts, whatever an earlier one of the same pairs said.
  std::erase_if(rules_, [&](const SceneEdit& old) {
    return of_patterns ? old.pattern == rule.pattern : is_about_pair(old, rule.object, rule.other);
  });
  rules_.push_back(std::move(rule));
  if (rules_.size() <= limits_.pair_commands) return Nothing{};
  return over("commands about pairs", limits_.pair_commands);
}

// ---- Switches ----

/// As Scene does it: a switch that has chosen the object has chosen none then.
void SceneVersions::leave_switch(const Entry& entry) {
  if (entry.parent.empty()) return;
  save_switches();
  std::optional<std::string>& chosen = switches_.at(entry.parent).chosen;
  if (chosen == entry.name) chosen.reset();
}

Status SceneVersions::switch_parent(Entry& entry, const std::string& parent) {
  const bool before = is_there(entry);
  leave_switch(entry);
  entry.parent = parent;
  const Status done = parent.empty() ? scene_.clear_switch(entry.id)
                                     : scene_.set_switch(entry.id, switches_.at(parent).id);
  if (done && !before && is_there(entry)) note_jump(entry.name);
  return done;
}

Status SceneVersions::change_switch(const SceneEdit& edit) {
  using enum SceneVerb;
  save_switches();
  if (edit.verb == kAddSwitch) {
    if (Status named = check_name(edit.parent); !named) return named;
    if (switches_.contains(edit.parent)) {
      return Error{ErrorCode::kInput, "there is a switch of that name already"};
    }
    if (switches_.size() >= limits_.switches) return over("switches", limits_.switches);
    switches_.emplace(edit.parent, Switch{scene_.add_switch(), std::nullopt});
    return Nothing{};
  }
  const auto parent = switches_.find(edit.parent);
  if (edit.verb != kClearSwitch && parent == switches_.end()) return no_switch_named(edit.parent);
  if (edit.verb == kChooseNone) {
    parent->second.chosen.reset();
    return scene_.choose_none(parent->second.id);
  }
  Entry* const entry = find(edit.object);
  if (entry == nullptr) return no_object_named(edit.object);
  if (edit.verb == kSetSwitch) return switch_parent(*entry, edit.parent);
  if (edit.verb == kClearSwitch) return switch_parent(*entry, {});
  if (Status chosen = scene_.choose(parent->second.id, entry->id); !chosen) return chosen;
  const bool before = is_there(*entry);
  parent->second.chosen = entry->name;
  if (!before && is_there(*entry)) note_jump(entry->name);
  return Nothing{};
}

// ---- What readers' next steps begin with ----

void SceneVersions::save_start(std::uint64_t version, Pin& pin, const std::string& name) {
  if (!undo_) return;
  const auto known = pin.starts.find(name);
  undo_->starts.push_back(
      {version, name,
       known == pin.starts.end() ? std::nullopt : std::optional<Start>(known->second)});
}

void SceneVersions::note_start(const Entry& entry, bool straight) {
  for (auto& [version, pin] : pins_) {
    const auto known = pin.starts.find(entry.name);
    if (known != pin.starts.end() && (known->second.straight || !straight)) continue;
    save_start(version, pin, entry.name);
    pin.starts.try_emplace(entry.name, Start{entry.at, entry.vertices}).first->second.straight =
        straight;
  }
}

void SceneVersions::note_jump(const std::string& name) {
  for (auto& [version, pin] : pins_) {
    if (!pin.starts.contains(name)) continue;
    save_start(version, pin, name);
    pin.starts.erase(name);
  }
}

}  // namespace tocsin::detect
