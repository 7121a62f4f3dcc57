// A robot's links as an avatar model.
#pragma once

#include <filesystem>
#include <string>

#include "io/robot/robot.h"
#include "io/shape/mesh_files.h"
#include "tocsin/avatar.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// A model whose links have the shapes of the robot's collision elements, on joints that are called
/// like the robot's links (robot_skeleton()). A link with one element is called like the robot's
/// link; one with several gives as many, called NAME.1, NAME.2, ... Boxes and cylinders are meshes;
/// a cylinder's prism holds it and reaches at most 0.5 mm and 1 % of its radius beyond it (of a
/// radius above 50 m, a millionth of that). Spheres are exact. Errors (kInput), naming file, line
/// and link: a mesh file that is not found or cannot be read; sizes that are not above 0; a name
/// that two links would have; no collision element at all.
Result<AvatarModel> robot_model(const Robot& robot, MeshFiles& files);

/// The file that a URDF at `urdf` means by a mesh's name: relative ones from the URDF's folder;
/// file://; package://NAME/REST: the first, from the URDF's folder upward, of a folder that is
/// called NAME and has REST, and a folder that has NAME/REST. Errors (kInput), without the URDF's
/// name: none is there; another scheme.
Result<std::filesystem::path> robot_mesh_file(const std::filesystem::path& urdf,
                                              const std::string& name);

}  // namespace tocsin::io
