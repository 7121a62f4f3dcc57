#include "wire/scene_edits.h"

#include <fmt/format.h>

#include <array>
#include <initializer_list>
#include <string>
#include <utility>

#include "wire/shapes.h"
#include "wire/text.h"
#include "wire/values.h"

namespace tocsin::wire {
namespace {

using Wire = v1::SceneEdit;

// ---- Out ----

void put_placement(const ShapePlacement& at, bool with_scale, v1::Placement& out) {
  to_wire(at.translation, *out.mutable_translation());
  to_wire(at.rotation, *out.mutable_rotation());
  if (with_scale) to_wire(at.scale, *out.mutable_scale());
}

void put_mesh(const SceneEdit& edit, Wire::Mesh& out) {
  if (!edit.like.empty()) {
    put_text(edit.like, *out.mutable_like());
  } else if (!edit.loaded.empty()) {
    put_text(edit.loaded, *out.mutable_loaded());
  } else if (!edit.shape.empty()) {
    to_wire(edit.shape, *out.mutable_shape());
  }
}

/// Of an object alone.
bool put_object(const SceneEdit& edit, Wire& out) {
  using enum SceneVerb;
  switch (edit.verb) {
    case kAdd:
      put_text(edit.object, *out.mutable_add()->mutable_object());
      put_mesh(edit, *out.mutable_add()->mutable_mesh());
      put_placement(edit.at, true, *out.mutable_add()->mutable_at());
      return true;
    case kRemove:
      put_text(edit.object, *out.mutable_remove()->mutable_object());
      return true;
    case kReplace:
      put_text(edit.object, *out.mutable_replace()->mutable_object());
      put_mesh(edit, *out.mutable_replace()->mutable_mesh());
      return true;
    case kPlace:
      put_text(edit.object, *out.mutable_place()->mutable_object());
      put_placement(edit.at, true, *out.mutable_place()->mutable_at());
      return true;
    case kMove:
      put_text(edit.object, *out.mutable_move()->mutable_object());
      put_placement(edit.at, false, *out.mutable_move()->mutable_to());
      if (edit.in_between == InBetween::kTranslateRotate) {
        out.mutable_move()->set_in_between(v1::IN_BETWEEN_TRANSLATE_ROTATE);
      }
      return true;
    case kDeform:
      put_text(edit.object, *out.mutable_deform()->mutable_object());
      for (const Vec3f& v : edit.vertices) {
        for (const float x : {v.x, v.y, v.z}) out.mutable_deform()->add_vertices(x);
      }
      if (edit.to) put_placement(*edit.to, true, *out.mutable_deform()->mutable_to());
      return true;
    case kActivate:
    case kDeactivate:
      put_text(edit.object, *out.mutable_set_active()->mutable_object());
      out.mutable_set_active()->set_active(edit.verb == kActivate);
      return true;
    default:
      return false;
  }
}

// ---- In ----

Status take_text(std::string_view what, const std::string& text, std::string& out) {
  const std::string problem = label_problem(text, 2 * kLongestName + 1);
  if (!problem.empty()) return {ErrorCode::kInput, fmt::format("{} {}", what, problem)};
  out = text;
  return Nothing{};
}

ShapePlacement placement_of(const v1::Placement& at) {
  ShapePlacement out;
  if (at.has_translation()) out.translation = from_wire(at.translation());
  if (at.has_rotation()) out.rotation = from_wire(at.rotation());
  if (at.has_scale()) out.scale = from_wire(at.scale());
  return out;
}

Status take_mesh(const Wire::Mesh& mesh, ShapeReader& shapes, SceneEdit& out) {
  if (mesh.of_case() == Wire::Mesh::kLike) return take_text("like", mesh.like(), out.like);
  if (mesh.of_case() == Wire::Mesh::kLoaded) return take_text("loaded", mesh.loaded(), out.loaded);
  if (mesh.of_case() != Wire::Mesh::kShape) return {ErrorCode::kInput, "it has no mesh"};
  if (is_loaded(mesh.shape())) {
    return {ErrorCode::kInput, "a shape that the server has is named in `loaded`"};
  }
  auto shape = shapes.read(mesh.shape());
  if (!shape) return shape.error();
  out.shape = std::move(shape).value();
  return Nothing{};
}

Status take_move(const Wire::Move& move, SceneEdit& out) {
  out.at = placement_of(move.to());
  if (move.to().has_scale()) return {ErrorCode::kInput, "a move does not change the scale"};
  switch (static_cast<int>(move.in_between())) {
    case v1::IN_BETWEEN_SCREW:
      return Nothing{};
    case v1::IN_BETWEEN_TRANSLATE_ROTATE:
      out.in_between = InBetween::kTranslateRotate;
      return Nothing{};
    default:
      return {ErrorCode::kInput, "in_between is not known"};
  }
}

Status take_deformation(const Wire::Deform& deform, SceneEdit& out) {
  if (deform.vertices_size() % 3 != 0) {
    return {ErrorCode::kInput, "vertices have three numbers each"};
  }
  out.vertices.reserve(static_cast<std::size_t>(deform.vertices_size()) / 3);
  for (int i = 0; i + 2 < deform.vertices_size(); i += 3) {
    out.vertices.push_back({deform.vertices(i), deform.vertices(i + 1), deform.vertices(i + 2)});
  }
  if (deform.has_to()) out.to = placement_of(deform.to());
  return Nothing{};
}

Status take_object(const Wire& edit, ShapeReader& shapes, SceneEdit& out) {
  using enum SceneVerb;
  const auto begin = [&](SceneVerb verb, const std::string& object) {
    out.verb = verb;
    return take_text("object", object, out.object);
  };
  Status done = Nothing{};
  switch (edit.edit_case()) {
    case Wire::kAdd:
      done = begin(kAdd, edit.add().object());
      out.at = placement_of(edit.add().at());
      return done ? take_mesh(edit.add().mesh(), shapes, out) : done;
    case Wire::kRemove:
      return begin(kRemove, edit.remove().object());
    case Wire::kReplace:
      done = begin(kReplace, edit.replace().object());
      return done ? take_mesh(edit.replace().mesh(), shapes, out) : done;
    case Wire::kPlace:
      out.at = placement_of(edit.place().at());
      return begin(kPlace, edit.place().object());
    case Wire::kMove:
      done = begin(kMove, edit.move().object());
      return done ? take_move(edit.move(), out) : done;
    case Wire::kDeform:
      done = begin(kDeform, edit.deform().object());
      return done ? take_deformation(edit.deform(), out) : done;
    case Wire::kSetActive:
      return begin(edit.set_active().active() ? kActivate : kDeactivate,
                   edit.set_active().object());
    default:
      return {ErrorCode::kInput, "it has no verb that this version knows"};
  }
}

Status take_pair(const Wire& edit, SceneEdit& out) {
  using enum SceneVerb;
  if (edit.edit_case() == Wire::kSetPairs) {
    out.verb = edit.set_pairs().active() ? kActivatePairs : kDeactivatePairs;
    return take_text("pattern", edit.set_pairs().pattern(), out.pattern);
  }
  const auto& pair = edit.set_pair();
  out.verb = pair.active() ? kActivatePair : kDeactivatePair;
  const Status one = take_text("object", pair.object(), out.object);
  return one ? take_text("other", pair.other(), out.other) : one;
}

Status take_switch(const Wire& edit, SceneEdit& out) {
  using enum SceneVerb;
  const auto both = [&](const std::string& parent, const std::string& object) {
    const Status one = take_text("parent", parent, out.parent);
    return one ? take_text("object", object, out.object) : one;
  };
  switch (edit.edit_case()) {
    case Wire::kAddSwitch:
      out.verb = kAddSwitch;
      return both(edit.add_switch().name(), {});
    case Wire::kSetSwitch:
      out.verb = edit.set_switch().parent().empty() ? kClearSwitch : kSetSwitch;
      return both(edit.set_switch().parent(), edit.set_switch().object());
    default:
      out.verb = edit.choose().object().empty() ? kChooseNone : kChoose;
      return both(edit.choose().parent(), edit.choose().object());
  }
}

Status take_edit(const Wire& edit, ShapeReader& shapes, SceneEdit& out) {
  switch (edit.edit_case()) {
    case Wire::kSetPair:
    case Wire::kSetPairs:
      return take_pair(edit, out);
    case Wire::kAddSwitch:
    case Wire::kSetSwitch:
    case Wire::kChoose:
      return take_switch(edit, out);
    default:
      return take_object(edit, shapes, out);
  }
}

}  // namespace

void to_wire(const SceneEdit& edit, v1::SceneEdit& out) {
  using enum SceneVerb;
  out.Clear();
  if (put_object(edit, out)) return;
  switch (edit.verb) {
    case kActivatePair:
    case kDeactivatePair:
      put_text(edit.object, *out.mutable_set_pair()->mutable_object());
      put_text(edit.other, *out.mutable_set_pair()->mutable_other());
      out.mutable_set_pair()->set_active(edit.verb == kActivatePair);
      return;
    case kActivatePairs:
    case kDeactivatePairs:
      put_text(edit.pattern, *out.mutable_set_pairs()->mutable_pattern());
      out.mutable_set_pairs()->set_active(edit.verb == kActivatePairs);
      return;
    case kAddSwitch:
      put_text(edit.parent, *out.mutable_add_switch()->mutable_name());
      return;
    case kSetSwitch:
    case kClearSwitch:
      put_text(edit.object, *out.mutable_set_switch()->mutable_object());
      if (edit.verb == kSetSwitch)
        put_text(edit.parent, *out.mutable_set_switch()->mutable_parent());
      return;
    default:
      put_text(edit.parent, *out.mutable_choose()->mutable_parent());
      if (edit.verb == kChoose) put_text(edit.object, *out.mutable_choose()->mutable_object());
      return;
  }
}

Result<std::vector<SceneEdit>> from_wire(const v1::UpdateEnvironmentRequest& request) {
  const auto count = static_cast<std::size_t>(request.edits_size());
  if (count == 0 || count > kMostEdits) {
    return {ErrorCode::kInput,
            fmt::format("edits: a change has 1 to {}, not {}", kMostEdits, count)};
  }
  ShapeReader shapes;
  std::vector<SceneEdit> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Status taken = take_edit(request.edits(static_cast<int>(i)), shapes, out[i]);
    if (!taken) return {taken.error().code, fmt::format("edit {}: {}", i, taken.error().message)};
  }
  return out;
}

}  // namespace tocsin::wire
