// Volume and surface of a k-DOP, for paper 001's min sum and min max (section 3.3.4).
#pragma once

#include "core/bounds/kdop.h"

namespace tocsin::papers {

struct KdopMeasure {
  double volume = 0.0;   ///< m^3
  double surface = 0.0;  ///< m^2; of a flat one, both its sides
};

/// Of the polytope between the k planes, whether or not each of them touches it. Up to rounding: a
/// few dozen units in the last place of a double, of the cube and square of its size. No volume,
/// exactly, if it is flat along a direction; nothing at all if it is empty.
template <int K>
KdopMeasure measure(const core::Kdop<K>& kdop);

}  // namespace tocsin::papers
