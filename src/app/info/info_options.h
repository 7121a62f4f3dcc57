// What `tocsin info` is asked for.
#pragma once

#include <optional>
#include <string>

#include "app/cli/options.h"

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

}  // namespace tocsin::app
