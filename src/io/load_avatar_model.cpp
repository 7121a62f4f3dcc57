// load_avatar_model: a name of a shipped model, or a file.
#include <fmt/format.h>

#include <cstddef>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "io/avatar_json.h"
#include "io/embedded_avatar_models.h"
#include "io/text_file.h"
#include "scene/quoted.h"
#include "tocsin/io.h"

namespace tocsin {
namespace {

/// Bytes. A model of a whole body is some 4 KB, so what is larger than this is another file.
constexpr std::size_t kMaxModelBytes = std::size_t{16} << 20U;

bool means_a_file(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".json");
}

Result<AvatarModel> load_file(const std::string& file) {
  const Result<std::string> text = io::read_file(file, kMaxModelBytes);
  if (!text.ok()) return text.error();
  return io::parse_avatar_model(text.value(), file);
}

Result<AvatarModel> load_model(const std::string& name_or_file) {
  if (means_a_file(name_or_file)) return load_file(name_or_file);
  for (const io::EmbeddedAvatarModel& model : io::embedded_avatar_models()) {
    if (model.name != name_or_file) continue;
    Result<AvatarModel> parsed =
        io::parse_avatar_model(model.text, std::string(model.name) + ".json");
    parsed.file.clear();  // it was not read from one
    return parsed;
  }
  return {ErrorCode::kInput,
          fmt::format(
              "there is no avatar model {}; shipped: {}; a path with a '/' or ending in .json is "
              "read as a file",
              scene::in_quotes(name_or_file), fmt::join(shipped_avatar_models(), ", "))};
}

}  // namespace

Result<AvatarModel> load_avatar_model(const std::string& name_or_file) {
  try {
    return load_model(name_or_file);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, fmt::format("{}: out of memory", name_or_file)};
  } catch (const std::exception& error) {
    return {ErrorCode::kInput, fmt::format("{}: {}", name_or_file, error.what())};
  }
}

std::vector<std::string> shipped_avatar_models() {
  std::vector<std::string> names;
  for (const io::EmbeddedAvatarModel& model : io::embedded_avatar_models()) {
    names.emplace_back(model.name);
  }
  return names;
}

}  // namespace tocsin
