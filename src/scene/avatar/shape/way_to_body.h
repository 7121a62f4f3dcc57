// The way from a skeleton's origin to its body: joints that tools put there, and no bones.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tocsin/skeleton.h"

namespace tocsin::scene {

/// True for what is called World, Reference, Armature and the like, whatever case, prefix up to
/// ':', digits and separators are: tools call a scene or a rig so, and nobody a part of a body.
bool names_no_body(std::string_view joint);

/// Per joint, nonzero: the offset to it is no bone but leads from the origin or the ground to the
/// body. Either its parent's name says so (names_no_body(), from a root on), or the shape does: one
/// way, of two offsets at most, leads from a root up to the body, which stands on the root's level
/// with two even branches. The root of an arm that stands on its base, of a tree or of a snake does
/// not. `local`: each joint's transform in its parent's frame, at rest or in a frame. Skeletons of
/// more than 2,048 joints are judged by names alone. Neither scale, up axis nor the root's place
/// change the result.
std::vector<char> ways_to_body(const Skeleton& skeleton, std::span<const Transform> local);

}  // namespace tocsin::scene
