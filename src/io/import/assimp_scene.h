// Reads, checks and imports a file through assimp, and gets its scene's unit and axes.
// import_scene() must run in a child process (limited_process.h).
#pragma once

#include <assimp/matrix4x4.h>
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/limited_process.h"
#include "io/folder_guard.h"
#include "io/import/affine.h"
#include "io/import/buffer_files.h"
#include "io/input_files.h"
#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// A file that may be given to assimp.
struct AssimpFile {
  std::string name;       ///< as given, for messages, and for what the file refers to
  std::string extension;  ///< in lower case, with its dot
  std::string bytes;
  std::vector<BufferFile> buffers;  ///< that it refers to
};

/// Reads the file and its buffers, and checks it (nesting.h). `role`: of the file, in the log.
/// Errors (kInput; kResource without memory), naming the file; as read_buffers().
Result<AssimpFile> read_for_assimp(const std::filesystem::path& path, const FolderGuard& guard,
                                   std::string_view role, InputLog* log);

/// Wall-clock limit. assimp reads 5 to 100 MB/s. A machine that is ten times slower, or busy with
/// ten other programs, still has enough time. The fixed part is for files beside a .gltf, whose
/// sizes are not known here, and for tools that slow a process down twentyfold. Shorter: honest
/// files are refused on a busy machine. Longer: a hostile file delays its caller for longer.
inline constexpr std::int64_t kAssimpSeconds = 60;
inline constexpr std::int64_t kAssimpSecondsPerMegabyte = 2;

/// Address space. assimp and our copy of what it makes take up to 40 bytes a byte of file (text
/// formats), and 2^24 triangles of a small file that uses its meshes often take 1 GiB. Less: honest
/// files are refused. More: a hostile file can make the machine swap.
inline constexpr std::uint64_t kAssimpMemory = std::uint64_t{4} << 30U;
inline constexpr std::uint64_t kAssimpMemoryPerByte = 64;

/// The limits for a file of that many bytes.
base::LimitedWork assimp_limits(const std::string& file, std::size_t bytes);

/// What import_scene() gives.
struct ImportedScene {
  const aiScene* scene = nullptr;      ///< the importer's
  InputLog read;                       ///< files beyond the buffers
  std::optional<std::string> refused;  ///< the first file that it refers to and may not
};

/// The file's scene, without any post-processing; null, and the importer then has an error text
/// (see import_error()). `guard`: of files beyond the buffers. `file` must outlive the importer.
ImportedScene import_scene(Assimp::Importer& importer, const AssimpFile& file,
                           const FolderGuard& guard);

/// `file: assimp's message`.
Error import_error(const Assimp::Importer& importer, const AssimpFile& file);

/// The first three rows; nothing if the last is not (0, 0, 0, 1).
std::optional<Affine> affine(const aiMatrix4x4& m);

/// The name of a node or bone of a scene.
std::string_view text_of(const aiString& name);

/// True for the nodes that assimp adds to an FBX file's own for its pivots; their name goes on
/// after that of the node that they belong to.
inline constexpr std::string_view kFbxHelper = "_$AssimpFbx$_";

/// The unit and axes that a file states, where assimp does not apply them.
struct StatedFrame {
  double unit_metres = 1.0;
  UpAxis up = UpAxis::kY;
  bool stated = false;                ///< by the file, not by its format: worth a warning
  std::vector<std::string> warnings;  ///< without the file's name
};

/// FBX: centimetres times UnitScaleFactor; UpAxis 0, 1, 2 for x, y, z. The others: metres, Y up.
StatedFrame stated_frame(const aiScene& scene, const AssimpFile& file);

}  // namespace tocsin::io
