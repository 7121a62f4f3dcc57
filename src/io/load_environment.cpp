// Picks the reader by the file's extension.
#include "io/load_environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/extension.h"
#include "base/quoted.h"
#include "base/text_file.h"
#include "io/import/assimp_room.h"
#include "io/obj/obj.h"
#include "io/ply/ply.h"
#include "io/vrml/vrml.h"
#include "tocsin/io.h"

namespace tocsin::io {
namespace {

Result<Environment> load_room(const std::filesystem::path& file, const EnvironmentOptions& options,
                              const FolderGuard& guard, InputLog* log) {
  if (!(options.scale > 0.0) || !std::isfinite(options.scale)) {
    return {ErrorCode::kUsage,
            fmt::format("a room's scale must be finite and above 0, is {}", options.scale)};
  }
  const std::string extension = base::lower_extension(file);
  if (extension == ".obj") {
    const Result<std::string> text = read_text_input(file, "environment", log);
    if (!text.ok()) return text.error();
    return parse_obj(text.value(), file.string(), options);
  }
  if (extension == ".ply") {
    const Result<std::string> bytes = read_text_input(file, "environment", log);
    if (!bytes.ok()) return bytes.error();
    return parse_ply(bytes.value(), file.string(), options);
  }
  if (extension == ".wrl" || extension == ".wrz") {  // which says what to do about the latter
    const Result<std::string> text = read_text_input(file, "environment", log);
    if (!text.ok()) return text.error();
    return parse_vrml(text.value(), file.string(), options);
  }
  const std::vector<std::string> others = assimp_room_extensions();
  if (std::find(others.begin(), others.end(), extension) != others.end()) {
    return read_assimp_room(file, options, guard, log);
  }
  return {
      ErrorCode::kInput,
      fmt::format(
          "{}: no room can be read from a file with the extension {} (known: .obj, .ply, {}, .wrl)",
          file.string(), base::in_quotes(extension), fmt::join(others, ", "))};
}

}  // namespace

Result<Environment> load_environment(const std::filesystem::path& file,
                                     const EnvironmentOptions& options, const FolderGuard& guard,
                                     InputLog* log) {
  const Error no_memory{ErrorCode::kResource, fmt::format("{}: out of memory", file.string())};
  try {
    return load_room(file, options, guard, log);
  } catch (const std::bad_alloc&) {
    return no_memory;
  } catch (const std::length_error&) {  // a container that would be larger than memory can be
    return no_memory;
  } catch (const std::exception& error) {
    return {ErrorCode::kInput, fmt::format("{}: {}", file.string(), error.what())};
  }
}

}  // namespace tocsin::io

namespace tocsin {

Result<Environment> load_environment(const std::filesystem::path& file,
                                     const EnvironmentOptions& options) {
  return io::load_environment(file, options, io::FolderGuard::anywhere(), nullptr);
}

}  // namespace tocsin
