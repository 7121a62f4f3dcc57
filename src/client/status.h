// What gRPC says, in Tocsin's words.
#pragma once

#include <grpcpp/support/status.h>

#include <string>

#include "tocsin/client.h"
#include "tocsin/result.h"

namespace tocsin::detail {

/// A call that failed: kInput with the server's own message if the server refused; kResource, with
/// the target before gRPC's message, if it could not be asked or did not answer.
Error error_of(const grpc::Status& status, const std::string& target);

/// How a stream that ended with this status ended; `ended`, `closing`: whether the server had sent
/// that message.
StreamEnd end_of(const grpc::Status& status, bool ended, bool closing);

}  // namespace tocsin::detail
