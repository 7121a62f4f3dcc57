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

/// Immutable; safe to share between threads.
class SceneView {
 public:
  SceneView(std::shared_ptr<const scene::Instances> instances,
            std::shared_ptr<const PairRules> rules, std::vector<Mover> movers,
            std::vector<Deformer> deformers)
      : instances_(std::move(instances)),
        rules_(std::move(rules)),
        movers_(std::move(movers)),
        deformers_(std::move(deformers)) {}

  [[nodiscard]] const Movers& movers() const { return movers_; }
  [[nodiscard]] const scene::Instances& instances() const { return *instances_; }

  /// True if the object is there and does not move.
  [[nodiscard]] bool stands(std::uint32_t object) const {
    return (*instances_)[object].checked && !in_motion(object);
  }
  /// True if an object moves or deforms.
  [[nodiscard]] bool any_in_motion() const { return movers_.size() + deformers_.size() > 0; }

  /// False: active() would give the member's own pairs.
  [[nodiscard]] bool filters(const Asker& asker) const {
    return asker.has_value() || !rules_->none();
  }
  /// The pairs that both the member and the scene have switched on.
  [[nodiscard]] ActivePairs active(const Member& member, const Asker& asker) const;

  /// Of an object that moves or deforms, a tree of it alone, as it starts; null: it stands.
  [[nodiscard]] std::unique_ptr<const cpu::TreeCuller> tree_of_mover(std::uint32_t object) const;

  /// Adds the contacts of an avatar's links with objects that move. `active`: of active(). An
  /// object asks about those behind itself only. Throws Stopped and std::bad_alloc.
  void add_contacts(MovingLinks& links, const ActivePairs& active, const Asker& asker,
                    const SearchLimits& limits, StepReport& report) const;
  /// Lowers the clearances that are above 0 to the distances from objects that move.
  void lower_clearances(MovingLinks& links, const ActivePairs& active, const Asker& asker,
                        const std::stop_token* stop, StepReport& report) const;

 private:
  /// Calls f(mover) for those that may be within `box`, in order: of an object that asks, those
  /// behind it.
  template <class F>
  void for_each_near(const core::Box& box, const Asker& asker, const F& f) const;
  [[nodiscard]] bool in_motion(std::uint32_t object) const {
    return movers_.has(object) || deformers_.has(object);
  }
  bool add_movers(MovingLinks& links, const ActivePairs& active, const Asker& asker,
                  const SearchLimits& limits, StepReport& report) const;
  bool add_deformers(MovingLinks& links, const ActivePairs& active, const SearchLimits& limits,
                     StepReport& report) const;
  void lower_to_deformers(const MovingLinks& links, const ActivePairs& active,
                          StepReport& report) const;
  /// A mover's link, as it meets these links.
  MovingLinks& begin(std::size_t mover, const MovingLinks& with) const;

  std::shared_ptr<const scene::Instances> instances_;
  std::shared_ptr<const PairRules> rules_;
  Movers movers_;
  Deformers deformers_;
};

}  // namespace tocsin::detect
