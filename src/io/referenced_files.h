// Files that another file needs to be read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tocsin::io {

/// The files that a .gltf keeps its numbers in, as paths beside it, in the file's order, each once;
/// none for every other format. Call it on a file that was read without an error: nothing is said
/// about others.
std::vector<std::string> referenced_files(const std::filesystem::path& file);

}  // namespace tocsin::io
