// What a scene's detector knows beside the tree of the objects that stand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cpu/tree/tree_culler.h"
#include "detect/scene/deformers.h"
#include "detect/scene/movers.h"
#include "detect/scene/pair_rules.h"
#include "detect/shapes/feature_search.h"
#include "detect/step/moving_links.h"
#include "scene/instance/instances.h"
#include "tocsin/contact.h"
#include "tocsin/member.h"
#include "tocsin/step_report.h"

namespace tocsin::detect {

/// Who asks, if it is an object that moves: its place among the movers.
using Asker = std::optional<std::size_t>;

/// Of an object's report: where its contact with another is, or should be, if one of both is inside
/// the other at the start. Null: they touch then, or it cannot be told whether they do.
Contact* place_for_inside(StepReport& report, std::uint32_t object);

/// Immutable; safe to share between threads.
class SceneView {
 public:
  /// `margin`: DetectorOptions::margin.
  SceneView(std::shared_ptr<const scene::Instances> instances,
            std::shared_ptr<const PairRules> rules, std::vector<Mover> movers,
            std::vector<Deformer> deformers, double margin)
      : instances_(std::move(instances)),
        rules_(std::move(rules)),
        movers_(std::move(movers), margin),
        deformers_(std::move(deformers)) {}

  /// The same for another margin. Throws std::bad_alloc.
  [[nodiscard]] std::shared_ptr<const SceneView> with_margin(double margin) const {
    return std::make_shared<const SceneView>(instances_, rules_, movers_.all(), deformers_.all(),
                                             margin);
  }

  [[nodiscard]] const Movers& movers() const { return movers_; }
  [[nodiscard]] const Deformers& deformers() const { return deformers_; }
  [[nodiscard]] const scene::Instances& instances() const { return *instances_; }
  /// True if the scene has not switched off the pair of two objects.
  [[nodiscard]] bool active(std::uint32_t a, std::uint32_t b) const {
    return rules_->none() || rules_->active(party(a), party(b));
  }

  /// True if the object is there and does not move.
  [[nodiscard]] bool stands(std::uint32_t object) const {
    return (*instances_)[object].checked && !in_motion(object);
  }
  /// How many objects move or deform.
  [[nodiscard]] std::size_t in_motion() const { return movers_.size() + deformers_.size(); }

  /// False: active() would give the member's own pairs.
  [[nodiscard]] bool filters(const Asker& asker) const {
    return asker.has_value() || !rules_->none();
  }
  /// The pairs that both the member and the scene have switched on.
  [[nodiscard]] ActivePairs active(const Member& member, const Asker& asker) const;

  /// Of an object that moves or deforms, a tree of it alone, as it starts; null: it stands.
  [[nodiscard]] std::unique_ptr<const cpu::TreeCuller> tree_of_mover(std::uint32_t object) const;

  /// Adds the contacts of an avatar's links with objects in motion, in their places. `active`: of
  /// active(). An object asks about those behind itself only. Throws Stopped and std::bad_alloc.
  void add_contacts(MovingLinks& links, const ActivePairs& active, const Asker& asker,
                    const SearchLimits& limits, StepReport& report) const;
  /// Lowers the clearances that are above 0 to the distances from objects in motion.
  void lower_clearances(MovingLinks& links, const ActivePairs& active, const Asker& asker,
                        const std::stop_token* stop, StepReport& report) const;

  /// Adds the contacts of the i-th object in motion (those that move come first), if it is solid,
  /// with what is inside it at the start and does not tell of it. All its others are in the report.
  /// Throws std::bad_alloc.
  void add_held(std::size_t i, StepReport& report) const;
  /// True if the report of the i-th object in motion tells of its contact with another object: that
  /// stands, or comes behind it.
  [[nodiscard]] bool tells(std::size_t i, std::uint32_t object) const;

  /// Contacts and clearances one by one, for an avatar: `i` counts those that move, then those that
  /// deform. False: nothing of it can be in `box`.
  [[nodiscard]] bool may_meet(std::size_t i, const core::Box& box) const {
    return core::overlap(box, box_of(i));
  }
  /// Adds contacts at the end. Throws as add_contacts().
  void add_contacts_with(std::size_t i, MovingLinks& links, const ActivePairs& active,
                         const SearchLimits& limits, StepReport& report) const;
  /// False: it is too far away to lower any clearance.
  [[nodiscard]] bool may_lower(std::size_t i, const MovingLinks& links,
                               const StepReport& report) const;
  void lower_clearances_to(std::size_t i, MovingLinks& links, const ActivePairs& active,
                           const std::stop_token* stop, StepReport& report) const;

 private:
  [[nodiscard]] PairRules::Party party(std::uint32_t object) const {
    return {(*instances_)[object].number, instances_->objects()[object].name};
  }
  [[nodiscard]] bool in_motion(std::uint32_t object) const {
    return movers_.has(object) || deformers_.has(object);
  }
  [[nodiscard]] std::uint32_t object_of(std::size_t i) const {
    return i < movers_.size() ? movers_[i].object : deformers_[i - movers_.size()].object;
  }
  [[nodiscard]] const core::Box& box_of(std::size_t i) const {
    return i < movers_.size() ? movers_.box(i) : deformers_[i - movers_.size()].box;
  }
  void add_mover(std::size_t m, MovingLinks& links, const ActivePairs& active,
                 const SearchLimits& limits, StepReport& report) const;
  void add_deformer(std::size_t d, MovingLinks& links, const ActivePairs& active,
                    const SearchLimits& limits, StepReport& report) const;
  void lower_to_mover(std::size_t m, MovingLinks& links, const ActivePairs& active,
                      const std::stop_token* stop, StepReport& report) const;
  void lower_to_deformer(std::size_t d, const MovingLinks& links, const ActivePairs& active,
                         StepReport& report) const;
  /// Adds the contact of a solid with another object, if it holds one of the other's parts at the
  /// start. start_of(triangle): its first corner then. True if it was added.
  template <class StartOf>
  bool add_if_held(std::uint32_t holder, std::uint32_t object, const StartOf& start_of,
                   StepReport& report) const;
  bool add_if_holds_mover(std::uint32_t holder, std::size_t m, StepReport& report) const;
  /// Of one that is rounded where it stands, as the start of one that deforms is.
  bool add_if_holds_placed(std::uint32_t holder, std::uint32_t object, StepReport& report) const;
  /// A mover's link, as it meets these links.
  MovingLinks& begin(std::size_t mover, const MovingLinks& with) const;

  std::shared_ptr<const scene::Instances> instances_;
  std::shared_ptr<const PairRules> rules_;
  Movers movers_;
  Deformers deformers_;
};

}  // namespace tocsin::detect
