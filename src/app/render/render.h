// `tocsin render`: a picture of a step and of its contacts, or a sheet of all episodes.
#pragma once

#include "app/cli/exit_status.h"
#include "app/render/render_options.h"

namespace tocsin::app {

ExitStatus run_render(const RenderOptions& options);

}  // namespace tocsin::app
