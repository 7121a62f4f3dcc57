// The meshes of what a take moves besides the person. Metres.
#pragma once

#include "tocsin/environment.h"

namespace tocsin::make {

/// A mallet in the frame of joint RightHand: its handle lies across the palm, the head is on the
/// thumb's side.
Environment tool_mesh();

/// The leaf of a door in the frame of its hinge: the hinge is the y axis, the leaf lies along -x.
Environment leaf_mesh();

}  // namespace tocsin::make
