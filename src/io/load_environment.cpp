// load_environment: picks the reader by the file's extension.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "io/assimp_room.h"
#include "io/extension.h"
#include "io/obj.h"
#include "io/ply.h"
#include "io/text_file.h"
#include "io/vrml.h"
#include "scene/quoted.h"
#include "tocsin/io.h"

namespace tocsin {
namespace {

Result<Environment> load_room(const std::filesystem::path& file,
                              const EnvironmentOptions& options) {
  if (!(options.scale > 0.0) || !std::isfinite(options.scale)) {
    return {ErrorCode::kUsage,
            fmt::format("a room's scale must be finite and above 0, is {}", options.scale)};
  }
  const std::string extension = io::lower_extension(file);
  if (extension == ".obj") {
    const Result<std::string> text = io::read_file(file);
    if (!text.ok()) return text.error();
    return io::parse_obj(text.value(), file.string(), options);
  }
  if (extension == ".ply") {
    const Result<std::string> bytes = io::read_file(file);
    if (!bytes.ok()) return bytes.error();
    return io::parse_ply(bytes.value(), file.string(), options);
  }
  if (extension == ".wrl" || extension == ".wrz") {  // which says what to do about the latter
    const Result<std::string> text = io::read_file(file);
    if (!text.ok()) return text.error();
    return io::parse_vrml(text.value(), file.string(), options);
  }
  const std::vector<std::string> others = io::assimp_room_extensions();
  if (std::find(others.begin(), others.end(), extension) != others.end()) {
    return io::read_assimp_room(file, options);
  }
  return {
      ErrorCode::kInput,
      fmt::format(
          "{}: no room can be read from a file with the extension {} (known: .obj, .ply, {}, .wrl)",
          file.string(), scene::in_quotes(extension), fmt::join(others, ", "))};
}

}  // namespace

Result<Environment> load_environment(const std::filesystem::path& file,
                                     const EnvironmentOptions& options) {
  const Error no_memory{ErrorCode::kResource, fmt::format("{}: out of memory", file.string())};
  try {
    return load_room(file, options);
  } catch (const std::bad_alloc&) {
    return no_memory;
  } catch (const std::length_error&) {  // a container that would be larger than memory can be
    return no_memory;
  } catch (const std::exception& error) {
    return {ErrorCode::kInput, fmt::format("{}: {}", file.string(), error.what())};
  }
}

}  // namespace tocsin
