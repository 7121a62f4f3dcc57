#include "view/marks.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <vector>

#include "core/vector/vec.h"
#include "view/colours.h"
#include "view/touched_part.h"

namespace tocsin::view {
namespace {

/// Sizes, as parts of the picture's height, but at least so many pixels.
double size_of(const Camera& camera, double part, double least_pixels) {
  return std::max(part * camera.height, least_pixels);
}

/// Metres that a pixel at the contact is wide; none: it lies behind the eye.
std::optional<double> pixel_at(const Contact& contact, const Camera& camera) {
  const auto seen = camera.project(contact.point);
  if (!seen) return std::nullopt;
  return 2.0 * seen->depth / camera.height *
         std::tan(camera.fov_degrees * std::numbers::pi / 360.0);
}

void add_outlines(Mesh& mesh, std::span<const Contact> contacts, const Environment& room,
                  const Camera& camera) {
  for (const Contact& contact : contacts) {
    const RoomTriangle* const touched = contact.room();
    const auto pixel = pixel_at(contact, camera);
    if (!pixel || touched == nullptr) continue;
    const std::vector<Vec3> corners = touched_part(room, *touched, contact.point).corners;
    const double radius = size_of(camera, 0.0009, 0.5) * *pixel;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      add_capsule(mesh, corners[i], corners[(i + 1) % corners.size()], radius,
                  {kTouchedColour, kGlows, 0});
    }
  }
}

}  // namespace

Mesh contact_marks(std::span<const Contact> contacts, const Environment& room,
                   const Camera& camera) {
  constexpr Colour kRim{1.0F, 1.0F, 1.0F};
  Mesh out;
  add_outlines(out, contacts, room, camera);
  for (const bool rim : {true, false}) {
    const double wider = rim ? size_of(camera, 0.0022, 1.0) : 0.0;  // pixels
    const Paint paint{rim ? kRim : kContactColour, kGlows, 0};
    for (const Contact& contact : contacts) {
      const auto pixel = pixel_at(contact, camera);
      if (!pixel) continue;
      if (contact.normal) {
        const Vec3 n = *contact.normal;
        const double length = size_of(camera, 0.085, 14.0) + 4.0 * wider;
        const double radius = size_of(camera, 0.0026, 0.8) + 0.55 * wider;
        add_arrow(out, contact.point, contact.point + (length * *pixel) * n, radius * *pixel,
                  paint);
      }
      const double radius = size_of(camera, 0.0075, 2.5) + wider;
      add_capsule(out, contact.point, contact.point, radius * *pixel, paint);
    }
  }
  return out;
}

}  // namespace tocsin::view
