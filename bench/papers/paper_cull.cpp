// walk_cull over the kinds of tree that the product does not have.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "papers/paper_cull.cpp"  // this file, once per SIMD target
#include <hwy/foreach_target.h>
// After foreach_target.h:
#include <hwy/highway.h>

#include "cpu/tree/tree_cull-inl.h"
#include "papers/tree_kinds.h"

HWY_BEFORE_NAMESPACE();
namespace tocsin::cpu::HWY_NAMESPACE {
namespace {

#define TOCSIN_CULL(K, W)                                                            \
  void Cull##K##x##W(const TreeView<K, W>& tree, const scene::SweptLink& link,       \
                     scene::Candidates& candidates, scene::CullCounters& counters) { \
    cull(tree, link, candidates, counters);                                          \
  }
TOCSIN_FOR_OTHER_TREES(TOCSIN_CULL)
#undef TOCSIN_CULL

}  // namespace
}  // namespace tocsin::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace tocsin::cpu {

#define TOCSIN_CULL(K, W)                                                              \
  HWY_EXPORT(Cull##K##x##W);                                                           \
  template <>                                                                          \
  void walk_cull<K, W>(const TreeView<K, W>& tree, const scene::SweptLink& link,       \
                       scene::Candidates& candidates, scene::CullCounters& counters) { \
    HWY_DYNAMIC_DISPATCH(Cull##K##x##W)(tree, link, candidates, counters);             \
  }
TOCSIN_FOR_OTHER_TREES(TOCSIN_CULL)
#undef TOCSIN_CULL

}  // namespace tocsin::cpu

#endif  // HWY_ONCE
