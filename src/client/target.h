// Targets of connections.
#pragma once

#include <string>

#include "tocsin/result.h"

namespace tocsin::detail {

/// Errors (kUsage): neither HOST:PORT, [IPv6]:PORT nor unix:/path.
Status check_target(const std::string& target);

/// True for targets on this machine: localhost, 127.0.0.0/8, [::1], unix:. Only the text is tested:
/// no name is looked up.
bool is_loopback(const std::string& target);

}  // namespace tocsin::detail
