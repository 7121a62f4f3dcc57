// `tocsin devices`.
#pragma once

#include "app/cli/exit_status.h"

namespace tocsin::app {

/// It takes no options but --help.
struct DevicesOptions {};

/// Shows the table. A machine without any device is no failure.
ExitStatus run_devices(const DevicesOptions& options);

}  // namespace tocsin::app
