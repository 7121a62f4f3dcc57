// A link over one step, as cullers and certify see it.
#pragma once

#include "core/motion/swept_link.h"

namespace tocsin::scene {

using core::AxisEnds;
using core::kMaxPieces;
using core::SweptLink;

}  // namespace tocsin::scene
