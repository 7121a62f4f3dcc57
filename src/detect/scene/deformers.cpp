#include "detect/scene/deformers.h"

#include <algorithm>

#include "detect/scene/deforming_pair.h"

namespace tocsin::detect {

bool Deformers::has(std::uint32_t object) const {
  return std::any_of(all_.begin(), all_.end(),
                     [&](const Deformer& one) { return one.object == object; });
}

const Deformers::Lazy& Deformers::made(std::size_t i) const {
  Lazy& lazy = lazy_[i];
  std::call_once(lazy.once, [&] {
    const Deformer& of = all_[i];
    const std::uint32_t count = of.before->triangle_count();
    std::vector<MovingTriangle> triangles(count);
    std::vector<core::Box> boxes(count);
    for (std::uint32_t t = 0; t < count; ++t) {
      triangles[t] = {t, scene::placed_corners(*of.before, of.at, t),
                      scene::placed_corners(*of.after, of.to, t)};
      boxes[t] = box_of(triangles[t]);
    }
    lazy.triangles = std::move(triangles);
    lazy.boxes = std::move(boxes);
  });
  return lazy;
}

void Deformers::find_near(std::size_t i, const core::Box& box,
                          std::vector<MovingTriangle>& out) const {
  const Lazy& lazy = made(i);
  out.clear();
  for (std::size_t t = 0; t < lazy.boxes.size(); ++t) {
    if (core::overlap(lazy.boxes[t], box)) out.push_back(lazy.triangles[t]);
  }
}

}  // namespace tocsin::detect
