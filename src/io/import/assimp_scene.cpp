#include "io/import/assimp_scene.h"

#include <assimp/config.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "base/extension.h"
#include "base/quoted.h"
#include "io/import/assimp_files.h"
#include "io/import/nesting.h"

namespace tocsin::io {
namespace {

/// The decimal that a file says, of which assimp keeps a float: 2.54, not 2.5399999618530273.
double as_written(float value) {
  const std::string text = fmt::format("{}", value);
  double number = static_cast<double>(value);
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

Result<AssimpFile> read_for_assimp(const std::filesystem::path& path, const FolderGuard& guard,
                                   std::string_view role, InputLog* log) {
  AssimpFile file;
  file.name = path.string();
  file.extension = base::lower_extension(path);
  const bool text =
      file.extension == ".dae" || file.extension == ".x3d" || file.extension == ".gltf";
  Result<std::string> bytes = text ? read_text_input(path, role, log, kMaxRoomBytes)
                                   : read_input(path, role, log, kMaxRoomBytes);
  if (!bytes.ok()) return bytes.error();
  file.bytes = std::move(bytes).value();
  if (const std::string fault = nesting_fault(file.bytes, file.extension); !fault.empty()) {
    return {ErrorCode::kInput, fmt::format("{}: {}", file.name, fault)};
  }
  Result<std::vector<BufferFile>> buffers = read_buffers(path, file.bytes, guard, log);
  if (!buffers.ok()) return buffers.error();
  file.buffers = std::move(*buffers);
  return file;
}

base::LimitedWork assimp_limits(const std::string& file, std::size_t bytes) {
  const std::chrono::seconds time(kAssimpSeconds + kAssimpSecondsPerMegabyte *
                                                       static_cast<std::int64_t>(bytes >> 20U));
  return {file, "assimp", time, kAssimpMemory + kAssimpMemoryPerByte * bytes};
}

ImportedScene import_scene(Assimp::Importer& importer, const AssimpFile& file,
                           const FolderGuard& guard) {
  auto* const files = new RoomFiles(file.name, file.bytes, file.buffers, guard);
  importer.SetIOHandler(files);  // which the importer then owns
  const aiScene* const scene = importer.ReadFile(file.name, 0);
  return {scene, files->read(), files->refused()};
}

Error import_error(const Assimp::Importer& importer, const AssimpFile& file) {
  return {ErrorCode::kInput,
          fmt::format("{}: {}", file.name, base::escaped(importer.GetErrorString(), 500))};
}

std::optional<Affine> affine(const aiMatrix4x4& m) {
  if (m.d1 != 0.0F || m.d2 != 0.0F || m.d3 != 0.0F || m.d4 != 1.0F) return std::nullopt;
  return Affine{{{{m.a1, m.a2, m.a3}, {m.b1, m.b2, m.b3}, {m.c1, m.c2, m.c3}}}, {m.a4, m.b4, m.c4}};
}

std::string_view text_of(const aiString& name) { return {name.data, name.length}; }

StatedFrame stated_frame(const aiScene& scene, const AssimpFile& file) {
  StatedFrame frame;
  if (file.extension != ".fbx") return frame;
  const aiMetadata* data = scene.mMetaData;
  const auto whole = [data](const char* key, std::int32_t otherwise) {
    std::int32_t value = otherwise;
    return data != nullptr && data->Get(key, value) ? value : otherwise;
  };
  float factor = 1.0F;
  if (data != nullptr) data->Get("UnitScaleFactor", factor);
  frame.unit_metres = as_written(factor) / 100.0;
  constexpr std::array<UpAxis, 3> kAxes{UpAxis::kX, UpAxis::kY, UpAxis::kZ};
  const std::int32_t up = whole("UpAxis", 1);
  const bool usual = up >= 0 && up <= 2 && whole("UpAxisSign", 1) == 1;
  if (usual) {
    frame.up = kAxes[static_cast<std::size_t>(up)];
  } else {
    frame.warnings.emplace_back("states an up axis that is not +X, +Y or +Z; it is read as +Y");
  }
  frame.stated = true;
  return frame;
}

}  // namespace tocsin::io
