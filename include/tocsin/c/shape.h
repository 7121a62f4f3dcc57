// Shapes of links and meshes. Rules for all functions are in tocsin/tocsin_c.h.
#pragma once

#include "tocsin/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif
// NOLINTBEGIN(modernize-use-using)

/// Points, segments and triangles (features) in a joint's frame, all rounded by one radius. Does
/// not change. docs/bodies.md.
typedef struct tocsin_shape_s* tocsin_shape;

/// Every triangle is a feature, in its order: corners[triangles[3 * i + 0..2]]. radius: metres, 0:
/// a surface without thickness. Errors: INPUT, naming corner or triangle: no triangles, more than
/// 2^24; an index out of range; a coordinate that is not finite or above 1e6 m; a radius that is
/// not finite, below 0 or above 1e6 m.
TOCSIN_API tocsin_status tocsin_shape_mesh(const tocsin_vec3* corners, size_t corner_count,
                                           const uint32_t* triangles, size_t triangle_count,
                                           double radius, tocsin_shape* out);
/// The surface of the convex hull of points. Errors: as tocsin_shape_mesh(); INPUT: fewer than four
/// points, or all in one plane.
TOCSIN_API tocsin_status tocsin_shape_convex(const tocsin_vec3* points, size_t count, double radius,
                                             tocsin_shape* out);
/// The surface of a box about the origin. half: half of its edges, each above 0.
TOCSIN_API tocsin_status tocsin_shape_box(const tocsin_vec3* half, double radius,
                                          tocsin_shape* out);
/// radius: at least 1e-6 m.
TOCSIN_API tocsin_status tocsin_shape_sphere(const tocsin_vec3* centre, double radius,
                                             tocsin_shape* out);
/// All points within `radius` of the segment a-b. radius: at least 1e-6 m.
TOCSIN_API tocsin_status tocsin_shape_capsule(const tocsin_vec3* a, const tocsin_vec3* b,
                                              double radius, tocsin_shape* out);
/// Prisms and pyramids that hold the round shape, and reach at most `tolerance` metres (above 0)
/// beyond it. Axis y, from -height/2 to height/2; a cone's tip is up. Errors: INPUT: sizes that are
/// not above 0; a tolerance that asks for more than 4,096 sides.
TOCSIN_API tocsin_status tocsin_shape_cylinder(double base_radius, double height, double tolerance,
                                               double radius, tocsin_shape* out);
TOCSIN_API tocsin_status tocsin_shape_cone(double base_radius, double height, double tolerance,
                                           double radius, tocsin_shape* out);
/// The shape put somewhere else in the frame; its radius stays. Errors: INPUT: numbers that are not
/// finite, a scale of 0, no unit quaternion, coordinates that leave 1e6 m; a scale other than 1 or
/// -1 of a sphere or capsule.
TOCSIN_API tocsin_status tocsin_shape_placed(tocsin_shape shape, const tocsin_placement* at,
                                             tocsin_shape* out);
/// All corners, joint frame.
TOCSIN_API tocsin_status tocsin_shape_corners(tocsin_shape shape, tocsin_vec3* corners,
                                              size_t capacity, size_t* count);
/// All features, three indices into the corners each: features[3 * i + 0..2]; equal ones make a
/// segment or a point. capacity and count: of features.
TOCSIN_API tocsin_status tocsin_shape_features(tocsin_shape shape, uint32_t* features,
                                               size_t capacity, size_t* count);

// NOLINTEND(modernize-use-using)
#ifdef __cplusplus
}
#endif
