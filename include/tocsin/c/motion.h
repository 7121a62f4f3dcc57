// Skeletons, motions and steps. Rules for all functions are in tocsin/tocsin_c.h.
#pragma once

#include "tocsin/c/base.h"

#ifdef __cplusplus
extern "C" {
#endif
// NOLINTBEGIN(modernize-use-using)

/// A tree of joints, parents before children. Does not change.
typedef struct tocsin_skeleton_s* tocsin_skeleton;

/// Makes a skeleton of `count` joints. names[i]; parents[i]: index of the parent, below i, or -1;
/// rest[i]: joint frame to parent frame in the rest pose. Errors: INPUT: no joints, more than
/// 16,384; a parent that does not come before its child; a rest transform that is not finite or
/// has no unit quaternion.
TOCSIN_API tocsin_status tocsin_skeleton_create(size_t count, const char* const* names,
                                                const int32_t* parents,
                                                const tocsin_transform* rest, tocsin_skeleton* out);
TOCSIN_API tocsin_status tocsin_skeleton_joint_count(tocsin_skeleton skeleton, size_t* count);
/// Name of a joint. Errors: USAGE: no such joint. `length`: without the '\0', which the buffer has
/// room for besides.
TOCSIN_API tocsin_status tocsin_skeleton_joint_name(tocsin_skeleton skeleton, size_t joint,
                                                    char* buffer, size_t capacity, size_t* length);
/// Parents of all joints; -1: none.
TOCSIN_API tocsin_status tocsin_skeleton_parents(tocsin_skeleton skeleton, int32_t* parents,
                                                 size_t capacity, size_t* count);
/// Rest transforms of all joints, joint frame to parent frame.
TOCSIN_API tocsin_status tocsin_skeleton_rest(tocsin_skeleton skeleton, tocsin_transform* rest,
                                              size_t capacity, size_t* count);
/// Index of the first joint of this name; -1: none.
TOCSIN_API tocsin_status tocsin_skeleton_find(tocsin_skeleton skeleton, const char* name,
                                              int32_t* joint);

/// A skeleton's pose at successive frames. Does not change.
typedef struct tocsin_motion_s* tocsin_motion;

/// Makes a motion of frame_count poses: poses[frame * joints + joint], joint frame to parent frame.
/// frame_time: seconds from frame to frame, 1e-9 to 1e6. Errors: INPUT, naming frame and joint: a
/// pose that is not finite, a quaternion that is not of unit length, a translation beyond 1e6 m.
TOCSIN_API tocsin_status tocsin_motion_create(tocsin_skeleton skeleton, double frame_time,
                                              const tocsin_transform* poses, size_t frame_count,
                                              tocsin_motion* out);
/// The same of frames that are not evenly spaced: frame k is at (ticks[k] - ticks[0]) *
/// seconds_per_tick. Errors, besides: INPUT: ticks that do not increase.
TOCSIN_API tocsin_status tocsin_motion_create_timed(tocsin_skeleton skeleton,
                                                    double seconds_per_tick, const double* ticks,
                                                    const tocsin_transform* poses,
                                                    size_t frame_count, tocsin_motion* out);
/// The same motion somewhere else: every root moves to R_y(yaw) p + translation. Degrees; 90 maps
/// +z to +x.
TOCSIN_API tocsin_status tocsin_motion_placed(tocsin_motion motion, const tocsin_vec3* translation,
                                              double yaw_degrees, tocsin_motion* out);
TOCSIN_API tocsin_status tocsin_motion_skeleton(tocsin_motion motion, tocsin_skeleton* out);
TOCSIN_API tocsin_status tocsin_motion_frame_count(tocsin_motion motion, int64_t* count);
/// Seconds from frame 0 to a frame. Errors: USAGE: no such frame.
TOCSIN_API tocsin_status tocsin_motion_seconds(tocsin_motion motion, int64_t frame,
                                               double* seconds);
/// The pose at a frame, one transform a joint. Errors: USAGE: no such frame.
TOCSIN_API tocsin_status tocsin_motion_pose(tocsin_motion motion, int64_t frame,
                                            tocsin_transform* pose, size_t capacity, size_t* count);
/// What was tolerated while the file was read, a line each; empty: nothing, or it is from memory.
TOCSIN_API tocsin_status tocsin_motion_warnings(tocsin_motion motion, char* buffer, size_t capacity,
                                                size_t* length);

/// The motion from one pose to a later one, in local time 0 to 1. Does not change.
typedef struct tocsin_step_s* tocsin_step;

/// The step from frame `first` to frame `last`. in_between: TOCSIN_SCREW or
/// TOCSIN_TRANSLATE_ROTATE. Errors: USAGE: frames that there are not, last <= first.
TOCSIN_API tocsin_status tocsin_motion_step(tocsin_motion motion, int64_t first, int64_t last,
                                            int32_t in_between, tocsin_step* out);
/// A step between two poses, one transform a joint. It copies the skeleton: for live motion use
/// tocsin_stream_push(). Errors: USAGE: a count that is not the skeleton's; INPUT: as
/// tocsin_motion_create().
TOCSIN_API tocsin_status tocsin_step_create(tocsin_skeleton skeleton, const tocsin_transform* pose0,
                                            const tocsin_transform* pose1, size_t joint_count,
                                            int32_t in_between, tocsin_step* out);
/// Seconds since frame 0 at local time t.
TOCSIN_API tocsin_status tocsin_step_seconds(tocsin_step step, double t, double* seconds);
/// The pose at local time t, 0 to 1: to show where the avatar is when it touches. It differs from
/// the checked motion by no more than rounding. Errors: USAGE: a time out of range.
TOCSIN_API tocsin_status tocsin_step_pose(tocsin_step step, double t, tocsin_transform* pose,
                                          size_t capacity, size_t* count);

// NOLINTEND(modernize-use-using)
#ifdef __cplusplus
}
#endif
