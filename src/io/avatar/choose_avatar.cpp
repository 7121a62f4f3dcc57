// choose_avatar: `--avatar auto`.
#include <new>

#include "io/avatar/embedded_avatar_models.h"
#include "scene/avatar/avatar_naming.h"
#include "tocsin/io.h"

namespace tocsin {
namespace {

/// The model that binds the most links; null: none binds.
const AvatarModel* best_model(const Skeleton& skeleton) {
  const scene::JointNames names(skeleton);
  const AvatarModel* best = nullptr;
  for (const io::EmbeddedAvatarModel& shipped : io::embedded_avatar_models()) {
    const Result<AvatarModel>& model = *io::shipped_avatar_model(shipped.name);
    // The first of equals: names come in order, so the choice does not depend on the machine.
    if (!model.ok() || (best != nullptr && model.value().links.size() <= best->links.size())) {
      continue;
    }
    if (!scene::may_bind(model.value(), names)) continue;
    if (Avatar::bind(model.value(), skeleton).ok()) best = &model.value();
  }
  return best;
}

}  // namespace

Result<Avatar> choose_avatar(const Skeleton& skeleton, const RadiusScale& scale) {
  try {
    // Chosen unscaled, so that a factor that does not go with the best model is an error and not
    // another model.
    const AvatarModel* const best = best_model(skeleton);
    return best == nullptr ? Avatar::automatic(skeleton, scale)
                           : Avatar::bind(*best, skeleton, scale);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, "choosing an avatar model: out of memory"};
  }
}

}  // namespace tocsin
