// choose_avatar: `--avatar auto`.
#include <string>
#include <utility>

#include "tocsin/io.h"

namespace tocsin {

Result<Avatar> choose_avatar(const Skeleton& skeleton, const RadiusScale& scale) {
  // Chosen unscaled, so that a factor that does not go with the best model is an error and not
  // another model.
  AvatarModel best;
  for (const std::string& name : shipped_avatar_models()) {
    Result<AvatarModel> model = load_avatar_model(name);
    const Result<Avatar> bound = Avatar::bind(model, skeleton);
    // The first of equals: names come in order, so the choice does not depend on the machine.
    if (bound.ok() && model.links.size() > best.links.size()) best = std::move(model);
  }
  if (best.links.empty()) return Avatar::automatic(skeleton, scale);
  return Avatar::bind(best, skeleton, scale);
}

}  // namespace tocsin
