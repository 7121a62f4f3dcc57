// How `tocsin send` gets its connections, and what it says when it gets none.
#pragma once

#include <vector>

#include "app/send.h"
#include "tocsin/client.h"

namespace tocsin::app {

/// Connects, after a look at the token and the TLS files. Errors: as Connection::open(), with a
/// hint; kInput, naming the file: no token, TLS files that are not what they should be.
Status connect(const SendOptions& options, std::vector<Connection>& out);

/// The error, and which option may be missing if it looks so.
Error with_hint(Error error, const SendOptions& options);

/// gRPC writes on standard error what its calls say as well; unless GRPC_VERBOSITY is set, it no
/// longer does. Before the first connection.
void silence_grpc();

}  // namespace tocsin::app
