#include "app/info.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "app/info_parts.h"
#include "io/output_file.h"
#include "app/words.h"
#include "io/text_scanner.h"
#include "tocsin/io.h"

namespace tocsin::app {
namespace {

enum class Kind { kMotion, kRoom, kAvatarModel, kUnknown };

Kind kind_of(const std::string& file) {
  constexpr std::array<std::string_view, 3> kMotions{".bvh", ".amc", ".asf"};
  constexpr std::array<std::string_view, 8> kRooms{".obj",  ".ply", ".stl", ".glb",
                                                   ".gltf", ".dae", ".x3d", ".fbx"};
  const std::string extension = std::filesystem::path(file).extension().string();
  const auto matches = [&extension](std::string_view known) {
    return io::same_ignoring_case(extension, known);
  };
  if (std::any_of(kMotions.begin(), kMotions.end(), matches)) return Kind::kMotion;
  if (std::any_of(kRooms.begin(), kRooms.end(), matches)) return Kind::kRoom;
  if (matches(".json")) return Kind::kAvatarModel;
  const auto shipped = shipped_avatar_models();
  const bool is_shipped = std::find(shipped.begin(), shipped.end(), file) != shipped.end();
  return is_shipped ? Kind::kAvatarModel : Kind::kUnknown;
}

Result<Description> describe(const InfoOptions& options) {
  switch (kind_of(options.file)) {
    case Kind::kMotion:
      return describe_motion(options);
    case Kind::kRoom:
      return describe_room(options);
    case Kind::kAvatarModel:
      return describe_avatar_model(options);
    case Kind::kUnknown:
      break;
  }
  return {
      ErrorCode::kInput,
      fmt::format(
          "{}: not a known kind of file; expected a take (.bvh), a room (.obj, .ply, .stl, .glb, "
          ".gltf, .dae, .x3d, .fbx) or an avatar model (.json, or one of {})",
          options.file, listed(shipped_avatar_models()))};
}

}  // namespace

ExitStatus run_info(const InfoOptions& options) {
  const auto description = describe(options);
  if (!description) {
    print_error("tocsin info", description.error().message);
    return exit_status(description.error().code);
  }
  for (const std::string& warning : description.warnings) print_warning("tocsin info", warning);
  const Status status = io::write_to_standard_output(description.text);
  if (status) return kDone;
  print_error("tocsin info", status.error().message);
  return exit_status(status.error().code);
}

}  // namespace tocsin::app
