// The detector: when, where and with what does a link first touch? Rules for all functions are in
// tocsin/tocsin_c.h.
#pragma once

#include "tocsin/c/avatar.h"
#include "tocsin/c/base.h"
#include "tocsin/c/motion.h"
#include "tocsin/c/reports.h"
#include "tocsin/c/room.h"

#ifdef __cplusplus
extern "C" {
#endif
// NOLINTBEGIN(modernize-use-using)

/// A room with its tree, ready to be asked. Does not change; any number of threads ask it at once.
typedef struct tocsin_detector_s* tocsin_detector;

enum {
  TOCSIN_BACKEND_AUTO = 0,  ///< the fastest that this library has
  TOCSIN_BACKEND_CPU = 1,
  TOCSIN_BACKEND_GL = 2,   ///< UNAVAILABLE: this library has no OpenGL
  TOCSIN_BACKEND_CUDA = 3  ///< UNAVAILABLE: this library has no CUDA
};
enum {
  TOCSIN_CONTACTS_PAIRS = 0,  ///< the first contact of every (link, object) pair
  TOCSIN_CONTACTS_FIRST = 1   ///< the earliest contact of the step only
};

typedef struct tocsin_detector_options {
  uint32_t size;      ///< sizeof(tocsin_detector_options)
  int32_t backend;    ///< TOCSIN_BACKEND_...
  int32_t contacts;   ///< TOCSIN_CONTACTS_...
  int32_t clearance;  ///< not 0: reports have clearances
  double margin;      ///< grows every link's radius, metres, >= 0
  double tolerance;   ///< wanted width of a toc bracket, step time; 0: 1e-9
  int32_t threads;    ///< that build the tree; 0: all
  uint32_t reserved;  ///< 0
  /// Shell globs of objects' names: these are surfaces, and a link inside is free. All other closed
  /// objects are solid. "*": all are surfaces.
  const char* const* surfaces;
  size_t surface_count;
  const char* tree_cache;  ///< a folder that keeps trees between runs; NULL: none
} tocsin_detector_options;

/// Builds the tree. Errors: USAGE: options out of range; UNAVAILABLE: a backend; RESOURCE: memory.
TOCSIN_API tocsin_status tocsin_detector_create(tocsin_environment environment,
                                                const tocsin_detector_options* options,
                                                tocsin_detector* out);
/// The same room with other options: contacts, margin, tolerance and clearance are those of
/// `options`; the tree is shared. Errors: USAGE: options out of range.
TOCSIN_API tocsin_status tocsin_detector_with_options(tocsin_detector detector,
                                                      const tocsin_detector_options* options,
                                                      tocsin_detector* out);
/// The same for a new version of its environment (tocsin_environment_with_vertices), with its tree
/// fitted. Errors: USAGE: another environment; a detector of a scene.
TOCSIN_API tocsin_status tocsin_detector_with_environment(tocsin_detector detector,
                                                          tocsin_environment environment,
                                                          tocsin_detector* out);
/// Its environment; of a scene's snapshot, the objects that contacts speak of.
TOCSIN_API tocsin_status tocsin_detector_environment(tocsin_detector detector,
                                                     tocsin_environment* out);
/// What was tolerated while the tree was built, a line each.
TOCSIN_API tocsin_status tocsin_detector_warnings(tocsin_detector detector, char* buffer,
                                                  size_t capacity, size_t* length);

/// How a check is done.
typedef struct tocsin_check_options {
  uint32_t size;         ///< sizeof(tocsin_check_options)
  uint32_t meet;         ///< not 0: avatars are checked against each other
  int32_t threads;       ///< of a check of several; 0: all; 1: the calling one alone
  uint32_t reserved;     ///< 0
  tocsin_cancel cancel;  ///< NULL: none
  /// Budget of each avatar's step: units of work (the answer is the same everywhere), and seconds
  /// from the call on. 0: no limit. When it is spent, reports are not complete.
  uint64_t work;
  double seconds;
} tocsin_check_options;

/// Checks one step of one avatar. `reports` gets one report. Errors: what its status says: INPUT: a
/// step of another skeleton; USAGE: a member of another room; CANCELLED.
TOCSIN_API tocsin_status tocsin_detector_check(tocsin_detector detector, tocsin_member member,
                                               tocsin_step step,
                                               const tocsin_check_options* options,
                                               tocsin_reports reports);
/// Checks a step each of several avatars, all at the same time: steps[i] of members[i]. `reports`
/// gets `count` reports. With `meet`, a contact of two avatars is in the report of the first.
/// Errors: of the first report that has one; the others are answers all the same.
TOCSIN_API tocsin_status tocsin_detector_check_batch(tocsin_detector detector,
                                                     const tocsin_member* members,
                                                     const tocsin_step* steps, size_t count,
                                                     const tocsin_check_options* options,
                                                     tocsin_reports reports);
/// Of a scene's snapshot: the same, and all objects that move against each other and what stands.
/// `reports` gets those of the members, then one of each object that moves. count may be 0.
TOCSIN_API tocsin_status tocsin_detector_check_scene(tocsin_detector detector,
                                                     const tocsin_member* members,
                                                     const tocsin_step* steps, size_t count,
                                                     const tocsin_check_options* options,
                                                     tocsin_reports reports);

/// Which steps of a motion.
typedef struct tocsin_range {
  uint32_t size;       ///< sizeof(tocsin_range)
  int32_t in_between;  ///< TOCSIN_SCREW or TOCSIN_TRANSLATE_ROTATE
  int64_t first;       ///< first frame
  int64_t end;         ///< one past the last frame; 0: the motion's end
  int64_t stride;      ///< a step joins frames f and f + stride; 0: 1
} tocsin_range;

/// Is told one report after the other, in order. `report`: holds the one report of this step;
/// belongs to the library and is valid until the function returns. Returns 0 to stop, anything else
/// to go on. It may call any function but must return as C does (no longjmp, no exception).
typedef int32_t (*tocsin_sink)(void* user, tocsin_reports report);

/// Checks many steps of one avatar in parallel and tells `sink`, in the calling thread. Stopping by
/// the sink is no error. `options`: threads and cancel are used; the others must be 0. Errors:
/// CANCELLED; USAGE: a range outside the motion; the first step's error.
TOCSIN_API tocsin_status tocsin_detector_run(tocsin_detector detector, tocsin_member member,
                                             tocsin_motion motion, const tocsin_range* range,
                                             const tocsin_check_options* options, tocsin_sink sink,
                                             void* user);

/// tocsin_detector_depth(). Metres, world. Computed, not certified: off by rounding.
typedef struct tocsin_depth {
  uint32_t size;      ///< sizeof(tocsin_depth)
  uint32_t inside;    ///< not 0: the link's axis is in the object, which is solid
  double depth;       ///< above 0: so deep; below 0: free by -depth
  double distance;    ///< of the link's axis from the object's surface
  uint32_t triangle;  ///< nearest to the axis; index within the object
  uint32_t reserved;
  tocsin_vec3 point;  ///< on it
} tocsin_depth;

/// How deep a link is in an object at local time `time`, 0 to 1, of a step. Errors: USAGE: a link,
/// object or time that there is not; of a scene, an object that moves.
TOCSIN_API tocsin_status tocsin_detector_depth(tocsin_detector detector, tocsin_avatar avatar,
                                               tocsin_step step, double time, int32_t link,
                                               uint32_t object, tocsin_depth* out);

// NOLINTEND(modernize-use-using)
#ifdef __cplusplus
}
#endif
