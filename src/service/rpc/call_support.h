// Support for all calls: admission of the caller, and errors as gRPC statuses.
#pragma once

#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/impl/codegen/status.h>
#include <grpcpp/support/byte_buffer.h>

#include <memory>
#include <string>

#include "service/access/access.h"
#include "service/session/problem.h"
#include "tocsin/result.h"

namespace grpc {
class CallbackServerContext;
}

namespace tocsin::service {

struct Switchboard;

/// Admits the caller by its bearer token, or by the common name of the client certificate that TLS
/// has verified. Null: `refusal` says why (UNAUTHENTICATED; UNAVAILABLE once the server closes).
std::shared_ptr<Principal> admit(const grpc::CallbackServerContext& context,
                                 const Switchboard& board, grpc::Status& refusal);

/// Neither throws: without memory for the message only the code is sent.
grpc::Status to_status(const Problem& problem);
/// kUsage and kInput become INVALID_ARGUMENT, kResource RESOURCE_EXHAUSTED.
grpc::Status to_status(const Error& error);

/// The status for clients while the server closes.
grpc::Status closing_status();

/// The status for clients when memory is out. Short enough to be made without allocation.
grpc::Status out_of_memory_status();

/// Serializes a message. False: it failed, and `out` is empty. Then it must not be sent, because it
/// would arrive as an empty message.
template <class Message>
bool serialize(const Message& message, grpc::ByteBuffer& out) {
  bool own = false;
  if (grpc::SerializationTraits<Message>::Serialize(message, &out, &own).ok()) return true;
  out.Clear();
  return false;
}

/// The status for a stream whose next message cannot be serialized.
grpc::Status not_serialized_status();

}  // namespace tocsin::service
