#include "io/avatar/bound_model.h"

#include <cstddef>
#include <utility>

namespace tocsin::io {

AvatarModel bound_model(const Avatar& avatar) {
  AvatarModel out;
  out.name = avatar.name();
  for (const Link& link : avatar.links()) {
    LinkModel model;
    model.name = link.name;
    model.joint = avatar.skeleton().joints()[static_cast<std::size_t>(link.joint)].name;
    model.shape = link.shape;
    if (link.shape.empty()) {
      model.a.offset = link.a;
      model.b.offset = link.b;
      model.radius = link.radius;
    }
    out.links.push_back(std::move(model));
  }
  return out;
}

}  // namespace tocsin::io
