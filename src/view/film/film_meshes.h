// Meshes of a film's parts, each in its own frame.
#pragma once

#include <cstddef>

#include "tocsin/avatar.h"
#include "tocsin/environment.h"
#include "view/mesh.h"

namespace tocsin::view {

/// A link in its joint's frame, with smooth normals. margin: grows it, metres.
Mesh link_mesh(const Link& link, double margin, const Paint& paint = {});

/// The ball of a mark about its point, and its arrow along +Y from there.
Mesh mark_ball();
Mesh mark_arrow();

/// An object of a room: its own vertices and triangles, without normals.
ObjectMesh object_mesh(const Environment& room, std::size_t object);

}  // namespace tocsin::view
