// A film as binary glTF 2.0.
#pragma once

#include <filesystem>

#include "tocsin/result.h"
#include "view/film/film.h"

namespace tocsin::view {

/// Writes a film as a .glb, whole or not at all: metres, seconds, Y up, 32-bit floats. Source:
/// Khronos, glTF 2.0 specification, sections 3 and 4.
///
/// Every figure is a node; under it are its joints, each with its rotation at every sample, and its
/// translation where that changes. A link is a node with a mesh under its joint. Between samples a
/// reader turns (slerp) and moves (linear) every joint in its parent, at constant velocity; of held
/// poses it holds them (STEP). An object of the room is a node. A mark is a node that jumps from
/// contact to contact, and has no size while there is none; so has a figure while it is away.
/// Animation times begin at 0 or later: `extras` of the animation says by how much they are later
/// than the check's ("shift_s").
///
/// Node names are distinct; `extras` have the names as they are. Errors: kInput: more than 4 GiB;
/// samples that 32-bit floats cannot tell apart. kResource: it cannot be written.
Status write_film_glb(const Film& film, const std::filesystem::path& file);

}  // namespace tocsin::view
