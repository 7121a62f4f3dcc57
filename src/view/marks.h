// Marks that lie over a picture: the triangles, points and normals of contacts.
#pragma once

#include <span>

#include "tocsin/contact.h"
#include "view/camera.h"
#include "view/mesh.h"

namespace tocsin::view {

/// Marks of every contact: the outline of the touched part (touched_part.h), a ball at its point
/// and an arrow along its normal. They have the same size in pixels at any distance. Draw them in
/// this order over everything else, because the contact is often on the far side. A contact behind
/// the eye has no mark.
Mesh contact_marks(std::span<const Contact> contacts, const Environment& room,
                   const Camera& camera);

}  // namespace tocsin::view
