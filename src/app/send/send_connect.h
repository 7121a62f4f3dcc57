// Opens the connections of `tocsin send`, with error messages.
#pragma once

#include <vector>

#include "app/send/send_options.h"
#include "tocsin/client.h"

namespace tocsin::app {

/// Connects, after a look at the token and the TLS files. Errors: as Connection::open(), with a
/// hint; kInput, naming the file: no token, TLS files that are not what they should be.
Status connect(const SendOptions& options, std::vector<Connection>& out);

/// The error, and which option may be missing if it looks so.
Error with_hint(Error error, const SendOptions& options);

/// Stops gRPC from writing its errors to standard error as well, unless GRPC_VERBOSITY is set. Call
/// it before the first connection.
void silence_grpc();

}  // namespace tocsin::app
