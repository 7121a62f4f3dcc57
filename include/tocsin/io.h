// Reading motions, avatar models and rooms from files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"
#include "tocsin/result.h"

namespace tocsin {

/// How a motion file is read.
struct MotionOptions {
  /// One unit of the file in metres; none: from the file if it says so, else one of m, cm, mm, in,
  /// cmu, by a person's height or what the frames tell (docs/reference/motion-formats.md).
  std::optional<double> unit_metres = std::nullopt;
  UpAxis up = UpAxis::kY;
  /// The .asf of an .amc; none: the one beside it of the same name, else of the part before the
  /// first '_'.
  std::optional<std::filesystem::path> skeleton = std::nullopt;
  /// Hz. For an .amc, which does not say its rate (none: 120); and for a .glb, .gltf or .fbx whose
  /// keys are not evenly spaced, or that should be sampled at another rate than theirs.
  std::optional<double> rate = std::nullopt;
  /// Which animation of a .glb, .gltf or .fbx; empty: the only one.
  std::string clip = {};
  /// Which skeleton of a .glb, .gltf or .fbx, by the name of a skin or of its root joint; empty:
  /// the only one that the clip moves.
  std::string skin = {};
};

/// Reads a motion: .bvh; .amc with its .asf; .glb, .gltf and .fbx with a skeleton and an animation;
/// .poses, frames at any times as `tocsin serve` records them.
/// Positions come out in metres, Y up. MotionSource says what was decided.
/// Errors (kInput): the file cannot be read or is malformed (file, line, cause); no unit or two
/// fit; several clips or skins and none named (lists them). kUsage: an option that does not go with
/// the format, or is senseless.
Result<Motion> load_motion(const std::filesystem::path& file, const MotionOptions& options = {});

/// One animation of a file.
struct MotionClip {
  std::string name;
  double seconds = 0.0;
  std::int64_t keys = 0;  ///< times at which anything has a key
  double rate = 0.0;      ///< Hz, if the keys are evenly spaced; else 0
};

/// One skeleton of a file: skins that share joints are one.
struct MotionSkin {
  std::string name;
  int joints = 0;
};

struct MotionContents {
  std::vector<MotionClip> clips;
  std::vector<MotionSkin> skins;
};

/// What a .glb, .gltf or .fbx offers to load_motion(); empty lists if that is nothing. Errors
/// (kInput): the file cannot be read or is malformed.
Result<MotionContents> list_motions(const std::filesystem::path& file);

/// What a format could not hold as it was (a joint's name, say), for a person; without the file's
/// name.
struct SaveNotes {
  std::vector<std::string> warnings;
};

/// Writes a motion: .bvh (rotations in the order Z, Y, X; numbers that read back as the same
/// double), .glb (a skin and one clip, 32-bit floats) or .poses (everything as it is, to the bit).
/// Nothing is left half-written. Errors: kUsage for another extension; kInput for what the format
/// cannot hold (no frames, more than 10,000 joints or frames that are not evenly spaced in a .bvh,
/// frames that a float cannot tell apart in a .glb); kResource if it cannot be written.
Result<SaveNotes> save_motion(const Motion& motion, const std::filesystem::path& file);

/// Reads an avatar model: a file, or the name of a model that Tocsin ships (`humanoid16`).
/// Errors (kInput): not found (lists the shipped names), malformed (file, line or field, cause).
Result<AvatarModel> load_avatar_model(const std::string& name_or_file);

/// Names of the models that Tocsin ships: those of whole bodies, then those of what trackers see
/// (`openxr_hand`, `head_and_hands`).
std::vector<std::string> shipped_avatar_models();

/// `auto`: of the shipped models of whole bodies that bind to this skeleton, the one with the most
/// links; if none does, Avatar::automatic(). Errors (kInput): an empty skeleton.
Result<Avatar> choose_avatar(const Skeleton& skeleton, const RadiusScale& scale = {});

/// How a room file is read.
struct EnvironmentOptions {
  double scale = 1.0;  ///< one unit of the file in metres
  UpAxis up = UpAxis::kY;
};

/// Reads a room: .obj, .ply, .glb/.gltf and .wrl by Tocsin's own parsers; .stl, .dae, .x3d, .fbx
/// through assimp. Coordinates are scaled and turned in double, then rounded to float once. Errors
/// (kInput): the file cannot be read or is malformed (file, line, cause); no triangles.
Result<Environment> load_environment(const std::filesystem::path& file,
                                     const EnvironmentOptions& options = {});

/// Writes a room: .obj, .ply (binary) or .glb; objects keep their names, triangles their order,
/// coordinates their bits. Nothing is left half-written. Errors: kUsage for another extension;
/// kResource if it cannot be written; kInput for what the format cannot hold.
Status save_environment(const Environment& environment, const std::filesystem::path& file);

}  // namespace tocsin
