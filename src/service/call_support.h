// What every call needs of gRPC: who calls, and how an error is told.
#pragma once

#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/impl/codegen/status.h>
#include <grpcpp/support/byte_buffer.h>

#include <memory>
#include <string>

#include "service/access.h"
#include "service/session.h"
#include "tocsin/result.h"

namespace grpc {
class CallbackServerContext;
}

namespace tocsin::service {

struct Switchboard;

/// Lets the caller in: by its bearer token, or by the common name of the client certificate that
/// TLS has verified. Null: `refusal` says why (UNAUTHENTICATED; UNAVAILABLE once the server
/// closes).
std::shared_ptr<Principal> admit(const grpc::CallbackServerContext& context,
                                 const Switchboard& board, grpc::Status& refusal);

/// Neither throws: where there is no memory for the message, only the code is told.
grpc::Status to_status(const Problem& problem);
/// kUsage and kInput become INVALID_ARGUMENT, kResource RESOURCE_EXHAUSTED.
grpc::Status to_status(const Error& error);

/// What clients are told while the server closes.
grpc::Status closing_status();

/// What clients are told where memory is out. Short enough to be made without any.
grpc::Status out_of_memory_status();

/// A message's bytes. False, and `out` is empty: there are none; it must not be sent then, as it
/// would arrive as a message without anything in it.
template <class Message>
bool serialize(const Message& message, grpc::ByteBuffer& out) {
  bool own = false;
  if (grpc::SerializationTraits<Message>::Serialize(message, &out, &own).ok()) return true;
  out.Clear();
  return false;
}

/// What a stream is told whose next message cannot be made.
grpc::Status not_serialized_status();

}  // namespace tocsin::service
