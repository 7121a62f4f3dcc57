// `tocsin info`: describes a take, a room or an avatar model.
#pragma once

#include "app/cli/exit_status.h"
#include "app/info/info_options.h"

namespace tocsin::app {

ExitStatus run_info(const InfoOptions& options);

}  // namespace tocsin::app
