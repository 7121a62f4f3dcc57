// `tocsin status` and `tocsin sessions`: a server that runs on this machine.
#pragma once

#include <filesystem>
#include <string>

#include "app/cli/exit_status.h"

namespace tocsin::app {

struct StatusOptions {
  std::filesystem::path control;  ///< the server's socket file
  bool json = false;              ///< as the server says it
};

struct SessionsOptions {
  std::filesystem::path control;
  bool json = false;
  std::string end;  ///< the session to be ended; empty: they are listed
};

/// Shows how the server is. kFound: it is not ready.
ExitStatus run_status(const StatusOptions& options);
/// Lists its sessions, or ends one.
ExitStatus run_sessions(const SessionsOptions& options);

}  // namespace tocsin::app
