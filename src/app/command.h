// What the command line asks for: one of the commands, with its options.
#pragma once

#include <string>
#include <variant>

#include "app/check/check_command.h"
#include "app/cli/options.h"
#include "app/convert/convert.h"
#include "app/devices/devices.h"
#include "app/export/export.h"
#include "app/info/info_options.h"
#include "app/make/make.h"
#include "app/render/render.h"
#include "app/report/report_options.h"
#include "app/selftest/selftest.h"
#include "app/send/send_options.h"
#include "app/serve/serve_options.h"
#include "app/status/status.h"
#include "app/update/update.h"
#include "app/validate/validate.h"
#include "app/verify/verify.h"
#include "app/view/view.h"
#include "app/watch/watch.h"

namespace tocsin::app {

/// Requested text (help, version), or the help that is shown without arguments.
struct ShowText {
  std::string text;
  bool wrong_usage = false;
};

using Command = std::variant<CheckCommand, InfoOptions, VerifyOptions, ConvertOptions,
                             MakeRoomOptions, MakeMotionOptions, MakeRobotOptions, DevicesOptions,
                             ValidateOptions, RenderOptions, SelftestOptions, ServeOptions,
                             SendOptions, StatusOptions, SessionsOptions, UpdateOptions,
                             FollowOptions, ExportOptions, ReportOptions, ViewOptions, ShowText>;

}  // namespace tocsin::app
