// Environments: rooms that stand still during a step. Rules for all functions are in
// tocsin/tocsin_c.h.
#pragma once

#include "tocsin/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif
// NOLINTBEGIN(modernize-use-using)

/// A list of named objects, each a list of triangles. Does not change.
typedef struct tocsin_environment_s* tocsin_environment;

/// An object as it is handed in.
typedef struct tocsin_object {
  uint32_t size;                 ///< sizeof(tocsin_object)
  uint32_t reserved;             ///< 0
  const char* name;              ///< not NULL
  const tocsin_vec3f* vertices;  ///< world, metres
  size_t vertex_count;
  const uint32_t* triangles;  ///< triangles[3 * i + 0..2]: indices into vertices
  size_t triangle_count;
} tocsin_object;

/// Makes a room of `count` objects; 0: an empty one. Errors: INPUT, naming object and triangle: an
/// index out of range; a vertex that is not finite or beyond 1e6 m; more than 2^31 triangles.
TOCSIN_API tocsin_status tocsin_environment_create(const tocsin_object* objects, size_t count,
                                                   tocsin_environment* out);
/// One room with all objects of all parts, in order.
TOCSIN_API tocsin_status tocsin_environment_merge(const tocsin_environment* parts, size_t count,
                                                  tocsin_environment* out);
/// A new version with the same objects and other vertices: those of all objects, one after the
/// other, as many. Errors: INPUT: as above, another number; USAGE: it is a scene's.
TOCSIN_API tocsin_status tocsin_environment_with_vertices(tocsin_environment environment,
                                                          const tocsin_vec3f* vertices,
                                                          size_t count, tocsin_environment* out);
TOCSIN_API tocsin_status tocsin_environment_object_count(tocsin_environment environment,
                                                         size_t* count);
TOCSIN_API tocsin_status tocsin_environment_vertex_count(tocsin_environment environment,
                                                         size_t* count);
/// Name of an object, by its index in contacts. Errors: USAGE: no such object.
TOCSIN_API tocsin_status tocsin_environment_object_name(tocsin_environment environment,
                                                        uint32_t object, char* buffer,
                                                        size_t capacity, size_t* length);
/// How many triangles an object has. Errors: USAGE: no such object.
TOCSIN_API tocsin_status tocsin_environment_triangle_count(tocsin_environment environment,
                                                           uint32_t object, uint32_t* count);
/// The three corners of an object's triangle, as stored. Errors: USAGE: no such triangle.
TOCSIN_API tocsin_status tocsin_environment_corners(tocsin_environment environment, uint32_t object,
                                                    uint32_t triangle, tocsin_vec3f* corners);
/// What was tolerated while the file was read, a line each; empty: nothing, or it is from memory.
TOCSIN_API tocsin_status tocsin_environment_warnings(tocsin_environment environment, char* buffer,
                                                     size_t capacity, size_t* length);

// NOLINTEND(modernize-use-using)
#ifdef __cplusplus
}
#endif
