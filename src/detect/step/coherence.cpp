#include "detect/step/coherence.h"

#include <algorithm>

namespace tocsin::detect {

namespace {

/// Metres that an empty box may reach beyond what it was made for. A hand moves a centimetre in a
/// 120th of a second: more is seldom used before something else is near, less is used up sooner.
constexpr float kReach = 0.3F;
/// Steps that an empty box must serve to have been worth its search, which costs about so many
/// plain questions. A link that moves far in a step (10 Hz instead of 120) never gets there.
constexpr std::uint32_t kWorthIt = 8;
/// Least and most steps to wait before a search that was not worth it is tried again. A link that
/// rests on something would search in vain at every step; one that has just left it waits this long
/// at most.
constexpr std::uint32_t kFirstWait = 16;
constexpr std::uint32_t kLongestWait = 1024;

bool holds(const core::Box& outer, const core::Box& inner) {
  return outer.lo.x <= inner.lo.x && outer.lo.y <= inner.lo.y && outer.lo.z <= inner.lo.z &&
         inner.hi.x <= outer.hi.x && inner.hi.y <= outer.hi.y && inner.hi.z <= outer.hi.z;
}

bool is_empty(const core::Box& box) { return !(box.lo.x <= box.hi.x); }

}  // namespace

Coherence::Coherence(const cpu::TreeCuller& tree, const Environment& environment,
                     const ActivePairs& active, std::size_t links)
    : tree_(tree), environment_(environment), active_(active), links_(links) {}

template <class Wanted>
bool Coherence::is_clear(Known& known, const core::Box& box, const Wanted& wanted,
                         StepCounters& counters) {
  if (holds(known.empty, box)) {
    ++known.served;
    return true;
  }
  ++counters.tree_queries;
  if (known.wait > 0) {
    --known.wait;
    return tree_.clear_of(box);
  }
  // A plain question is cheap, and a search in vain is not. With pairs switched off it might miss
  // that what is near does not count.
  if (active_.all() && !tree_.clear_of(box)) return false;
  const bool was_worth_it = known.served >= kWorthIt;
  known.empty = tree_.empty_box(box, kReach, wanted);
  known.served = 0;
  known.last = was_worth_it ? 0 : std::clamp(4 * known.last, kFirstWait, kLongestWait);
  known.wait = known.last;
  return !is_empty(known.empty);
}

bool Coherence::some_link_meets(std::uint32_t object) const {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    if (active_.active(static_cast<std::int32_t>(i), object)) return true;
  }
  return false;
}

bool Coherence::avatar_is_clear(const core::Box& box, StepCounters& counters) {
  const auto wanted = [&](std::uint32_t triangle) {
    return active_.all() || some_link_meets(environment_.object_of(triangle));
  };
  return is_clear(avatar_, box, wanted, counters);
}

bool Coherence::link_is_clear(std::size_t link, const core::Box& box, StepCounters& counters) {
  const auto wanted = [&](std::uint32_t triangle) {
    return active_.all() ||
           active_.active(static_cast<std::int32_t>(link), environment_.object_of(triangle));
  };
  return is_clear(links_[link], box, wanted, counters);
}

}  // namespace tocsin::detect
