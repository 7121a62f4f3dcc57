// Whether a mesh file has an animation, for those that do not use it.
#pragma once

#include <filesystem>

namespace tocsin::io {

/// True if the bytes of a file that was read as a mesh speak of an animation: glTF's "animations",
/// COLLADA's <animation>, FBX's curves, interpolators of VRML and X3D. A name that reads so makes
/// it true, too: it is for a warning. False of other formats, and of a file that cannot be read
/// again.
bool speaks_of_animation(const std::filesystem::path& file);

}  // namespace tocsin::io
