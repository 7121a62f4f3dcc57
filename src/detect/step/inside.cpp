// Links inside solid objects at the start of a step: contacts that no triangle tells of.
// docs/exact.md, "Solids".
#include <algorithm>
#include <memory>
#include <utility>

#include "cpu/kernels/kernels.h"
#include "detect/shapes/shape_depth.h"
#include "detect/step/contact_at.h"
#include "detect/step/depth.h"
#include "detect/step/exact_step.h"
#include "scene/shape/shape_data.h"
#include "scene/tree/contact_order.h"

namespace tocsin::detect {

namespace {

/// The pose's point of an axis is off by less than eta, as the jump between two steps is. A link
/// that is proved free at t = 0 is farther than that from every surface. So is one of so many eta
/// of radius that neither touch nor freedom is proved of. docs/exact.md, "Solids".
constexpr double kSureRadius = 4.0;

Vec3 middle_of(const core::Box& box) {
  return 0.5 * (core::to_double(box.lo) + core::to_double(box.hi));
}

/// `depth`: of its axis or point below the surface, beyond the radius: 0 if that is not known.
bool is_sure(const core::LinkMotion& motion, double depth, const core::Box& room) {
  return std::max(motion.radius, depth) >
         kSureRadius * core::rounding_margin(motion, core::farthest_corner(motion.ref, room));
}

/// The contact of a link with an object in a report; null if there is none.
Contact* find_contact(StepReport& report, std::int32_t link, std::uint32_t object) {
  const auto found =
      std::find_if(report.contacts.begin(), report.contacts.end(), [&](const Contact& c) {
        return c.link == link && c.room() != nullptr && c.room()->object == object;
      });
  return found == report.contacts.end() ? nullptr : &*found;
}

}  // namespace

bool ExactStep::nothing_around(const core::Box& clear) const {
  bool found = false;
  solid_.for_each_around(middle_of(clear), [&](std::uint32_t /*object*/) { found = true; });
  return !found;
}

Contact ExactStep::inside_contact(std::int32_t link, std::uint32_t object,
                                  const core::LinkMotion& motion) const {
  const core::AxisState at0 = cpu::evaluate(motion, 0.0);
  const std::unique_ptr<const cpu::TreeCuller> own =
      scene_ ? scene_->tree_of_mover(object) : nullptr;
  const Depth depth = depth_in(own ? *own : *tree_, environment_, object, motion, at0, true);
  Contact out;
  out.link = link;
  out.touched = RoomTriangle{object, depth.triangle};
  out.status = ContactStatus::kOverlap;
  out.inside = true;
  out.depth = depth.depth;
  set_point(out, environment_, motion, at0);
  return out;
}

template <class MotionOf>
bool ExactStep::add_inside(std::int32_t link, const Vec3& point, const MotionOf& motion_of,
                           const ActivePairs& active, const Asker& asker,
                           StepReport& report) const {
  bool added = false;
  const auto is_asked = [&](std::uint32_t object) {
    return active.active(link, object) && (!asker || scene_->tells(*asker, object));
  };
  solid_.for_each_around(point, is_asked, [&](std::uint32_t object) {
    const core::LinkMotion& motion = motion_of();
    Contact* const known = find_contact(report, link, object);
    if (known == nullptr) {
      report.contacts.push_back(inside_contact(link, object, motion));
      added = true;
    } else if (known->status != ContactStatus::kOverlap) {
      // A shape without thickness may only graze where another part of it is deep inside.
      Contact inside = inside_contact(link, object, motion);
      if (known->toc[0] > 0.0 || is_sure(motion, inside.depth.value_or(0.0), tree_->bounds())) {
        *known = std::move(inside);
      }
    }
  });
  return added;
}

void ExactStep::add_inside(const ActivePairs& active, MovingLinks& links, StepReport& report,
                           const Asker& asker) const {
  bool added = false;
  for (std::size_t i = 0; i < links.count(); ++i) {
    const auto link = static_cast<std::int32_t>(i);
    if (links.shape(i).empty()) {
      const auto motion_of = [&]() -> const core::LinkMotion& { return links.motion(i); };
      added = add_inside(link, links.start(i), motion_of, active, asker, report) || added;
      continue;
    }
    // A shape that touches no surface is inside, or not, as a whole: each of its parts is.
    const tocsin::detail::ShapeData& shape = scene::data_of(links.shape(i));
    core::LinkMotion corner = links.motion(i);
    corner.radius = shape.radius + links.margin();
    for (const Vec3& at : shape.components) {
      corner.a = at;
      corner.b = at;
      const Vec3 point = corner.ref + cpu::evaluate(corner, 0.0).a;
      const auto motion_of = [&]() -> const core::LinkMotion& { return corner; };
      added = add_inside(link, point, motion_of, active, asker, report) || added;
    }
  }
  if (added) scene::sort_contacts(report.contacts);
}

Depth ExactStep::depth(const Avatar& avatar, const Step& step, double time, std::int32_t link,
                       std::uint32_t object) const {
  thread_local MovingLinks links;
  links.begin(avatar, step, options_.margin, tree_->bounds());
  const auto index = static_cast<std::size_t>(link);
  if (!links.shape(index).empty()) {
    return shape_depth({environment_, *tree_, solid_}, object, links, index, time);
  }
  const core::LinkMotion& motion = links.motion(index);
  const core::AxisState axis = cpu::evaluate(motion, time);
  const bool inside = solid_.holds(object, motion.ref + axis.a);
  return depth_in(*tree_, environment_, object, motion, axis, inside);
}

void ExactStep::finish_inside(const Question& question, StepReport& report) const {
  if (solid_.none()) return;
  thread_local OwnWorkspace own;
  own.links.begin(question.member->avatar, *question.step, options_.margin, tree_->bounds());
  add_inside(question.member->active, own.links, report);
  for (const Contact& c : report.contacts) {
    if (!c.inside) continue;
    report.safe_until = 0.0;
    if (options_.clearance) report.clearances[static_cast<std::size_t>(c.link)] = 0.0;
  }
}

}  // namespace tocsin::detect
