// load_avatar_model(): a name of a shipped model, or a file.
#include "io/avatar/load_avatar_model.h"

#include <fmt/format.h>

#include <cstddef>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quoted.h"
#include "base/sha256.h"
#include "io/avatar/avatar_json.h"
#include "io/robot/robot_model.h"
#include "io/robot/urdf.h"
#include "tocsin/io.h"

namespace tocsin {
namespace {

/// Bytes. A model of a whole body is some 4 KB, so what is larger than this is another file.
constexpr std::size_t kMaxModelBytes = std::size_t{16} << 20U;

bool means_a_file(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".json") || io::is_urdf(name);
}

Result<AvatarModel> load_robot_model(const std::string& file, io::InputLog* log) {
  const auto robot = io::read_robot(file, "avatar", log);
  if (!robot.ok()) return robot.error();
  io::MeshFiles meshes(log);
  return io::robot_model(*robot, meshes);
}

Result<AvatarModel> load_file(const std::string& file, io::InputLog* log) {
  if (io::is_urdf(file)) return load_robot_model(file, log);
  const Result<std::string> text = io::read_input(file, "avatar", log, kMaxModelBytes);
  if (!text.ok()) return text.error();
  io::MeshFiles meshes(log);
  const io::ModelFolder folder{std::filesystem::path(file).parent_path(), &meshes};
  return io::parse_avatar_model(text.value(), file, &folder);
}

Result<AvatarModel> load_model(const std::string& name_or_file, io::InputLog* log) {
  if (means_a_file(name_or_file)) return load_file(name_or_file, log);
  if (const auto* const model = io::embedded_avatar_model(name_or_file)) {
    if (log != nullptr) log->push_back(io::shipped_input(*model));
    return *io::shipped_avatar_model(model->name);
  }
  return {ErrorCode::kInput,
          fmt::format(
              "there is no avatar model {}; shipped: {}; a path with a '/' or ending in .json or "
              ".urdf is read as a file",
              base::in_quotes(name_or_file), fmt::join(shipped_avatar_models(), ", "))};
}

Result<AvatarModel> read_shipped(const io::EmbeddedAvatarModel& shipped) {
  auto read = io::parse_avatar_model(shipped.text, std::string(shipped.name) + ".json");
  if (!read.ok()) return read;
  AvatarModel model = std::move(read).value();
  model.file.clear();  // it was not read from one
  return model;
}

std::vector<Result<AvatarModel>> read_all_shipped() {
  std::vector<Result<AvatarModel>> out;
  for (const io::EmbeddedAvatarModel& shipped : io::embedded_avatar_models()) {
    out.push_back(read_shipped(shipped));
  }
  return out;
}

}  // namespace

namespace io {

const EmbeddedAvatarModel* embedded_avatar_model(std::string_view name) {
  for (const EmbeddedAvatarModel& model : embedded_avatar_models()) {
    if (model.name == name) return &model;
  }
  return nullptr;
}

const Result<AvatarModel>* shipped_avatar_model(std::string_view name) {
  static const std::vector<Result<AvatarModel>> kModels = read_all_shipped();
  const EmbeddedAvatarModel* const model = embedded_avatar_model(name);
  return model == nullptr
             ? nullptr
             : &kModels[static_cast<std::size_t>(model - embedded_avatar_models().data())];
}

InputRecord shipped_input(const EmbeddedAvatarModel& model) {
  return {"avatar", std::string(model.name), base::sha256_hex(model.text)};
}

Result<AvatarModel> load_avatar_model(const std::string& name_or_file, InputLog* log) {
  try {
    return load_model(name_or_file, log);
  } catch (const std::bad_alloc&) {
    return {ErrorCode::kResource, fmt::format("{}: out of memory", name_or_file)};
  } catch (const std::exception& error) {
    return {ErrorCode::kInput, fmt::format("{}: {}", name_or_file, error.what())};
  }
}

}  // namespace io

Result<AvatarModel> load_avatar_model(const std::string& name_or_file) {
  return io::load_avatar_model(name_or_file, nullptr);
}

std::vector<std::string> shipped_avatar_models() {
  std::vector<std::string> names;
  for (const io::EmbeddedAvatarModel& model : io::embedded_avatar_models()) {
    names.emplace_back(model.name);
  }
  return names;
}

}  // namespace tocsin
