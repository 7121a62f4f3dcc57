// The command line: which words `tocsin` understands.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "app/convert.h"
#include "app/devices.h"
#include "app/info.h"
#include "app/make.h"
#include "app/options.h"
#include "app/render.h"
#include "app/send.h"
#include "app/serve.h"
#include "app/validate.h"
#include "app/verify.h"

namespace tocsin::app {

/// Text that was asked for (help, version), or help that is shown because nothing was asked for.
struct ShowText {
  std::string text;
  bool wrong_usage = false;
};

using Command = std::variant<CheckOptions, InfoOptions, VerifyOptions, ConvertOptions,
                             MakeRoomOptions, MakeMotionOptions, DevicesOptions, ValidateOptions,
                             RenderOptions, ServeOptions, SendOptions, ShowText>;

/// Reads the arguments. Throws UsageError with a sentence that names the option.
Command parse_command_line(int argc, const char* const* argv);

}  // namespace tocsin::app
