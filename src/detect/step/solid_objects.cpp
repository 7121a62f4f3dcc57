#include "detect/step/solid_objects.h"

#include <algorithm>
#include <cstddef>

#include "detect/crowd/name_patterns.h"

namespace tocsin::detect {

SolidObjects::SolidObjects(const Environment& environment, std::span<const std::string> surfaces)
    : environment_(environment), instances_(scene::instances_of(environment_)) {
  if (instances_ != nullptr) return;
  if (std::find(surfaces.begin(), surfaces.end(), "*") != surfaces.end()) return;
  const scene::Solids& solids = scene::solids_of(environment);
  const std::span<const Object> objects = environment.objects();
  surface_.assign(objects.size(), 0);
  for (const std::string& pattern : surfaces) {
    const auto on = matching(pattern, objects.size(),
                             [&](std::size_t i) -> const std::string& { return objects[i].name; });
    for (std::size_t i = 0; i < objects.size(); ++i) surface_[i] = surface_[i] | on[i];
  }
  for (std::uint32_t i = 0; i < objects.size() && solids_ == nullptr; ++i) {
    if (surface_[i] == 0 && solids.solid(i)) solids_ = &solids;
  }
}

bool SolidObjects::holds(std::uint32_t object, const Vec3& p) const {
  bool found = false;
  for_each_around(p, [&](std::uint32_t one) { found = found || one == object; });
  return found;
}

}  // namespace tocsin::detect
