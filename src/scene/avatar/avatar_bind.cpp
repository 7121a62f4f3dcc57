// Avatar::bind, Avatar::automatic and the functions of tocsin/binding.h.
#include <utility>
#include <vector>

#include "scene/avatar/avatar_binder.h"
#include "scene/avatar/avatar_scale.h"
#include "scene/avatar/model_binder.h"

namespace tocsin {
namespace {

/// The avatar alone.
Result<Avatar> only_avatar(Result<BoundAvatar> bound) {
  if (!bound.ok()) return bound.error();
  return std::move(bound->avatar);
}

}  // namespace

Result<Avatar> Avatar::bind(const AvatarModel& model, const Skeleton& skeleton,
                            const RadiusScale& scale) {
  if (skeleton.size() == 0) return {ErrorCode::kInput, "an avatar needs a skeleton with joints"};
  const scene::JointNames names(skeleton);
  const auto binder = scene::best_naming(model, {skeleton, names});
  if (!binder->ok()) {
    // The binder comes back here with a model of joints that are all there.
    scene::AvatarBinder others(skeleton);
    for (const BoundBy way : {BoundBy::kSimilarNames, BoundBy::kShape}) {
      Result<BoundAvatar> next = others.bind(model, scale, way);
      if (next.ok() || next.error().code != ErrorCode::kInput) return only_avatar(std::move(next));
    }
    return binder->error();
  }
  std::vector<Link> links = binder->take_links();
  const Result<scene::RadiusFactor> factor = scene::radius_factor(scale, model, links);
  if (!factor.ok()) return factor.error();
  if (const Status scaled = scene::scale_radii(links, factor.value().value, scale); !scaled.ok()) {
    return scaled.error();
  }
  Result<Avatar> avatar = create(model.name, skeleton, std::move(links));
  if (avatar.ok()) avatar->radius_factor_ = factor.value().value;
  return avatar;
}

Result<Avatar> Avatar::bind(const Result<AvatarModel>& model, const Skeleton& skeleton,
                            const RadiusScale& scale) {
  if (!model.ok()) return model.error();
  return bind(model.value(), skeleton, scale);
}

Result<Avatar> Avatar::automatic(const Skeleton& skeleton, const RadiusScale& scale) {
  return only_avatar(bind_bones(skeleton, scale));
}

Result<BoundAvatar> bind_avatar(const AvatarModel& model, const Skeleton& skeleton,
                                const RadiusScale& scale) {
  return scene::AvatarBinder(skeleton).bind(model, scale);
}

Result<BoundAvatar> bind_avatar(const AvatarModel& model, const Motion& motion,
                                const RadiusScale& scale) {
  return scene::AvatarBinder(motion).bind(model, scale);
}

Result<BoundAvatar> bind_bones(const Skeleton& skeleton, const RadiusScale& scale) {
  return scene::AvatarBinder(skeleton).bones(scale);
}

Result<BoundAvatar> bind_bones(const Motion& motion, const RadiusScale& scale) {
  return scene::AvatarBinder(motion).bones(scale);
}

}  // namespace tocsin
