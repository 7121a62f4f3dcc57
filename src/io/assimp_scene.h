// A file through assimp: how it is read, checked and handed on, and what its scene says about
// itself. Whatever calls import_scene() does so in a child process (limited_process.h).
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

#include "io/affine.h"
#include "io/limited_process.h"
#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin::io {

/// A file that may be given to assimp.
struct AssimpFile {
  std::string name;       ///< as given, for messages, and for what the file refers to
  std::string extension;  ///< in lower case, with its dot
  std::string bytes;
};

/// Reads it, and looks at it first (nesting.h). Errors (kInput; kResource for want of memory),
/// naming the file.
Result<AssimpFile> read_for_assimp(const std::filesystem::path& path);

/// Wall clock. assimp reads 5 to 100 MB/s; a machine ten times slower, or busy with ten other
/// things, still gets through. The fixed part is for files beside a .gltf, whose sizes are not
/// known here, and for tools that slow a process down twentyfold. Shorter, and honest files are
/// refused on a busy machine; longer, and a hostile one holds its caller up for longer.
inline constexpr std::int64_t kAssimpSeconds = 60;
inline constexpr std::int64_t kAssimpSecondsPerMegabyte = 2;

/// Address space. assimp and our copy of what it makes take up to 40 bytes a byte of file (text
/// formats), and 2^24 triangles of a small file that uses its meshes often take 1 GiB. Less, and
/// honest files are refused; more, and a hostile one can make the machine swap.
inline constexpr std::uint64_t kAssimpMemory = std::uint64_t{4} << 30U;
inline constexpr std::uint64_t kAssimpMemoryPerByte = 64;

/// The limits for a file of that many bytes.
LimitedWork assimp_limits(const std::string& file, std::size_t bytes);

/// The file's scene, without any post-processing; null, and the importer then has an error text
/// (see import_error()). The importer owns it; `file` must outlive the importer.
const aiScene* import_scene(Assimp::Importer& importer, const AssimpFile& file);

/// `file: what assimp says`.
Error import_error(const Assimp::Importer& importer, const AssimpFile& file);

/// The first three rows; nothing if the last is not (0, 0, 0, 1).
std::optional<Affine> affine(const aiMatrix4x4& m);

/// The name of a node or bone of a scene.
std::string_view text_of(const aiString& name);

/// True for the nodes that assimp adds to an FBX file's own for its pivots; their name goes on
/// after that of the node that they belong to.
inline constexpr std::string_view kFbxHelper = "_$AssimpFbx$_";

/// What a file says about its unit and axes, where assimp leaves that to us.
struct StatedFrame {
  double unit_metres = 1.0;
  UpAxis up = UpAxis::kY;
  bool stated = false;                ///< by the file, not by its format: a person should know
  std::vector<std::string> warnings;  ///< without the file's name
};

/// FBX: centimetres times UnitScaleFactor; UpAxis 0, 1, 2 for x, y, z. The others: metres, Y up.
StatedFrame stated_frame(const aiScene& scene, const AssimpFile& file);

}  // namespace tocsin::io
