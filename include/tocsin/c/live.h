// Live motion: a stream of one avatar, a crowd of several. Rules for all functions are in
// tocsin/tocsin_c.h.
#pragma once

#include "tocsin/c/avatar.h"
#include "tocsin/c/base.h"
#include "tocsin/c/detector.h"
#include "tocsin/c/motion.h"
#include "tocsin/c/reports.h"

#ifdef __cplusplus
extern "C" {
#endif
// NOLINTBEGIN(modernize-use-using)

/// How live poses become steps.
typedef struct tocsin_live_options {
  uint32_t size;            ///< sizeof(tocsin_live_options)
  int32_t in_between;       ///< TOCSIN_SCREW or TOCSIN_TRANSLATE_ROTATE
  double seconds_per_tick;  ///< 1e-9 to 1e6; 0: 1
} tocsin_live_options;

/// Checks successive steps of one avatar and reuses what earlier steps proved. Answers are those of
/// tocsin_detector_check(). Used by one thread at a time; streams of one detector are independent.
typedef struct tocsin_stream_s* tocsin_stream;

TOCSIN_API tocsin_status tocsin_stream_create(tocsin_detector detector, tocsin_member member,
                                              const tocsin_live_options* options,
                                              tocsin_stream* out);
/// The next pose, one transform a joint, at a tick (any increasing number). Checks the motion from
/// the pose before to this one: no gap is left, however late it comes. The first pose gives a step
/// that does not move. `options`: work, seconds and cancel are used. Errors: USAGE: another number
/// of joints; INPUT: a pose as in tocsin_motion_create(), a tick that is not after the last: the
/// pose is not taken. CANCELLED, RESOURCE: the pose is taken, and the way to it not proved:
/// tocsin_stream_go_on() checks it again.
TOCSIN_API tocsin_status tocsin_stream_push(tocsin_stream stream, const tocsin_transform* pose,
                                            size_t joint_count, double tick,
                                            const tocsin_check_options* options,
                                            tocsin_reports reports);
/// Checks any step instead.
TOCSIN_API tocsin_status tocsin_stream_check(tocsin_stream stream, tocsin_step step,
                                             const tocsin_check_options* options,
                                             tocsin_reports reports);
/// Continues the last step, if its report was not complete, or checks it again, if that failed. The
/// report is about the whole step. Errors: as above; USAGE: there is nothing to continue.
TOCSIN_API tocsin_status tocsin_stream_go_on(tocsin_stream stream,
                                             const tocsin_check_options* options,
                                             tocsin_reports reports);
/// The next pose begins a new motion: nothing is claimed about the way to it. For an avatar that
/// jumps.
TOCSIN_API tocsin_status tocsin_stream_restart(tocsin_stream stream);
/// From now on in another room: a scene's next snapshot, say. The last pose stays: the next step
/// begins there. What could be continued cannot be any more. Errors: USAGE: the member does not go
/// with that room (in the next check).
TOCSIN_API tocsin_status tocsin_stream_set_detector(tocsin_stream stream, tocsin_detector detector);

/// Checks the same avatars at successive instants and reuses what earlier instants proved. Answers
/// are those of tocsin_detector_check_batch(). Used by one thread at a time.
typedef struct tocsin_crowd_s* tocsin_crowd;

TOCSIN_API tocsin_status tocsin_crowd_create(tocsin_detector detector, const tocsin_member* members,
                                             size_t count, const tocsin_live_options* options,
                                             tocsin_crowd* out);
/// The next pose of every member, in order, one behind the other; joint_count: of all together.
/// `reports` gets one report a member. Errors: as tocsin_stream_push(): a pose or tick that is
/// refused changes nothing; an error of a report is returned, and the poses are taken.
TOCSIN_API tocsin_status tocsin_crowd_push(tocsin_crowd crowd, const tocsin_transform* poses,
                                           size_t joint_count, double tick,
                                           const tocsin_check_options* options,
                                           tocsin_reports reports);
/// Checks the last instant again: after an error, or with another budget. Errors: USAGE: no instant
/// was pushed.
TOCSIN_API tocsin_status tocsin_crowd_again(tocsin_crowd crowd, const tocsin_check_options* options,
                                            tocsin_reports reports);
/// Checks any steps instead, one a member.
TOCSIN_API tocsin_status tocsin_crowd_check(tocsin_crowd crowd, const tocsin_step* steps,
                                            size_t count, const tocsin_check_options* options,
                                            tocsin_reports reports);
/// As of streams.
TOCSIN_API tocsin_status tocsin_crowd_restart(tocsin_crowd crowd);
TOCSIN_API tocsin_status tocsin_crowd_set_detector(tocsin_crowd crowd, tocsin_detector detector);

// NOLINTEND(modernize-use-using)
#ifdef __cplusplus
}
#endif
