// What all of the C interface uses: status, errors, versions, values, cancel. Rules for all
// functions are in tocsin/tocsin_c.h.
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TOCSIN_API __attribute__((visibility("default")))
#else
#define TOCSIN_API
#endif

#ifdef __cplusplus
extern "C" {
#endif
// NOLINTBEGIN(modernize-use-using)

/// Version of this interface. It grows when something is added. Nothing is removed or redefined as
/// long as the library is called libtocsin_c.so.0.
#define TOCSIN_C_VERSION 1

/// What a function returns.
typedef int32_t tocsin_status;
enum {
  TOCSIN_OK = 0,
  TOCSIN_ERROR_USAGE = 1,        ///< a call or an option makes no sense
  TOCSIN_ERROR_UNAVAILABLE = 2,  ///< what was asked for is not in this library or on this machine
  TOCSIN_ERROR_INPUT = 3,        ///< an input was refused: the text names file, line or frame
  TOCSIN_ERROR_RESOURCE = 4,     ///< could not finish: memory, disk
  TOCSIN_ERROR_CANCELLED = 5,    ///< tocsin_cancel_request()
  TOCSIN_ERROR_HANDLE = 6,       ///< NULL, destroyed, or a handle of another kind
  TOCSIN_ERROR_BUSY = 7,         ///< another thread is using the object
  TOCSIN_ERROR_BUFFER = 8,       ///< the caller's buffer is too small
  TOCSIN_ERROR_INTERNAL = 9      ///< a defect of the library: please report it
};

/// TOCSIN_C_VERSION of the library that runs.
TOCSIN_API uint32_t tocsin_c_version(void);
/// Version of the library that runs, "0.2.0". Lasts as long as the program.
TOCSIN_API const char* tocsin_version(void);
/// The name of a status, "TOCSIN_ERROR_INPUT"; of a number that is none, "unknown status". Lasts
/// as long as the program.
TOCSIN_API const char* tocsin_status_name(tocsin_status status);
/// What the last call of this thread that failed has to say; empty if none did. Never NULL. At most
/// 4,095 bytes; a longer text ends with "...". Lasts until the next call of this thread that fails.
TOCSIN_API const char* tocsin_last_error(void);

/// Destroys the object of a handle of any kind. NULL does nothing. Errors: TOCSIN_ERROR_HANDLE: it
/// was destroyed before, or is no handle.
TOCSIN_API tocsin_status tocsin_destroy(void* handle);
/// How many handles there are that were not destroyed, of all kinds.
TOCSIN_API size_t tocsin_handle_count(void);

/// A point or a vector; metres unless stated otherwise.
typedef struct tocsin_vec3 {
  double x, y, z;
} tocsin_vec3;
/// The same in single precision: a vertex of a room.
typedef struct tocsin_vec3f {
  float x, y, z;
} tocsin_vec3f;
/// A unit quaternion, scalar first. (1, 0, 0, 0) is the identity. A length within 1e-3 of 1 is
/// normalised, any other refused.
typedef struct tocsin_quat {
  double w, x, y, z;
} tocsin_quat;
/// A rigid transform x -> rotation(x) + translation, from a joint's frame to its parent's; of a
/// joint without a parent, and of objects, to the world.
typedef struct tocsin_transform {
  tocsin_quat rotation;
  tocsin_vec3 translation;
} tocsin_transform;
/// x -> rotation(scale * x) + translation. NULL stands for the identity wherever a function takes
/// one.
typedef struct tocsin_placement {
  tocsin_vec3 translation;
  tocsin_quat rotation;
  tocsin_vec3 scale;  ///< along the own axes; none is 0; negative mirrors
} tocsin_placement;

/// How a joint moves in its parent's frame between two poses.
enum {
  TOCSIN_SCREW = 0,            ///< along the screw that joins them
  TOCSIN_TRANSLATE_ROTATE = 1  ///< with constant rotation and translation velocity
};

/// Stops calls that are given it, from any thread.
typedef struct tocsin_cancel_s* tocsin_cancel;
TOCSIN_API tocsin_status tocsin_cancel_create(tocsin_cancel* out);
/// All calls that have it, now or later, return TOCSIN_ERROR_CANCELLED as soon as they see it. It
/// cannot be taken back: make a new one.
TOCSIN_API tocsin_status tocsin_cancel_request(tocsin_cancel cancel);

// NOLINTEND(modernize-use-using)
#ifdef __cplusplus
}
#endif
