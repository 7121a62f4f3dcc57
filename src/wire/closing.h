// What a server that closes says; part of the contract (collision.proto), as clients go by it.
#pragma once

#include <string_view>

namespace tocsin::wire {

/// The message of UNAVAILABLE, for calls and streams that the server ends, or does not take any
/// more, because it closes. Another word here, and clients take it for a broken connection.
inline constexpr std::string_view kClosingReason = "the server is shutting down";

}  // namespace tocsin::wire
