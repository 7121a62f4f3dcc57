// choose_avatar: `--avatar auto`.
#include <new>
#include <utility>

#include "io/avatar/embedded_avatar_models.h"
#include "scene/avatar/avatar_binder.h"
#include "tocsin/binding.h"
#include "tocsin/io.h"

namespace tocsin {
namespace {

/// The model that binds the most links by this way; null: none binds.
const AvatarModel* best_model(scene::AvatarBinder& binder, BoundBy way) {
  const AvatarModel* best = nullptr;
  for (const io::EmbeddedAvatarModel& shipped : io::embedded_avatar_models()) {
    if (!shipped.whole) continue;
    const Result<AvatarModel>& model = *io::shipped_avatar_model(shipped.name);
    // The first of equals: names come in order, so the choice does not depend on the machine.
    if (!model.ok() || (best != nullptr && model.value().links.size() <= best->links.size())) {
      continue;
    }
    if (way != BoundBy::kShape && !binder.may_bind(model.value(), way)) continue;
    if (binder.bind(model.value(), {}, way).ok()) best = &model.value();
  }
  return best;
}

Result<BoundAvatar> choose(scene::AvatarBinder binder, const RadiusScale& scale) {
  // Chosen unscaled, so that a factor that does not go with the best model is an error and not
  // another model.
  for (const BoundBy way : {BoundBy::kNames, BoundBy::kSimilarNames, BoundBy::kShape}) {
    const AvatarModel* const best = best_model(binder, way);
    if (best != nullptr) return binder.bind(*best, scale, way);
  }
  return binder.bones(scale);
}

template <class Subject>
Result<BoundAvatar> choose_for(const Subject& subject, const RadiusScale& scale) {
  try {
    return choose(scene::AvatarBinder(subject), scale);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, "choosing an avatar model: out of memory"};
  }
}

}  // namespace

Result<BoundAvatar> choose_bound_avatar(const Skeleton& skeleton, const RadiusScale& scale) {
  return choose_for(skeleton, scale);
}

Result<BoundAvatar> choose_bound_avatar(const Motion& motion, const RadiusScale& scale) {
  return choose_for(motion, scale);
}

Result<Avatar> choose_avatar(const Skeleton& skeleton, const RadiusScale& scale) {
  Result<BoundAvatar> bound = choose_for(skeleton, scale);
  if (!bound.ok()) return bound.error();
  return std::move(bound->avatar);
}

}  // namespace tocsin
