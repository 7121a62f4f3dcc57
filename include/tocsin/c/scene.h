// Scenes: objects that come, go, move, deform and are switched on and off. Rules for all functions
// are in tocsin/tocsin_c.h.
#pragma once

#include "tocsin/c/base.h"
#include "tocsin/c/detector.h"
#include "tocsin/c/room.h"
#include "tocsin/c/shape.h"

#ifdef __cplusplus
extern "C" {
#endif
// NOLINTBEGIN(modernize-use-using)

/// Triangles that many objects share. Does not change.
typedef struct tocsin_mesh_s* tocsin_mesh;

/// Makes a mesh, own coordinates, metres, and builds its tree. Errors: INPUT: no triangles, and as
/// tocsin_environment_create().
TOCSIN_API tocsin_status tocsin_mesh_create(const tocsin_vec3f* vertices, size_t vertex_count,
                                            const uint32_t* triangles, size_t triangle_count,
                                            tocsin_mesh* out);
/// The surface of a shape: a box, a hull, a cylinder. Errors: INPUT: one with a radius, or made of
/// points and segments.
TOCSIN_API tocsin_status tocsin_mesh_of_shape(tocsin_shape shape, tocsin_mesh* out);
/// A closed mesh about the origin that holds the sphere and reaches at most `tolerance` metres
/// beyond it. Errors: INPUT: a radius that is not between 1e-6 and 1e6 m; a tolerance that is not
/// above 0, or asks for more than two million triangles.
TOCSIN_API tocsin_status tocsin_mesh_sphere(double radius, double tolerance, tocsin_mesh* out);
/// One object of a room, where it stands. Errors: USAGE: no such object.
TOCSIN_API tocsin_status tocsin_mesh_of_object(tocsin_environment environment, uint32_t object,
                                               tocsin_mesh* out);

/// What changes; tocsin_scene_snapshot() gives a detector that does not. An object stands, or it
/// moves (or deforms) in the step that the next snapshot is asked about; in the snapshot after that
/// it stands at the end. Used by one thread at a time. docs/scenes.md.
typedef struct tocsin_scene_s* tocsin_scene;
/// An object, a switch. None is used twice; 0 is none. Errors of all functions that take one:
/// USAGE: there is none such. RESOURCE: memory; where it runs out in the midst of a change, the
/// scene refuses everything from then on, and its snapshots stay good.
typedef uint64_t tocsin_object_id;
typedef uint64_t tocsin_switch_id;

/// `options`: of all snapshots. Errors: USAGE: options out of range.
TOCSIN_API tocsin_status tocsin_scene_create(const tocsin_detector_options* options,
                                             tocsin_scene* out);
/// Adds an object. `object` may be NULL. Errors: INPUT: no name, or one that another has; a place
/// as in tocsin_scene_place().
TOCSIN_API tocsin_status tocsin_scene_add(tocsin_scene scene, const char* name, tocsin_mesh mesh,
                                          const tocsin_placement* at, tocsin_object_id* object);
/// Adds all objects of a room that have triangles, each where it stands, and says how many.
/// `count` may be NULL. Errors: as above; none is added then.
TOCSIN_API tocsin_status tocsin_scene_add_environment(tocsin_scene scene,
                                                      tocsin_environment environment,
                                                      size_t* count);
TOCSIN_API tocsin_status tocsin_scene_remove(tocsin_scene scene, tocsin_object_id object);
/// It has another mesh from now on; a motion goes on with it, a deformation is forgotten. Its index
/// changes.
TOCSIN_API tocsin_status tocsin_scene_replace(tocsin_scene scene, tocsin_object_id object,
                                              tocsin_mesh mesh);
/// It stands there from now on; nothing is claimed about the way. Errors: INPUT: numbers that are
/// not finite, no unit quaternion, a scale of 0, corners that leave 1e6 m.
TOCSIN_API tocsin_status tocsin_scene_place(tocsin_scene scene, tocsin_object_id object,
                                            const tocsin_placement* at);
/// It moves there in the next step; its scale stays. `to`: not NULL. Errors: as above; USAGE: it
/// also deforms.
TOCSIN_API tocsin_status tocsin_scene_move(tocsin_scene scene, tocsin_object_id object,
                                           const tocsin_transform* to, int32_t in_between);
/// Its corners move on straight lines to these in the next step: as many as the mesh's, in its own
/// coordinates. It is checked against everything but itself. Errors: INPUT: another number, one
/// that is not finite; USAGE: it also moves.
TOCSIN_API tocsin_status tocsin_scene_deform(tocsin_scene scene, tocsin_object_id object,
                                             const tocsin_vec3f* vertices, size_t count);

/// The same, and the object is at another place at the end, or at another scale: its corners move
/// on straight lines to where `to` puts these vertices; none (count 0): those that it has. `to`:
/// not NULL. Errors besides, INPUT: as tocsin_scene_place(); a scale that turns it inside out.
TOCSIN_API tocsin_status tocsin_scene_deform_to(tocsin_scene scene, tocsin_object_id object,
                                                const tocsin_vec3f* vertices, size_t count,
                                                const tocsin_placement* to);

/// Objects are active at first. One that is not touches nothing.
TOCSIN_API tocsin_status tocsin_scene_activate(tocsin_scene scene, tocsin_object_id object);
TOCSIN_API tocsin_status tocsin_scene_deactivate(tocsin_scene scene, tocsin_object_id object);
/// Of all commands about a pair, by objects or by patterns, the latest counts.
TOCSIN_API tocsin_status tocsin_scene_activate_pair(tocsin_scene scene, tocsin_object_id a,
                                                    tocsin_object_id b);
TOCSIN_API tocsin_status tocsin_scene_deactivate_pair(tocsin_scene scene, tocsin_object_id a,
                                                      tocsin_object_id b);
/// Pairs "LINK:OBJECT" or "OBJECT:OBJECT" by shell globs, also of objects that are added later.
/// Errors: USAGE: a pattern without ':'.
TOCSIN_API tocsin_status tocsin_scene_activate_pairs(tocsin_scene scene, const char* pattern);
TOCSIN_API tocsin_status tocsin_scene_deactivate_pairs(tocsin_scene scene, const char* pattern);

/// A switch: of its objects only the chosen one is there; at first none.
TOCSIN_API tocsin_status tocsin_scene_add_switch(tocsin_scene scene, tocsin_switch_id* out);
TOCSIN_API tocsin_status tocsin_scene_set_switch(tocsin_scene scene, tocsin_object_id object,
                                                 tocsin_switch_id parent);
TOCSIN_API tocsin_status tocsin_scene_clear_switch(tocsin_scene scene, tocsin_object_id object);
/// object: 0: none of them. Errors: USAGE: an object that is not under this switch.
TOCSIN_API tocsin_status tocsin_scene_choose(tocsin_scene scene, tocsin_switch_id parent,
                                             tocsin_object_id object);

/// 0 if there is no such object.
TOCSIN_API tocsin_status tocsin_scene_find(tocsin_scene scene, const char* name,
                                           tocsin_object_id* object);
/// Its index in the environment of snapshots, which contacts name.
TOCSIN_API tocsin_status tocsin_scene_index_of(tocsin_scene scene, tocsin_object_id object,
                                               uint32_t* index);
TOCSIN_API tocsin_status tocsin_scene_size(tocsin_scene scene, size_t* count);
/// How often indices have changed: after many removals.
TOCSIN_API tocsin_status tocsin_scene_compacted(tocsin_scene scene, uint64_t* times);
/// The scene as it is, for any number of threads; also ends the motions that the last snapshot had.
TOCSIN_API tocsin_status tocsin_scene_snapshot(tocsin_scene scene, tocsin_detector* out);

// NOLINTEND(modernize-use-using)
#ifdef __cplusplus
}
#endif
