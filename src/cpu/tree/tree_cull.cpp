// TreeCuller::cull over rooms' trees, and those of instances.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu/tree/tree_cull.cpp"  // this file, once per SIMD target
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

#include "cpu/tree/tree_cull-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tocsin::cpu::HWY_NAMESPACE {
namespace {

void cull_room(const RoomView& tree, const scene::SweptLink& link, scene::Candidates& candidates,
               scene::CullCounters& counters) {
  cull(tree, link, candidates, counters);
}

void cull_placed(const PlacedView& tree, const scene::SweptLink& link,
                 scene::Candidates& candidates, scene::CullCounters& counters) {
  cull_view<6, 8>(tree, link, candidates, counters);
}

}  // namespace
}  // namespace tocsin::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tocsin::cpu {

HWY_EXPORT(cull_room);
HWY_EXPORT(cull_placed);

template <>
void walk_cull<6, 8>(const RoomView& tree, const scene::SweptLink& link,
                     scene::Candidates& candidates, scene::CullCounters& counters) {
  HWY_DYNAMIC_DISPATCH(cull_room)(tree, link, candidates, counters);
}

void walk_cull(const PlacedView& tree, const scene::SweptLink& link, scene::Candidates& candidates,
               scene::CullCounters& counters) {
  HWY_DYNAMIC_DISPATCH(cull_placed)(tree, link, candidates, counters);
}

}  // namespace tocsin::cpu

#endif  // HWY_ONCE
