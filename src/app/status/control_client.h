// Asks a server on this machine, by its socket file (`serve --control`).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "tocsin/result.h"

namespace tocsin::app {

struct ControlAnswer {
  int status = 0;  ///< HTTP's
  std::string body;
};

/// `method`: "GET" or "POST"; `target`: "/status". Waits for the answer for ten seconds at most.
/// Errors: kUsage: a path that no socket file can have; kResource: no server there, or one that
/// does not answer; kInput: a `target` that no request can have.
Result<ControlAnswer> ask_server(const std::filesystem::path& socket_file, std::string_view method,
                                 std::string_view target);

/// The socket file of a server about which nothing was said: $RUNTIME_DIRECTORY/control.sock, as
/// the server makes it under systemd, else /run/tocsin/control.sock, that of the package's service.
std::filesystem::path usual_control();

}  // namespace tocsin::app
