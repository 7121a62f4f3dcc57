#include "app/make/make.h"

#include "app/cli/saved.h"

namespace tocsin::app {

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
  if (auto fits = check_output_format(FileKind::kMotion, options.output); !fits) {
    return report_failure(kCommand, fits.error());
  }
  const auto motion = make_motion(options.recipe);
  if (!motion) return report_failure(kCommand, motion.error());
  return save_and_tell(kCommand, *motion, options.output);
}

}  // namespace tocsin::app
