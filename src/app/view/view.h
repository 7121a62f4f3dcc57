// `tocsin view`: a window that plays what is proved.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/exit_status.h"
#include "app/cli/interrupt.h"
#include "app/cli/options.h"
#include "app/view/shown_server.h"

namespace tocsin::app {

struct ViewOptions {
  /// The check, and how its inputs are read. Of a report: its file is the first take's motion.
  CheckOptions check;
  bool report = false;
  std::optional<ShownServer> server;  ///< its sessions are shown, and nothing is checked
  int width = 1280;
  int height = 720;
  std::optional<double> scale;
  bool offscreen = false;
  std::string script;  ///< its file; empty: a person
  std::string folder = ".";
};

/// The least and greatest --size, points.
inline constexpr int kLeastWindow = 64;
inline constexpr int kMostWindow = 8192;

/// The first signal closes the window: status 4.
ExitStatus run_view(const ViewOptions& options, InterruptWatch& interrupt);

}  // namespace tocsin::app
