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

/// The file that a path made of a URI means: %XX stands for a byte there (RFC 3986, section 2.1).
/// The path as it is where a file of that very name exists, as some exporters do not encode.
std::string decoded_path(const std::string& path);

}  // namespace tocsin::io
