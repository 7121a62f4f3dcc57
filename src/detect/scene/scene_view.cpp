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
    if (rules_->none()) return true;
    if (!mover_) {
      return rules_->active(avatar_.links()[static_cast<std::size_t>(link)].name,
                            view_.instances().objects()[object].name);
    }
    return rules_->active(party(*mover_), party(object));
  }

 private:
  [[nodiscard]] PairRules::Party party(std::uint32_t object) const {
    return {view_.instances()[object].number, view_.instances().objects()[object].name};
  }

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

template <class F>
void SceneView::for_each_near(const core::Box& box, const Asker& asker, const F& f) const {
  if (asker) {
    for (const std::uint32_t m : movers_.behind(*asker)) f(std::size_t{m});
    return;
  }
  for (std::size_t m = 0; m < movers_.size(); ++m) {
    if (core::overlap(box, movers_.box(m))) f(m);
  }
}

void SceneView::add_contacts(MovingLinks& links, const ActivePairs& active, const Asker& asker,
                             const SearchLimits& limits, StepReport& report) const {
  const bool moving = add_movers(links, active, asker, limits, report);
  const bool deforming = add_deformers(links, active, limits, report);
  if (moving || deforming) scene::sort_contacts(report.contacts);
}

bool SceneView::add_deformers(MovingLinks& links, const ActivePairs& active,
                              const SearchLimits& limits, StepReport& report) const {
  thread_local ShapeContacts search;
  thread_local std::vector<MovingTriangle> near;
  bool added = false;
  for (std::size_t d = 0; d < deformers_.size(); ++d) {
    const Deformer& of = deformers_[d];
    if (!core::overlap(links.coarse_box(), of.box)) continue;
    for (std::size_t i = 0; i < links.count(); ++i) {
      const core::Box box = links.coarse_box(i);
      if (!core::overlap(box, of.box)) continue;
      if (!active.active(static_cast<std::int32_t>(i), of.object)) continue;
      go_on(limits.stop);
      deformers_.find_near(d, box, near);
      if (near.empty()) continue;
      const std::optional<Contact> c =
          search.with_deforming(links, i, of.object, near, limits, report.counters);
      if (!c) continue;
      report.contacts.push_back(*c);
      added = true;
    }
  }
  return added;
}

bool SceneView::add_movers(MovingLinks& links, const ActivePairs& active, const Asker& asker,
                           const SearchLimits& limits, StepReport& report) const {
  bool added = false;
  for_each_near(links.coarse_box(), asker, [&](std::size_t m) {
    MovingLinks& other = begin(m, links);
    const std::uint32_t object = movers_[m].object;
    const core::Box box = other.coarse_box(0);
    for (std::size_t i = 0; i < links.count(); ++i) {
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
      added = true;
    }
  });
  return added;
}

void SceneView::lower_to_deformers(const MovingLinks& links, const ActivePairs& active,
                                   StepReport& report) const {
  for (std::size_t d = 0; d < deformers_.size(); ++d) {
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
}

void SceneView::lower_clearances(MovingLinks& links, const ActivePairs& active, const Asker& asker,
                                 const std::stop_token* stop, StepReport& report) const {
  lower_to_deformers(links, active, report);
  for (std::size_t m = asker ? *asker + 1 : 0; m < movers_.size(); ++m) {
    const std::uint32_t object = movers_[m].object;
    MovingLinks* other = nullptr;
    for (std::size_t i = 0; i < links.count(); ++i) {
      double& clearance = report.clearances[i];
      if (!(distance_between(links.coarse_box(i), movers_.box(m)) < clearance)) continue;
      if (!active.active(static_cast<std::int32_t>(i), object)) continue;
      go_on(stop);
      if (other == nullptr) {
        other = &begin(m, links);
        other->need(0);
      }
      links.need(i);
      clearance = core::min_of(clearance, clearance_of_links(links, i, *other, 0, stop));
    }
  }
}

}  // namespace tocsin::detect
