// What keeps an object from being closed, in words.
#pragma once

#include <string>

#include "scene/solid/edges.h"

namespace tocsin::app {

/// "2 boundary edges and 1 twisted edge"; empty: it is closed, or has no edges.
std::string open_edges(const scene::EdgeCounts& edges);

}  // namespace tocsin::app
