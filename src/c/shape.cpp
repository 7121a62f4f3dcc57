#include "tocsin/c/shape.h"

#include "c/convert.h"
#include "c/objects.h"

using namespace tocsin;     // NOLINT(google-build-using-namespace)
using namespace tocsin::c;  // NOLINT(google-build-using-namespace)

namespace tocsin::c {
namespace {

tocsin_shape give_shape(Result<Shape> shape) {
  return give_value<tocsin_shape>(std::move(shape).value());
}

Vec3 point(const tocsin_vec3* from, const char* name) {
  need(from, name);
  return same_bytes<Vec3>(*from);
}

}  // namespace
}  // namespace tocsin::c

extern "C" {

tocsin_status tocsin_shape_mesh(const tocsin_vec3* corners, size_t corner_count,
                                const uint32_t* triangles, size_t triangle_count, double radius,
                                tocsin_shape* out) {
  return making(out, [&] {
    return give_shape(Shape::mesh(copied<Vec3>(corners, corner_count, "corners"),
                                  copied<TriangleIndices>(triangles, triangle_count, "triangles"),
                                  radius));
  });
}

tocsin_status tocsin_shape_convex(const tocsin_vec3* points, size_t count, double radius,
                                  tocsin_shape* out) {
  return making(out, [&] {
    return give_shape(Shape::convex(copied<Vec3>(points, count, "points"), radius));
  });
}

tocsin_status tocsin_shape_box(const tocsin_vec3* half, double radius, tocsin_shape* out) {
  return making(out, [&] { return give_shape(Shape::box(point(half, "half"), radius)); });
}

tocsin_status tocsin_shape_sphere(const tocsin_vec3* centre, double radius, tocsin_shape* out) {
  return making(out, [&] { return give_shape(Shape::sphere(point(centre, "centre"), radius)); });
}

tocsin_status tocsin_shape_capsule(const tocsin_vec3* a, const tocsin_vec3* b, double radius,
                                   tocsin_shape* out) {
  return making(out,
                [&] { return give_shape(Shape::capsule(point(a, "a"), point(b, "b"), radius)); });
}

tocsin_status tocsin_shape_cylinder(double base_radius, double height, double tolerance,
                                    double radius, tocsin_shape* out) {
  return making(
      out, [&] { return give_shape(Shape::cylinder(base_radius, height, tolerance, radius)); });
}

tocsin_status tocsin_shape_cone(double base_radius, double height, double tolerance, double radius,
                                tocsin_shape* out) {
  return making(out,
                [&] { return give_shape(Shape::cone(base_radius, height, tolerance, radius)); });
}

tocsin_status tocsin_shape_placed(tocsin_shape shape, const tocsin_placement* at,
                                  tocsin_shape* out) {
  return making(out, [&] { return give_shape(borrow(shape)->placed(placement_of(at))); });
}

tocsin_status tocsin_shape_corners(tocsin_shape shape, tocsin_vec3* corners, size_t capacity,
                                   size_t* count) {
  return guarded([&] {
    const auto from = borrow(shape);
    hand_out(from->corners(), corners, capacity, count);
  });
}

tocsin_status tocsin_shape_features(tocsin_shape shape, uint32_t* features, size_t capacity,
                                    size_t* count) {
  return guarded([&] {
    const auto from = borrow(shape);
    hand_out(from->features(), features, capacity, count);
  });
}
}
