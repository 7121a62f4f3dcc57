// tocsin::save_motion: hands a motion to the writer of its file's format.
#include <fmt/format.h>

#include <new>
#include <stdexcept>

#include "base/extension.h"
#include "io/bvh/write_bvh.h"
#include "io/gltf/motion_glb.h"
#include "io/poses/poses.h"
#include "tocsin/io.h"

namespace tocsin {
namespace {

Result<SaveNotes> save(const Motion& motion, const std::filesystem::path& file) {
  const std::string extension = base::lower_extension(file);
  if (extension == ".bvh") return io::write_bvh(motion, file);
  if (extension == ".glb") {
    const Status written = io::write_motion_glb(motion, file);
    if (!written.ok()) return written.error();
    return SaveNotes{};
  }
  if (extension == ".poses") return io::save_poses(motion, file);
  return {
      ErrorCode::kUsage,
      fmt::format("{}: not a kind of motion that Tocsin writes; it writes .bvh, .glb and .poses",
                  file.string())};
}

}  // namespace

Result<SaveNotes> save_motion(const Motion& motion, const std::filesystem::path& file) {
  const Error no_memory{ErrorCode::kResource, fmt::format("{}: not enough memory", file.string())};
  try {
    return save(motion, file);
  } catch (const std::bad_alloc&) {
    return no_memory;
  } catch (const std::length_error&) {  // a container that would be larger than memory can be
    return no_memory;
  }
}

}  // namespace tocsin
