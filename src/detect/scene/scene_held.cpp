// Objects that a solid in motion holds: no triangle tells of them, and they are asked nothing about
// it: they stand, or come behind it. docs/exact.md, "Solids".
#include <algorithm>

#include "cpu/kernels/kernels.h"
#include "detect/scene/scene_view.h"
#include "scene/tree/contact_order.h"

namespace tocsin::detect {
namespace {

/// Relative to coordinates: above what corners are rounded by where they stand (2^-24). More tests
/// more pairs for nothing, less would lose some that are held.
constexpr double kRounding = 0x1p-20;

}  // namespace

Contact* place_for_inside(StepReport& report, std::uint32_t object) {
  const auto known = std::find_if(
      report.contacts.begin(), report.contacts.end(),
      [&](const Contact& c) { return c.room() != nullptr && c.room()->object == object; });
  if (known == report.contacts.end()) return &report.contacts.emplace_back();
  return known->toc[0] > 0.0 ? &*known : nullptr;
}

bool SceneView::tells(std::size_t i, std::uint32_t object) const {
  const bool moves = i < movers_.size();
  if (movers_.has(object)) return moves && object_of(i) < object;
  return moves || !deformers_.has(object) || object_of(i) < object;
}

template <class StartOf>
bool SceneView::add_if_held(std::uint32_t holder, std::uint32_t object, const StartOf& start_of,
                            StepReport& report) const {
  if (!active(holder, object)) return false;
  // What touches no surface is inside, or not, as a whole: each of its parts is.
  for (const std::uint32_t triangle : scene::parts_of(*(*instances_)[object].mesh)) {
    const Vec3 corner = start_of(triangle);
    if (!instances_->holds(holder, corner)) continue;
    Contact* const c = place_for_inside(report, object);
    if (c == nullptr) return false;
    *c = {};
    c->touched = RoomTriangle{object, triangle};
    c->status = ContactStatus::kOverlap;
    c->inside = true;
    c->point = corner;
    return true;
  }
  return false;
}

bool SceneView::add_if_holds_placed(std::uint32_t holder, std::uint32_t object,
                                    StepReport& report) const {
  const scene::Instance& other = (*instances_)[object];
  const auto start_of = [&](std::uint32_t triangle) {
    return core::to_double(scene::placed_corners(*other.mesh, other.at, triangle)[0]);
  };
  return add_if_held(holder, object, start_of, report);
}

bool SceneView::add_if_holds_mover(std::uint32_t holder, std::size_t m, StepReport& report) const {
  const Mover& mover = movers_[m];
  thread_local MovingLinks links;
  links.begin(mover.body, movers_.step(m), 0.0, {});
  const core::LinkMotion& motion = links.motion(0);
  const Shape& shape = links.shape(0);
  const auto start_of = [&](std::uint32_t triangle) {
    core::LinkMotion corner = motion;
    corner.a = shape.corners()[shape.features()[triangle][0]];
    corner.b = corner.a;
    return corner.ref + cpu::evaluate(corner, 0.0).a;
  };
  return add_if_held(holder, mover.object, start_of, report);
}

void SceneView::add_held(std::size_t i, StepReport& report) const {
  const std::uint32_t holder = object_of(i);
  const scene::Instance& own = (*instances_)[holder];
  if (!own.solid) return;
  // Where objects move their corners are not rounded, as those of the boxes are.
  const core::Box around = core::grown_box(core::to_double(own.box.lo), core::to_double(own.box.hi),
                                           kRounding * core::farthest_corner({}, own.box));
  bool added = false;
  instances_->tree().visit(around, [&](std::uint32_t object) {
    added = add_if_holds_placed(holder, object, report) || added;
    return true;
  });
  const bool moves = i < movers_.size();
  if (moves) {
    for (const std::uint32_t m : movers_.behind(i)) {
      if (!core::overlap(around, (*instances_)[movers_[m].object].box)) continue;
      added = add_if_holds_mover(holder, m, report) || added;
    }
  }
  for (std::size_t d = moves ? 0 : i - movers_.size() + 1; d < deformers_.size(); ++d) {
    const Deformer& other = deformers_[d];
    if (!core::overlap(around, (*instances_)[other.object].box)) continue;
    added = add_if_holds_placed(holder, other.object, report) || added;
  }
  if (added) scene::sort_contacts(report.contacts);
}

}  // namespace tocsin::detect
