// Avatars: skeletons with links; members: avatars and which of their pairs are checked. Rules for
// all functions are in tocsin/tocsin_c.h.
#pragma once

#include "tocsin/c/base.h"
#include "tocsin/c/motion.h"
#include "tocsin/c/room.h"
#include "tocsin/c/shape.h"

#ifdef __cplusplus
extern "C" {
#endif
// NOLINTBEGIN(modernize-use-using)

/// A skeleton with its links. Does not change.
typedef struct tocsin_avatar_s* tocsin_avatar;

/// What moves with one joint: a line swept sphere, all points within `radius` of the segment a-b;
/// or a shape, then a, b and radius are not read.
typedef struct tocsin_link {
  uint32_t size;       ///< sizeof(tocsin_link)
  int32_t joint;       ///< index into the skeleton
  const char* name;    ///< not NULL
  tocsin_vec3 a, b;    ///< joint frame, metres
  double radius;       ///< metres, at least 1e-6
  tocsin_shape shape;  ///< NULL: a line swept sphere
} tocsin_link;

/// Makes an avatar of links. Errors: INPUT: no links, a joint that there is not, a radius below
/// 1e-6 m or not finite.
TOCSIN_API tocsin_status tocsin_avatar_create(const char* name, tocsin_skeleton skeleton,
                                              const tocsin_link* links, size_t count,
                                              tocsin_avatar* out);
/// One link a bone, joint to child joint, its radius a fraction of the bone's length: for any
/// skeleton that has bones.
TOCSIN_API tocsin_status tocsin_avatar_of_bones(tocsin_skeleton skeleton, tocsin_avatar* out);
TOCSIN_API tocsin_status tocsin_avatar_skeleton(tocsin_avatar avatar, tocsin_skeleton* out);
TOCSIN_API tocsin_status tocsin_avatar_link_count(tocsin_avatar avatar, size_t* count);
/// Name of a link, by its index in contacts. Errors: USAGE: no such link.
TOCSIN_API tocsin_status tocsin_avatar_link_name(tocsin_avatar avatar, size_t link, char* buffer,
                                                 size_t capacity, size_t* length);
/// A link's line swept sphere (of one with a shape, one that holds it): to draw it. None of the
/// pointers is NULL. Errors: USAGE: no such link.
TOCSIN_API tocsin_status tocsin_avatar_capsule(tocsin_avatar avatar, size_t link, int32_t* joint,
                                               tocsin_vec3* a, tocsin_vec3* b, double* radius);

/// An avatar that is checked, and which pairs. Does not change.
typedef struct tocsin_member_s* tocsin_member;

typedef struct tocsin_member_options {
  uint32_t size;               ///< sizeof(tocsin_member_options)
  uint32_t self;               ///< not 0: the avatar's own links are checked against each other
  const char* const* ignored;  ///< "LINK:OBJECT", shell globs: pairs that are not checked
  size_t ignored_count;
  const char* const* self_ignored;  ///< "LINK:LINK", either way round, with `self`
  size_t self_ignored_count;
} tocsin_member_options;

/// `environment`: whose objects `ignored` names; NULL if it names none. Then the member goes with
/// every room. Errors: USAGE: a pattern without ':'.
TOCSIN_API tocsin_status tocsin_member_create(tocsin_avatar avatar, tocsin_environment environment,
                                              const tocsin_member_options* options,
                                              tocsin_member* out);

// NOLINTEND(modernize-use-using)
#ifdef __cplusplus
}
#endif
