// `tocsin info`: what is in a take, a room or an avatar model.
#pragma once

#include <optional>
#include <string>

#include "app/exit_status.h"
#include "app/options.h"

namespace tocsin::app {

struct InfoOptions {
  std::string file;
  bool tree = false;  ///< show the tree of joints
  bool all = false;   ///< show every object
  bool json = false;
  std::optional<FileKind> as;  ///< none: by the file
  MotionOptions reading;
  EnvironmentOptions room;
};

ExitStatus run_info(const InfoOptions& options);

}  // namespace tocsin::app
