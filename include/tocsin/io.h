// Reading motions, avatar models and rooms from files.
#pragma once

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
  /// One unit of the file in metres; none: from the file if it says so, else the one of m, cm, mm,
  /// in, cmu that puts the rest skeleton's height between 1.2 and 2.2 m.
  std::optional<double> unit_metres;
  UpAxis up = UpAxis::kY;
};

/// Reads a motion (.bvh). Positions come out in metres, Y up.
/// Errors (kInput): the file cannot be read or is malformed (file, line, cause); no unit or two
/// fit.
Result<Motion> load_motion(const std::filesystem::path& file, const MotionOptions& options = {});

/// Reads an avatar model: a file, or the name of a model that Tocsin ships (`humanoid16`).
/// Errors (kInput): not found (lists the shipped names), malformed (file, line or field, cause).
Result<AvatarModel> load_avatar_model(const std::string& name_or_file);

/// Names of the models that Tocsin ships.
std::vector<std::string> shipped_avatar_models();

/// `auto`: of the shipped models that bind to this skeleton, the one with the most links; if none
/// does, Avatar::automatic(). Errors (kInput): an empty skeleton.
Result<Avatar> choose_avatar(const Skeleton& skeleton);

/// How a room file is read.
struct EnvironmentOptions {
  double scale = 1.0;  ///< one unit of the file in metres
  UpAxis up = UpAxis::kY;
};

/// Reads a room: .obj by Tocsin's own parser; .ply, .stl, .glb/.gltf, .dae, .x3d, .fbx through
/// assimp. Coordinates are scaled and turned in double, then rounded to float once. Errors
/// (kInput): the file cannot be read or is malformed (file, line, cause); no triangles.
Result<Environment> load_environment(const std::filesystem::path& file,
                                     const EnvironmentOptions& options = {});

}  // namespace tocsin
