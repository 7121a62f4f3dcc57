// choose_avatar: `--avatar auto`.
#include <string>

#include "tocsin/io.h"

namespace tocsin {

Result<Avatar> choose_avatar(const Skeleton& skeleton) {
  Result<Avatar> best = Avatar();
  for (const std::string& name : shipped_avatar_models()) {
    Result<Avatar> bound = Avatar::bind(load_avatar_model(name), skeleton);
    // The first of equals: names come in order, so the choice does not depend on the machine.
    if (bound.ok() && bound.links().size() > best.links().size()) best = std::move(bound);
  }
  if (!best.links().empty()) return best;
  return Avatar::automatic(skeleton);
}

}  // namespace tocsin
