#include "detect/scene/scene_view.h"

#include "cpu/tree/instance_culler.h"
#include "detect/crowd/link_contact.h"
#include "detect/crowd/near_links.h"
#include "detect/scene/pair_filter.h"
#include "detect/shapes/shape_contacts.h"
#include "detect/step/clearance.h"
#include "detect/step/stopped.h"
#include "scene/tree/contact_order.h"

namespace tocsin::detect {
namespace {

/// The rules of a scene about one avatar, or one object that moves, which never touches itself.
class Filter final : public tocsin::detail::PairFilter {
 public:
  Filter(const SceneView& view, std::shared_ptr<const PairRules> rules, Avatar avatar,
         std::optional<std::uint32_t> mover)
      : view_(view), rules_(std::move(rules)), avatar_(std::move(avatar)), mover_(mover) {}

  [[nodiscard]] bool active(std::int32_t link, std::uint32_t object) const override {
    if (object == mover_) return false;
    if (mover_) return view_.active(*mover_, object);
    return rules_->none() || rules_->active(avatar_.links()[static_cast<std::size_t>(link)].name,
                                            view_.instances().objects()[object].name);
  }

 private:
  const SceneView& view_;
  std::shared_ptr<const PairRules> rules_;
  Avatar avatar_;
  std::optional<std::uint32_t> mover_;
};

core::Box refs_of(const MovingLinks& links) {
  core::Box out;
  for (std::size_t i = 0; i < links.count(); ++i) {
    out = core::join(out, core::grown_box(links.ref(i), links.ref(i), 0.0));
  }
  return out;
}

}  // namespace

ActivePairs SceneView::active(const Member& member, const Asker& asker) const {
  ActivePairs out = member.active;
  if (!filters(asker)) return out;
  std::optional<std::uint32_t> mover;
  if (asker) mover = movers_[*asker].object;
  out.filter_ = std::make_shared<Filter>(*this, rules_, member.avatar, mover);
  return out;
}

std::unique_ptr<const cpu::TreeCuller> SceneView::tree_of_mover(std::uint32_t object) const {
  if (!in_motion(object)) return nullptr;
  return cpu::make_instance_culler(
      std::make_shared<const scene::Instances>(instances_->only(object)));
}

MovingLinks& SceneView::begin(std::size_t mover, const MovingLinks& with) const {
  thread_local MovingLinks links;
  const core::Box refs = refs_of(with);
  // The margin is one of each pair, as of a link and a room.
  links.begin(movers_[mover].body, movers_.step(mover), 0.0, {}, &refs);
  return links;
}

void SceneView::add_contacts(MovingLinks& links, const ActivePairs& active, const Asker& asker,
                             const SearchLimits& limits, StepReport& report) const {
  const std::size_t before = report.contacts.size();
  const auto add = [&](std::size_t i) { add_contacts_with(i, links, active, limits, report); };
  if (asker) {
    for (const std::uint32_t m : movers_.behind(*asker)) add(m);
  }
  for (std::size_t i = asker ? movers_.size() : 0; i < in_motion(); ++i) {
    if (may_meet(i, links.coarse_box())) add(i);
  }
  if (report.contacts.size() > before) scene::sort_contacts(report.contacts);
}

void SceneView::add_contacts_with(std::size_t i, MovingLinks& links, const ActivePairs& active,
                                  const SearchLimits& limits, StepReport& report) const {
  if (i < movers_.size()) {
    add_mover(i, links, active, limits, report);
  } else {
    add_deformer(i - movers_.size(), links, active, limits, report);
  }
}

void SceneView::add_deformer(std::size_t d, MovingLinks& links, const ActivePairs& active,
                             const SearchLimits& limits, StepReport& report) const {
  thread_local ShapeContacts search;
  thread_local std::vector<MovingTriangle> near;
  const Deformer& of = deformers_[d];
  for (std::size_t i = 0; i < links.count(); ++i) {
    const core::Box box = links.coarse_box(i);
    if (!core::overlap(box, of.box)) continue;
    if (!active.active(static_cast<std::int32_t>(i), of.object)) continue;
    go_on(limits.stop);
    deformers_.find_near(d, box, near);
    if (near.empty()) continue;
    const std::optional<Contact> c =
        search.with_deforming(links, i, of.object, near, limits, report.counters);
    if (c) report.contacts.push_back(*c);
  }
}

void SceneView::add_mover(std::size_t m, MovingLinks& links, const ActivePairs& active,
                          const SearchLimits& limits, StepReport& report) const {
  const std::uint32_t object = movers_[m].object;
  const auto is_asked = [&](std::size_t i) {
    return core::overlap(links.coarse_box(i), movers_.box(m)) &&
           active.active(static_cast<std::int32_t>(i), object);
  };
  std::size_t first = 0;
  while (first < links.count() && !is_asked(first)) ++first;
  if (first == links.count()) return;
  MovingLinks& other = begin(m, links);
  const core::Box box = other.coarse_box(0);
  for (std::size_t i = first; i < links.count(); ++i) {
    const auto link = static_cast<std::int32_t>(i);
    if (!core::overlap(links.coarse_box(i), box) || !active.active(link, object)) continue;
    ++report.counters.link_pairs;
    if (surely_free(links, other, {i, 0})) continue;
    go_on(limits.stop);
    std::optional<Contact> c =
        contact_of_links(links, other, {i, 0}, OtherLink{}, limits, report.counters);
    if (!c) continue;
    c->touched = RoomTriangle{object, c->other_feature.value_or(0)};
    c->other_feature.reset();
    report.contacts.push_back(*c);
  }
}

void SceneView::lower_clearances(MovingLinks& links, const ActivePairs& active, const Asker& asker,
                                 const std::stop_token* stop, StepReport& report) const {
  for (std::size_t i = asker ? *asker + 1 : 0; i < in_motion(); ++i) {
    lower_clearances_to(i, links, active, stop, report);
  }
}

bool SceneView::may_lower(std::size_t i, const MovingLinks& links, const StepReport& report) const {
  for (std::size_t link = 0; link < links.count(); ++link) {
    if (distance_between(links.coarse_box(link), box_of(i)) < report.clearances[link]) return true;
  }
  return false;
}

void SceneView::lower_clearances_to(std::size_t i, MovingLinks& links, const ActivePairs& active,
                                    const std::stop_token* stop, StepReport& report) const {
  if (i < movers_.size()) {
    lower_to_mover(i, links, active, stop, report);
  } else {
    lower_to_deformer(i - movers_.size(), links, active, report);
  }
}

void SceneView::lower_to_deformer(std::size_t d, const MovingLinks& links,
                                  const ActivePairs& active, StepReport& report) const {
  for (std::size_t i = 0; i < links.count(); ++i) {
    double& clearance = report.clearances[i];
    const core::Box box = links.coarse_box(i);
    if (!(distance_between(box, deformers_[d].box) < clearance)) continue;
    if (!active.active(static_cast<std::int32_t>(i), deformers_[d].object)) continue;
    // Both boxes hold what is in them during the whole step: a bound, not a tight one.
    deformers_.for_each_box(d, [&](const core::Box& triangle) {
      clearance = core::min_of(clearance, core::max_of(0.0, distance_between(box, triangle)));
    });
  }
}

void SceneView::lower_to_mover(std::size_t m, MovingLinks& links, const ActivePairs& active,
                               const std::stop_token* stop, StepReport& report) const {
  MovingLinks* other = nullptr;
  for (std::size_t i = 0; i < links.count(); ++i) {
    double& clearance = report.clearances[i];
    if (!(distance_between(links.coarse_box(i), movers_.box(m)) < clearance)) continue;
    if (!active.active(static_cast<std::int32_t>(i), movers_[m].object)) continue;
    go_on(stop);
    if (other == nullptr) {
      other = &begin(m, links);
      other->need(0);
    }
    links.need(i);
    clearance = core::min_of(clearance, clearance_of_links(links, i, *other, 0, stop));
  }
}

}  // namespace tocsin::detect
