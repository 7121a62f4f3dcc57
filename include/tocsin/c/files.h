// Motions, rooms and avatars from files. Rules for all functions are in tocsin/tocsin_c.h. In a
// library that was built without files (TOCSIN_IO=OFF) all return TOCSIN_ERROR_UNAVAILABLE.
#pragma once

#include "tocsin/c/avatar.h"
#include "tocsin/c/base.h"
#include "tocsin/c/motion.h"
#include "tocsin/c/room.h"

#ifdef __cplusplus
extern "C" {
#endif
// NOLINTBEGIN(modernize-use-using)

/// The axis that points up in a file. Tocsin is Y up: Z maps (x, y, z) to (x, z, -y), X maps it to
/// (-y, x, z).
enum { TOCSIN_UP_Y = 0, TOCSIN_UP_Z = 1, TOCSIN_UP_X = 2 };

typedef struct tocsin_motion_file_options {
  uint32_t size;         ///< sizeof(tocsin_motion_file_options)
  int32_t up;            ///< TOCSIN_UP_...
  double unit_metres;    ///< one unit of the file, metres; 0: as the file says, or found out
  double rate;           ///< Hz, where the file does not say it; 0: as the file says
  const char* skeleton;  ///< the .asf of an .amc; NULL: the one beside it
  const char* clip;      ///< which animation; NULL: the only one
  const char* skin;      ///< which skeleton; NULL: the only one
} tocsin_motion_file_options;

/// Reads a motion: .bvh, .amc, .glb, .gltf, .fbx, .poses. Errors: INPUT: file, line, cause.
TOCSIN_API tocsin_status tocsin_motion_load(const char* file,
                                            const tocsin_motion_file_options* options,
                                            tocsin_motion* out);

typedef struct tocsin_environment_file_options {
  uint32_t size;  ///< sizeof(tocsin_environment_file_options)
  int32_t up;     ///< TOCSIN_UP_...
  double scale;   ///< one unit of the file, metres; 0: 1
} tocsin_environment_file_options;

/// Reads a room: .obj, .ply, .glb, .gltf, .wrl, .stl, .dae, .x3d, .fbx. Errors: INPUT: file, line,
/// cause.
TOCSIN_API tocsin_status tocsin_environment_load(const char* file,
                                                 const tocsin_environment_file_options* options,
                                                 tocsin_environment* out);

/// Binds an avatar model to a skeleton. model: a shipped one ("humanoid16"), a file, or "auto": of
/// the shipped models the one with the most links that binds, else one link a bone. Errors: INPUT:
/// not found, malformed, or a joint that is missing.
TOCSIN_API tocsin_status tocsin_avatar_load(const char* model, tocsin_skeleton skeleton,
                                            tocsin_avatar* out);
/// The same for a motion's skeleton, as `tocsin check` does it: where the rest pose is no person's,
/// frame 0 may be.
TOCSIN_API tocsin_status tocsin_avatar_load_for(const char* model, tocsin_motion motion,
                                                tocsin_avatar* out);

// NOLINTEND(modernize-use-using)
#ifdef __cplusplus
}
#endif
