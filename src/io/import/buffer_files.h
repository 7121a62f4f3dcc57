// The buffer files of a glTF file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/folder_guard.h"
#include "io/input_files.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Bytes. assimp's importers hold several copies of a file; a room beyond this needs its own
/// format.
inline constexpr std::size_t kMaxRoomBytes = std::size_t{1} << 31U;

/// Buffer files of one glTF file. Exporters write one, or one a mesh. More than this is hostile: it
/// would have us open as many files.
inline constexpr std::size_t kMostBuffers = 4096;

/// A buffer, read.
struct BufferFile {
  std::string file;  ///< its path
  std::string bytes;
};

/// Reads the buffer files that the bytes of a .gltf or .glb name, in the file's order, each once,
/// so that what is hashed is what is parsed. None for other formats; of broken JSON those before
/// the break. A buffer that is missing, or no regular file, is left out, because nothing may use
/// it; with a log it is an error. Memory beyond the buffers: that of their names, not of the JSON.
/// Errors: kUsage: a buffer that `guard` does not allow; kInput: more than kMostBuffers; a buffer
/// that cannot be read.
Result<std::vector<BufferFile>> read_buffers(const std::filesystem::path& file,
                                             std::string_view bytes, const FolderGuard& guard,
                                             InputLog* log);

/// The path of the buffer that a glTF file names so, beside it.
std::string buffer_path(const std::filesystem::path& file, const std::string& uri);

/// The file path of a URI: %XX means a byte (RFC 3986, section 2.1). If a file of the undecoded
/// name exists, that name is used, because some exporters do not encode.
std::string decoded_path(const std::string& path);

}  // namespace tocsin::io
