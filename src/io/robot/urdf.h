// Reads robots: URDF, through liburdfdom.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "io/input_files.h"
#include "io/robot/robot.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// True for a name that ends in .urdf, in any case of letters.
bool is_urdf(const std::filesystem::path& file);

/// Reads a robot. Visual geometry, masses, transmissions and what else a URDF has are not used.
/// Errors (kInput), naming file, line where it is known, and cause: as urdf_layout(); what
/// liburdfdom refuses; links that are not one tree; numbers that are not finite or beyond 1e6; an
/// axis of length 0; a mimic of a joint that is not there, has several values, or follows the
/// mimic in turn; a build without liburdfdom, which says so.
Result<Robot> parse_urdf(std::string_view text, const std::string& file);

/// The same from a file, which `log`, unless it is null, gets in the role `role`.
Result<Robot> read_robot(const std::filesystem::path& file, std::string_view role, InputLog* log);

}  // namespace tocsin::io
