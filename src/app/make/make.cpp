#include "app/make/make.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "app/cli/saved.h"

namespace tocsin::app {
namespace {

/// Whether all files of a take can be written: said before the first one is.
Status check_formats(const MakeMotionOptions& options) {
  if (Status fits = check_output_format(FileKind::kMotion, options.output); !fits) return fits;
  if (!options.mesh.empty()) {
    if (Status fits = check_output_format(FileKind::kRoom, options.mesh); !fits) return fits;
  }
  if (options.mesh_motion.empty()) return Nothing{};
  return check_output_format(FileKind::kMotion, options.mesh_motion);
}

}  // namespace

ExitStatus run_make_room(const MakeRoomOptions& options) {
  constexpr std::string_view kCommand = "tocsin make-room";
  if (auto fits = check_output_format(FileKind::kRoom, options.output); !fits) {
    return report_failure(kCommand, fits.error());
  }
  const auto room = make_room(options.recipe);
  if (!room) return report_failure(kCommand, room.error());
  return save_and_tell(kCommand, *room, options.output);
}

ExitStatus run_make_motion(const MakeMotionOptions& options) {
  constexpr std::string_view kCommand = "tocsin make-motion";
  if (auto fits = check_formats(options); !fits) return report_failure(kCommand, fits.error());
  const auto motion = make_motion(options.recipe);
  if (!motion) return report_failure(kCommand, motion.error());
  if (options.mesh.empty() && options.mesh_motion.empty()) {
    return save_and_tell(kCommand, *motion, options.output);
  }
  const auto body = make_body(options.recipe);
  if (!body) return report_failure(kCommand, body.error());
  if (!options.mesh_motion.empty() && !body->motion) {
    return report_failure(
        kCommand, {ErrorCode::kUsage, "--mesh-motion: a tool moves with the hand that holds it"});
  }
  ExitStatus status = save_and_tell(kCommand, *motion, options.output);
  if (status == kDone && !options.mesh.empty()) {
    status = save_and_tell(kCommand, body->mesh, options.mesh);
  }
  if (status == kDone && !options.mesh_motion.empty()) {
    status = save_and_tell(kCommand, *body->motion, options.mesh_motion);
  }
  return status;
}

ExitStatus run_make_robot(const MakeRobotOptions& options) {
  constexpr std::string_view kCommand = "tocsin make-robot";
  const std::filesystem::path folder = options.folder;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder, error)) {
    return report_failure(
        kCommand,
        {ErrorCode::kResource, fmt::format("{}: is no folder and cannot be made", options.folder)});
  }
  const auto robot = make_robot();
  if (!robot) return report_failure(kCommand, robot.error());
  for (const auto& [name, text] :
       {std::pair("arm.urdf", &robot->urdf), std::pair("arm.srdf", &robot->srdf),
        std::pair("free.csv", &robot->free_plan), std::pair("hits.csv", &robot->hitting_plan)}) {
    const ExitStatus saved = save_text_and_tell(kCommand, *text, (folder / name).string());
    if (saved != kDone) return saved;
  }
  const ExitStatus saved =
      save_and_tell(kCommand, robot->upper_arm, (folder / "upper_arm.obj").string());
  if (saved != kDone) return saved;
  return save_and_tell(kCommand, robot->cell, (folder / "cell.obj").string());
}

}  // namespace tocsin::app
