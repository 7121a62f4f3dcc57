// The five fingers of a hand.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "scene/avatar/shape/site_tree.h"

namespace tocsin::scene {

/// Sites of the thumb and the index, middle, ring and little finger: where its three bones start,
/// and, if the skeleton has it, its tip.
using HandSites = std::array<std::vector<int>, 5>;

/// The fingers below a wrist; none unless there are five and it is clear which is which. `forearm`:
/// its length, metres; what is longer than that is no finger.
std::optional<HandSites> find_fingers(const SiteTree& tree, int wrist, double forearm);

}  // namespace tocsin::scene
