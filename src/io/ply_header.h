// The header of a PLY file.
#pragma once

#include <string>
#include <string_view>

namespace tocsin::io {

/// Empty, or what is wrong with the header, with its line: a line that the format does not know, a
/// count that the file has not the bytes for, no `end_header` (assimp 5.2 would look for it
/// forever).
std::string ply_header_fault(std::string_view bytes);

}  // namespace tocsin::io
