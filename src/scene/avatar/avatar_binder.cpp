#include "scene/avatar/avatar_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "base/quoted.h"
#include "base/unique_names.h"
#include "core/vector/vec.h"
#include "scene/avatar/avatar_naming.h"
#include "scene/avatar/avatar_scale.h"
#include "scene/avatar/model_binder.h"
#include "scene/avatar/named_sides.h"

namespace tocsin::scene {
namespace {

/// BodyShape::cost up to which a body is clearly one: recorded and made skeletons cost 0.2 to 1.3.
constexpr double kClearBody = 2.0;
/// Names shown in a note.
constexpr std::size_t kMostShown = 6;

std::vector<Transform> rest_of(const Skeleton& skeleton) {
  std::vector<Transform> out;
  out.reserve(skeleton.joints().size());
  for (const Joint& joint : skeleton.joints()) out.push_back(joint.rest);
  return out;
}

bool same_joints(const BodyAnswer& a, const BodyAnswer& b) {
  if (!a.body || !b.body) return !a.body && !b.body;
  return std::equal(a.body->roles.begin(), a.body->roles.end(), b.body->roles.begin(),
                    b.body->roles.end(), [](const auto& x, const auto& y) {
                      return x.first == y.first && x.second.joint == y.second.joint;
                    });
}

/// A model that gives these links, whatever the joints are called; `model` has the lengths.
AvatarModel fixed_model(const AvatarModel& model, const std::vector<Link>& links) {
  AvatarModel out;
  out.name = model.name;
  for (std::size_t i = 0; i < links.size(); ++i) {
    LinkModel link;
    link.name = links[i].name;
    link.joint = indexed_name(links[i].joint);
    link.a.offset = links[i].a;
    link.b.offset = links[i].b;
    link.radius = links[i].radius;
    link.shape = links[i].shape;
    if (i < model.links.size()) link.length = model.links[i].length;
    out.links.push_back(std::move(link));
  }
  return out;
}

}  // namespace

AvatarBinder::AvatarBinder(const Skeleton& skeleton) : skeleton_(skeleton), names_(skeleton_) {}

AvatarBinder::AvatarBinder(const Motion& motion)
    : skeleton_(motion.skeleton()), motion_(motion), names_(skeleton_) {}

const AlikeNames& AvatarBinder::alike() {
  if (!alike_) alike_.emplace(skeleton_);
  return *alike_;
}

bool AvatarBinder::may_bind(const AvatarModel& model, BoundBy way) {
  return scene::may_bind(model, names_, way == BoundBy::kSimilarNames ? &alike() : nullptr);
}

const MotionEvidence* AvatarBinder::evidence() {
  if (!motion_) return nullptr;
  if (!evidence_) evidence_ = evidence_of(*motion_);
  return &*evidence_;
}

const BodyAnswer& AvatarBinder::body() {
  if (body_) return *body_;
  const std::vector<Transform> rest = rest_of(skeleton_);
  const MotionEvidence* const moving = evidence();
  BodyAnswer at_rest = find_body(skeleton_, {rest, {}});
  body_ = at_rest;
  if (moving == nullptr) return *body_;
  body_ = find_body(skeleton_, {rest, moving->turns});
  if (!body_->body && motion_->frame_count() > 0) {
    BodyAnswer posed = find_body(skeleton_, {motion_->pose(0), moving->turns});
    posed_ = posed.body.has_value();
    if (posed_) body_ = std::move(posed);
  }
  shape_needs_motion_ = posed_ || !same_joints(*body_, at_rest);
  return *body_;
}

void AvatarBinder::add_shape_notes(Binding& binding) {
  const BodyShape& shape = *body().body;
  const bool clear = shape.cost <= kClearBody;
  for (BoundJoint& joint : binding.joints) joint.sure = joint.sure && clear;
  binding.from_motion = shape_needs_motion_;
  binding.notes.push_back(fmt::format(
      "joints were found by shape{}, not by names: two legs, two arms, a spine and a head{}",
      posed_ ? " in frame 0, as the rest pose is no person's" : "",
      clear ? "" : "; the proportions are unusual, so look at a picture"));
  // Feet point ahead; knees, a little bent, show it less surely. Names of roles with a side begin
  // with Left, Right, L or R, and no others do.
  const bool sides_sure = shape.sides_known && shape.front != "the knees";
  for (BoundJoint& joint : binding.joints) {
    const bool sided = joint.model_joint.front() == 'L' || joint.model_joint.front() == 'R';
    joint.sure = joint.sure && (sides_sure || !sided);
  }
  binding.notes.push_back(
      shape.sides_known
          ? fmt::format("left and right follow from what is in front, as {} show it{}", shape.front,
                        shape.front == "the knees" ? "; they are likely, not sure" : "")
          : "nothing shows what is in front, so left and right may be exchanged in links' names");
}

Binding AvatarBinder::binding_of(const AvatarModel& model, BoundBy way,
                                 std::vector<BoundJoint> joints, const std::string& naming) {
  Binding out;
  out.by = way;
  out.naming = naming;
  out.joints = std::move(joints);
  if (way == BoundBy::kShape) add_shape_notes(out);
  if (way != BoundBy::kShape && named_sides_are_exchanged(skeleton_, out.joints)) {
    out.notes.emplace_back(
        "joints that are called left are on the right, seen from where the feet point to, and "
        "links are called as the joints are: the skeleton may be mirrored");
  }
  std::string alike;
  std::size_t count = 0;
  for (const BoundJoint& joint : out.joints) {
    if (joint.by != BoundBy::kSimilarNames || joint.sure) continue;
    count += 1;
    if (count > kMostShown) continue;
    alike +=
        fmt::format("{}{} for {}", alike.empty() ? "" : ", ",
                    base::in_quotes(skeleton_.joints()[static_cast<std::size_t>(joint.joint)].name),
                    base::escaped(joint.model_joint));
  }
  if (way == BoundBy::kSimilarNames) {
    out.notes.push_back(
        fmt::format("some joints have other names than model {} knows, but like them{}{}",
                    base::in_quotes(model.name), alike.empty() ? "" : ": " + alike,
                    count > kMostShown ? ", ..." : ""));
  }
  const auto noted = [&](const char* word) {
    std::string names;
    for (const BoundJoint& joint : out.joints) {
      if (joint.note.find(word) == std::string::npos) continue;
      names += (names.empty() ? "" : ", ") + base::escaped(joint.model_joint);
    }
    return names;
  };
  if (const std::string ends = noted("without length"); !ends.empty()) {
    out.notes.push_back(
        fmt::format("ends without length are put where the model has them: {}", ends));
  }
  if (const std::string placed = noted("placed"); !placed.empty()) {
    out.notes.push_back(
        fmt::format("the skeleton has no joint for {}; proportions say where it would be", placed));
  }
  return out;
}

Result<BoundAvatar> AvatarBinder::bind(const AvatarModel& model, const RadiusScale& scale,
                                       BoundBy way) {
  if (skeleton_.size() == 0) return {ErrorCode::kInput, "an avatar needs a skeleton with joints"};
  JointSources sources{skeleton_, names_};
  std::unique_ptr<ModelBinder> binder;
  if (way == BoundBy::kShape) {
    if (!body().body) {
      return {ErrorCode::kInput, fmt::format("no person is found by shape: {}", body().why)};
    }
    sources.body = &*body().body;
    binder = std::make_unique<ModelBinder>(model, sources);
  } else {
    if (way == BoundBy::kSimilarNames) sources.alike = &alike();
    binder = best_naming(model, sources);
  }
  if (!binder->ok()) return binder->error();
  auto avatar = Avatar::bind(fixed_model(model, binder->take_links()), skeleton_, scale);
  if (!avatar.ok()) return avatar.error();
  return BoundAvatar{std::move(avatar).value(),
                     binding_of(model, way, binder->joints(), binder->naming())};
}

Result<BoundAvatar> AvatarBinder::bind(const AvatarModel& model, const RadiusScale& scale) {
  Result<BoundAvatar> exact = bind(model, scale, BoundBy::kNames);
  // Only what concerns joints may be better otherwise; a senseless factor may not.
  if (exact.ok() || exact.error().code != ErrorCode::kInput) return exact;
  for (const BoundBy way : {BoundBy::kSimilarNames, BoundBy::kShape}) {
    Result<BoundAvatar> next = bind(model, scale, way);
    if (next.ok() || next.error().code != ErrorCode::kInput) return next;
  }
  return exact;
}

Result<BoundAvatar> AvatarBinder::bones(const RadiusScale& scale) {
  const Result<RadiusFactor> factor = given_radius_factor(scale);
  if (!factor.ok()) return factor.error();
  if (skeleton_.size() == 0) return {ErrorCode::kInput, "an avatar needs a skeleton with joints"};
  const MotionEvidence* const moving = evidence();
  BoneEvidence known;
  if (moving != nullptr) known.shifts = moving->shifts;
  if (motion_ && motion_->frame_count() > 0) known.pose = motion_->pose(0);
  BoneLinks bones = bone_links(skeleton_, known);
  std::vector<std::string*> names;
  names.reserve(bones.links.size());
  for (Link& link : bones.links) names.push_back(&link.name);
  base::make_distinct(names);
  AvatarModel model;
  model.name = "auto";
  auto avatar = Avatar::bind(fixed_model(model, std::move(bones.links)), skeleton_,
                             {false, factor.value().value});
  if (!avatar.ok()) return avatar.error();
  Binding binding;
  binding.by = BoundBy::kBones;
  binding.notes = std::move(bones.notes);
  binding.from_motion = bones.from_motion;
  return BoundAvatar{std::move(avatar).value(), std::move(binding)};
}

}  // namespace tocsin::scene
