// save_environment: picks the writer by the file's extension.
#include <fmt/format.h>

#include <exception>
#include <new>
#include <string>

#include "base/extension.h"
#include "base/quoted.h"
#include "io/gltf/room_glb.h"
#include "io/obj/write_obj.h"
#include "io/ply/write_ply.h"
#include "tocsin/io.h"

namespace tocsin {

Status save_environment(const Environment& environment, const std::filesystem::path& file) {
  try {
    const std::string extension = base::lower_extension(file);
    if (extension == ".obj") return io::write_obj(environment, file);
    if (extension == ".ply") return io::write_ply(environment, file);
    if (extension == ".glb") return io::write_room_glb(environment, file);
    return {ErrorCode::kUsage,
            fmt::format("{}: no room can be written to a file with the extension {} (known: .obj, "
                        ".ply, .glb)",
                        file.string(), base::in_quotes(extension))};
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, fmt::format("{}: out of memory", file.string())};
  } catch (const std::exception& error) {
    return {ErrorCode::kResource, fmt::format("{}: {}", file.string(), error.what())};
  }
}

}  // namespace tocsin
