// Marks that lie over a picture: the triangles, points and normals of contacts.
#pragma once

#include <span>

#include "tocsin/detector.h"
#include "view/camera.h"
#include "view/mesh.h"

namespace tocsin::view {

/// At every contact the outline of the triangle touched, a ball at its point and an arrow along its
/// normal, of the same size in pixels wherever they are; to be drawn in this order over everything
/// else: what is touched is often on the far side. A contact behind the eye has none.
Mesh contact_marks(std::span<const Contact> contacts, const Environment& room,
                   const Camera& camera);

}  // namespace tocsin::view
