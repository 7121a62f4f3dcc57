// `tocsin convert`: a take or a room in another format.
#pragma once

#include <optional>
#include <string>

#include "app/cli/exit_status.h"
#include "app/cli/options.h"

namespace tocsin::app {

struct ConvertOptions {
  std::string input;
  std::string output;
  std::optional<FileKind> as;  ///< none: by the files
  MotionOptions reading;
  EnvironmentOptions room;
};

ExitStatus run_convert(const ConvertOptions& options);

}  // namespace tocsin::app
