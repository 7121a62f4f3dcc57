// How far two shapes are apart at one time, and where they are nearest. Rules for all functions are
// in tocsin/tocsin_c.h. docs/nearest.md.
#pragma once

#include "tocsin/c/base.h"
#include "tocsin/c/shape.h"

#ifdef __cplusplus
extern "C" {
#endif
// NOLINTBEGIN(modernize-use-using)

/// Where two shapes are nearest. World, metres.
typedef struct tocsin_nearest_points {
  uint32_t size;  ///< sizeof(tocsin_nearest_points)
  uint32_t reserved;
  /// Between the surfaces of features. Below 0 where rounded features overlap: their radii less the
  /// distance of what is rounded.
  double distance;
  tocsin_vec3 first;        ///< on the first one's surface
  tocsin_vec3 second;       ///< on the second one's
  uint32_t first_feature;   ///< index into tocsin_shape_features()
  uint32_t second_feature;  ///< the same of the second
} tocsin_nearest_points;

/// Of any two shapes, with their frames at these places (frame to world), as the sets of features
/// that they are: what is inside a closed mesh is at its distance from the surface. Off by 2^-40 of
/// the coordinates at most. NULL: the identity. Errors: INPUT: a place that is not finite, beyond
/// 1e9 m, or has no unit quaternion.
TOCSIN_API tocsin_status tocsin_nearest(tocsin_shape first, const tocsin_transform* first_at,
                                        tocsin_shape second, const tocsin_transform* second_at,
                                        tocsin_nearest_points* out);

/// The convex hulls of two shapes, asked again and again while they move: a question takes a time
/// that does not grow with their faces. Used by one thread at a time.
typedef struct tocsin_pair_s* tocsin_pair;

enum {
  TOCSIN_APART = 0,
  TOCSIN_TOUCHING = 1,    ///< within rounding of touching
  TOCSIN_PENETRATING = 2  ///< a part of one is in the other
};

/// Where two convex bodies are nearest. World, metres.
typedef struct tocsin_convex_points {
  uint32_t size;   ///< sizeof(tocsin_convex_points)
  int32_t status;  ///< TOCSIN_APART, TOCSIN_TOUCHING or TOCSIN_PENETRATING
  /// Between the surfaces. Below 0: the first must be moved so far along `normal` for both to be
  /// apart; no shorter way is.
  double distance;
  double error;  ///< `distance` is within that of the truth
  tocsin_vec3 first;
  tocsin_vec3 second;
  tocsin_vec3 normal;  ///< of unit length, from the second to the first
} tocsin_convex_points;

/// Errors: INPUT: more than three corners, all in one plane.
TOCSIN_API tocsin_status tocsin_pair_create(tocsin_shape first, tocsin_shape second,
                                            tocsin_pair* out);
/// Errors: as tocsin_nearest(). The answer does not depend on earlier questions.
TOCSIN_API tocsin_status tocsin_pair_nearest(tocsin_pair pair, const tocsin_transform* first_at,
                                             const tocsin_transform* second_at,
                                             tocsin_convex_points* out);

// NOLINTEND(modernize-use-using)
#ifdef __cplusplus
}
#endif
