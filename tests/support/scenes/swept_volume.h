// How large swept bounds are, beside what a link really sweeps. For tests and benches.
#pragma once

#include <vector>

#include "core/bounds/kdop.h"
#include "papers/kdop_volume.h"
#include "scene/swept/swept_link.h"
#include "scene/tree/may_touch.h"

namespace tocsin::test {

/// Where the ends of a link's axis are at `count` >= 2 times, evenly from 0 to 1; world, metres.
inline std::vector<scene::AxisEnds> sampled_ends(const core::LinkMotion& link, int count) {
  std::vector<scene::AxisEnds> out;
  for (int i = 0; i < count; ++i) {
    const core::AxisState s = core::evaluate(link, static_cast<double>(i) / (count - 1));
    out.push_back({link.ref + s.a, link.ref + s.b});
  }
  return out;
}

/// The least k-DOP that holds the link, radius included, wherever it was sampled.
template <int K>
core::Kdop<K> sampled_kdop(const std::vector<scene::AxisEnds>& ends, double radius) {
  core::Kdop<K> out;
  for (const scene::AxisEnds& e : ends) {
    out = join(out, core::swept_kdop<K>(e.a, e.b, e.a, e.b, radius, radius));
  }
  return out;
}

/// The k-DOP around all pieces of the step: what a tree of k-DOPs is asked with first.
template <int K>
core::Kdop<K> swept_kdop(const scene::SweptLink& link) {
  core::Kdop<K> out;
  for (std::int32_t i = 0; i < link.pieces; ++i) {
    out = join(out, scene::piece_kdop<K>(link, i));
  }
  return out;
}

/// The swept bound's volume divided by that of the k-DOP, of the same k, of what was sampled: 1 is
/// the best there can be.
template <int K>
double swept_over_sampled(const scene::SweptLink& link, const std::vector<scene::AxisEnds>& ends) {
  return papers::measure(swept_kdop<K>(link)).volume /
         papers::measure(sampled_kdop<K>(ends, link.motion.radius)).volume;
}

}  // namespace tocsin::test
