#include "app/cli/file_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/text_scanner.h"

namespace tocsin::app {

bool has_extension(const std::string& file, std::initializer_list<std::string_view> extensions) {
  const std::string extension = std::filesystem::path(file).extension().string();
  return std::any_of(extensions.begin(), extensions.end(), [&extension](std::string_view known) {
    return base::same_ignoring_case(extension, known);
  });
}

bool holds_clips(const std::string& file) { return has_extension(file, {".glb", ".gltf", ".fbx"}); }

Result<KnownKind> kind_of(const std::string& file, std::optional<FileKind> told) {
  if (told) return KnownKind{told};
  if (has_extension(file, {".bvh", ".amc", ".asf", ".poses", ".csv"}))
    return KnownKind{FileKind::kMotion};
  if (has_extension(file, {".obj", ".ply", ".stl", ".dae", ".x3d", ".wrl", ".wrz"})) {
    return KnownKind{FileKind::kRoom};
  }
  if (!holds_clips(file)) return KnownKind{};
  auto contents = list_motions(file);
  if (!contents) return contents.error();
  const bool moves = !contents->clips.empty() && !contents->skins.empty();
  return KnownKind{moves ? FileKind::kMotion : FileKind::kRoom, std::move(contents).value()};
}

Status check_options_fit(FileKind kind, const std::string& file, const MotionOptions& reading,
                         const EnvironmentOptions& room) {
  struct Given {
    bool given;
    std::string_view option;
  };
  const bool is_room = kind == FileKind::kRoom;
  for (const Given& g : {Given{is_room && reading.skeleton.has_value(), "--skeleton"},
                         Given{is_room && reading.unit_metres.has_value(), "--motion-unit"},
                         Given{is_room && reading.rate.has_value(), "--rate"},
                         Given{is_room && !reading.clip.empty(), "--clip"},
                         Given{is_room && !reading.skin.empty(), "--skin"},
                         Given{is_room && reading.up != UpAxis::kY, "--motion-up"},
                         Given{!is_room && room.up != UpAxis::kY, "--env-up"},
                         Given{!is_room && room.scale != 1.0, "--env-scale"}}) {
    if (!g.given) continue;
    return Error{ErrorCode::kUsage,
                 fmt::format("{}: {} is read as a {}", g.option, file, is_room ? "room" : "take")};
  }
  return Nothing{};
}

std::string motion_extensions() { return ".bvh, .amc, .glb, .gltf, .fbx, .poses, .csv"; }

std::string room_extensions() { return ".obj, .ply, .stl, .glb, .gltf, .dae, .x3d, .fbx, .wrl"; }

Status refuse_overwriting(std::string_view option, const std::string& output,
                          const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    std::error_code error;
    if (output == input || std::filesystem::equivalent(output, input, error)) {
      return Error{ErrorCode::kUsage,
                   fmt::format("{}: {} is an input and would be overwritten", option, input)};
    }
  }
  return Nothing{};
}

}  // namespace tocsin::app
