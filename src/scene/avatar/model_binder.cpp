// From the joint names of a model to the joints of a skeleton.
#include "scene/avatar/model_binder.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "base/quoted.h"
#include "core/vector/vec.h"

namespace tocsin::scene {
namespace {

/// Over the usual distance: an end that is nearer to its link's joint has no length but for
/// rounding.
constexpr double kNoLength = 0.02;

}  // namespace

ModelBinder::ModelBinder(const AvatarModel& model, const JointSources& sources)
    : model_(model), sources_(sources), naming_(model, sources.scheme) {
  find_all();
  links_.reserve(model_.links.size());
  for (const LinkModel& link : model_.links) {
    Link bound;
    bound.name = link.name;
    bound.radius = link.radius;
    const BodyRole& role = needed(link, link.joint, "moves with");
    bound.joint = role.joint;
    bound.a = end_point({link, link.a, "a"}, bound.joint);
    bound.b = end_point({link, link.b, "b"}, bound.joint);
    // Where no joint is, the link's own origin is where it would be.
    if (role.placed && link.a.joint.empty()) bound.a = role.offset + bound.a;
    if (role.placed && link.b.joint.empty()) bound.b = role.offset + bound.b;
    bound.shape = link.shape;
    if (role.placed && !link.shape.empty()) place_shape(link, role.offset, bound.shape);
    links_.push_back(std::move(bound));
  }
}

Error ModelBinder::error() const {
  return missing_.empty() ? *error_ : Error{ErrorCode::kInput, describe_missing()};
}

std::vector<BoundJoint> ModelBinder::joints() const {
  std::vector<BoundJoint> out;
  for (const auto& [name, found] : found_) {
    if (found.role.joint < 0) continue;
    BoundJoint joint{name, found.role.joint, found.by, !found.near, {}};
    if (found.near) joint.note = "one letter differs";
    if (found.at_link) joint.note = "without length: the model's proportions say how far it is";
    if (found.role.placed) joint.note = "no joint there: placed by proportions";
    out.push_back(std::move(joint));
  }
  return out;
}

std::string ModelBinder::naming() const {
  return naming_.scheme() == nullptr ? std::string() : naming_.scheme()->name;
}

/// All joints that links may ask for. What differs by a letter comes last, so that it takes no
/// joint that is another's.
void ModelBinder::find_all() {
  for (const LinkModel& link : model_.links) {
    for (const std::string* name :
         {&link.joint, &link.a.joint, &link.b.joint, &link.a.beyond, &link.b.beyond}) {
      if (name->empty() || found_.find(*name) != found_.end()) continue;
      found_.emplace(*name, look_up(*name));
    }
  }
  if (sources_.alike == nullptr) return;
  std::set<int> taken;
  std::size_t lacking = 0;
  for (const auto& [name, found] : found_) {
    taken.insert(found.role.joint);
    lacking += found.role.joint < 0 ? 1 : 0;
  }
  // A naming that most joints lack is another tool's, and a likeness in it is chance.
  if (2 * lacking > found_.size()) return;
  for (auto& [name, found] : found_) {
    if (found.role.joint >= 0) continue;
    const int joint = sources_.alike->find_near(naming_.names_of(name), taken);
    if (joint >= 0) found = {{joint, {}, false}, BoundBy::kSimilarNames, true};
  }
}

ModelBinder::Found ModelBinder::look_up(const std::string& joint) const {
  if (sources_.body != nullptr) {
    const auto it = sources_.body->roles.find(joint);
    return {it == sources_.body->roles.end() ? BodyRole{} : it->second, BoundBy::kShape};
  }
  const std::vector<std::string> names = naming_.names_of(joint);
  const int exact = sources_.names.find(names);
  if (exact >= 0 || sources_.alike == nullptr) return {{exact, {}, false}, BoundBy::kNames};
  return {{sources_.alike->find_same(names), {}, false}, BoundBy::kSimilarNames};
}

const BodyRole& ModelBinder::role_of(const std::string& joint) const {
  return found_.at(joint).role;
}

/// What stands for a joint; one that is not there is noted.
const BodyRole& ModelBinder::needed(const LinkModel& link, const std::string& joint,
                                    std::string_view role) {
  const BodyRole& found = role_of(joint);
  if (found.joint < 0) missing_.push_back({&link, &joint, role});
  return found;
}

Vec3 ModelBinder::in_ancestor(const BodyRole& role, int ancestor) const {
  if (!role.placed) return sources_.skeleton.rest_position_in(role.joint, ancestor);
  Vec3 position = role.offset;
  for (int i = role.joint; i > ancestor;) {
    const Joint& joint = sources_.skeleton.joints()[static_cast<std::size_t>(i)];
    position = core::rotate(joint.rest.rotation, position) + joint.rest.translation;
    i = joint.parent;
  }
  return position;
}

Vec3 ModelBinder::end_point(const LinkEnd& at, int joint) {
  if (at.end.joint.empty()) return at.end.offset;
  const BodyRole& target = role_of(at.end.joint);
  if (target.joint < 0 && !at.end.beyond.empty()) return beyond(at, joint);
  if (target.joint < 0) {
    missing_.push_back({&at.link, &at.end.joint,
                        at.which == "a" ? "has its end point a at" : "has its end point b at"});
  }
  if (target.joint < 0 || joint < 0) return {};
  if (!sources_.skeleton.descends(target.joint, joint)) {
    fail(at, fmt::format("is joint {}, which does not lie below the link's joint {}",
                         name_of(target.joint), name_of(joint)));
    return {};
  }
  const Vec3 end = in_ancestor(target, joint);
  if (!may_go_beyond(at, joint)) return end;
  // Exporters write ends without length. A hand is no ball at the wrist for that.
  const Vec3 usual = beyond(at, joint);
  if (core::norm(end) > kNoLength * core::norm(usual)) return end;
  found_.at(at.end.joint).at_link = true;
  return usual;
}

/// True if the end has a substitute whose joints are there.
bool ModelBinder::may_go_beyond(const LinkEnd& at, int joint) const {
  if (at.end.beyond.empty()) return false;
  const int from = role_of(at.end.beyond).joint;
  return from >= 0 && sources_.skeleton.descends(joint, from);
}

/// The point beyond the link's joint, seen from another joint in the rest pose.
Vec3 ModelBinder::beyond(const LinkEnd& at, int joint) {
  const int from = needed(at.link, at.end.beyond, "looks for its end point beyond").joint;
  if (from < 0 || joint < 0) return {};
  const Skeleton& skeleton = sources_.skeleton;
  if (!skeleton.descends(joint, from)) {
    fail(at, fmt::format("is sought beyond joint {}, which does not lie above the link's joint "
                         "{}",
                         name_of(from), name_of(joint)));
    return {};
  }
  // The way from that joint to the link's, first in that joint's frame, then in the link's.
  Vec3 way = skeleton.rest_position_in(joint, from);
  std::vector<int> path;
  for (int i = joint; i > from; i = skeleton.joints()[static_cast<std::size_t>(i)].parent) {
    path.push_back(i);
  }
  for (auto i = path.rbegin(); i != path.rend(); ++i) {
    const Quat& turn = skeleton.joints()[static_cast<std::size_t>(*i)].rest.rotation;
    way = core::rotate(core::conjugate(turn), way);
  }
  return at.end.times * way;
}

/// Puts a shape to where its link's joint would be.
void ModelBinder::place_shape(const LinkModel& link, const Vec3& offset, Shape& shape) {
  ShapePlacement at;
  at.translation = offset;
  auto placed = shape.placed(at);
  if (placed.ok()) {
    shape = std::move(placed).value();
  } else if (!error_) {
    error_ =
        Error{placed.error().code, fmt::format("{}, link {}: {}", prefix(),
                                               base::in_quotes(link.name), placed.error().message)};
  }
}

/// Keeps the first thing that is wrong with an end point.
void ModelBinder::fail(const LinkEnd& at, const std::string& cause) {
  if (error_) return;
  error_ = Error{ErrorCode::kInput, fmt::format("{}, link {}: its end point {} {}", prefix(),
                                                base::in_quotes(at.link.name), at.which, cause)};
}

std::unique_ptr<ModelBinder> best_naming(const AvatarModel& model, JointSources sources) {
  auto best = std::make_unique<ModelBinder>(model, sources);
  for (const NamingScheme& scheme : model.schemes) {
    if (best->ok()) break;
    sources.scheme = &scheme;
    auto next = std::make_unique<ModelBinder>(model, sources);
    if (next->ok() || next->missing() < best->missing()) best = std::move(next);
  }
  return best;
}

}  // namespace tocsin::scene
