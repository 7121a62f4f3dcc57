// Objects that a solid in motion holds: no triangle tells of them, and objects that stand are asked
// nothing. docs/exact.md, "Solids".
#include <algorithm>

#include "detect/scene/scene_view.h"
#include "scene/tree/contact_order.h"

namespace tocsin::detect {

Contact* place_for_inside(StepReport& report, std::uint32_t object) {
  const auto known = std::find_if(
      report.contacts.begin(), report.contacts.end(),
      [&](const Contact& c) { return c.room() != nullptr && c.room()->object == object; });
  if (known == report.contacts.end()) return &report.contacts.emplace_back();
  return known->toc[0] > 0.0 ? &*known : nullptr;
}

void SceneView::add_held(std::uint32_t holder, StepReport& report) const {
  const scene::Instance& own = (*instances_)[holder];
  if (!own.solid) return;
  bool added = false;
  instances_->tree().visit(own.box, [&](std::uint32_t object) {
    const scene::Instance& other = (*instances_)[object];
    if (!active(holder, object)) return true;
    // What touches no surface is inside, or not, as a whole: each of its parts is.
    for (const std::uint32_t triangle : scene::parts_of(*other.mesh)) {
      const Vec3 corner =
          core::to_double(scene::placed_corners(*other.mesh, other.at, triangle)[0]);
      if (!instances_->holds(holder, corner)) continue;
      if (Contact* const c = place_for_inside(report, object)) {
        *c = {};
        c->touched = RoomTriangle{object, triangle};
        c->status = ContactStatus::kOverlap;
        c->inside = true;
        c->point = corner;
        added = true;
      }
      break;
    }
    return true;
  });
  if (added) scene::sort_contacts(report.contacts);
}

}  // namespace tocsin::detect
