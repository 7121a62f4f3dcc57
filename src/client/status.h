// gRPC's statuses as Tocsin's errors.
#pragma once

#include <grpcpp/support/status.h>

#include <string>

#include "tocsin/client.h"
#include "tocsin/result.h"

namespace tocsin::detail {

/// The error of a failed call: kInput with the server's message if the server refused; kResource,
/// with the target before gRPC's message, if the server was not reached or did not answer.
Error error_of(const grpc::Status& status, const std::string& target);

/// How a stream that ended with this status ended; `ended`, `closing`: whether the server had sent
/// that message.
StreamEnd end_of(const grpc::Status& status, bool ended, bool closing);

}  // namespace tocsin::detail
