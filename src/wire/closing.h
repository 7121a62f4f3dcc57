// The message of a closing server. Clients depend on it, so it is part of the contract
// (collision.proto).
#pragma once

#include <string_view>

namespace tocsin::wire {

/// The message of UNAVAILABLE, for calls and streams that a closing server ends or refuses. Clients
/// treat any other message as a broken connection.
inline constexpr std::string_view kClosingReason = "the server is shutting down";

}  // namespace tocsin::wire
