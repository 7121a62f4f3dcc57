// Support for all calls: admission of the caller, and errors as gRPC statuses.
#pragma once

#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/impl/codegen/status.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/proto_buffer_reader.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "service/access/access.h"
#include "service/access/admission.h"
#include "service/session/problem.h"
#include "tocsin/result.h"
#include "wire/message_cost.h"

namespace grpc {
class CallbackServerContext;
}

namespace tocsin::service {

class Session;
struct Switchboard;

/// The address of a call's client. `peer`: as gRPC writes it: "ipv4:192.0.2.7:40817",
/// "ipv6:%5B2001:db8::1%5D:40817", "unix:...".
Caller caller_of(const std::string& peer);

/// Admits the caller by its bearer token, or by the name in the client certificate that TLS has
/// verified and that is not revoked (Admission). Null: `refusal` says why (UNAUTHENTICATED;
/// RESOURCE_EXHAUSTED: too many failures; UNAVAILABLE once the server closes).
std::shared_ptr<Principal> admit(const grpc::CallbackServerContext& context, Switchboard& board,
                                 grpc::Status& refusal);

/// Logs what a client does. `principal`, `session`: null: none. Never throws.
void log_event(const Switchboard& board, const grpc::CallbackServerContext& context,
               std::string_view event, const Principal* principal, const Session* session,
               const grpc::Status& cause = grpc::Status::OK);

/// Counts and logs a call that the server ends with this status, if it is an error of the client's
/// or the server's. Call before Finish(). Never throws.
void note_refusal(const Switchboard& board, const grpc::CallbackServerContext& context,
                  const grpc::Status& status, const Principal* principal = nullptr,
                  const Session* session = nullptr);

/// Neither throws: without memory for the message only the code is sent.
grpc::Status to_status(const Problem& problem);
/// kUsage and kInput become INVALID_ARGUMENT, kResource RESOURCE_EXHAUSTED.
grpc::Status to_status(const Error& error);

/// The status for clients while the server closes.
grpc::Status closing_status();

/// The status for clients when memory is out. Short enough to be made without allocation.
grpc::Status out_of_memory_status();

/// A text for people, on one line: control characters become '?'. A message may repeat what a file
/// or a client said.
std::string shown(const std::string& message);

/// What a received message may take in memory, by `cost` and its `bytes`. Refusals: more than
/// four times its bytes and kLeastMemory; too many unknown fields.
grpc::Status check_cost(const wire::MessageCost& cost, std::size_t bytes);

/// Bytes. A skeleton of 16,384 joints without names takes so much. Larger: many small messages
/// could fill the memory.
inline constexpr std::uint64_t kLeastMemory = std::uint64_t{8} << 20U;

/// Parses a received message and empties `bytes`. Fields that this version does not know are
/// dropped. `memory`: what it takes. Refusals: INVALID_ARGUMENT: no such message, many unknown
/// fields; RESOURCE_EXHAUSTED: it would take too much memory.
template <class Message>
grpc::Status parse(grpc::ByteBuffer& bytes, Message& out, std::uint64_t& memory) {
  std::optional<wire::MessageCost> cost;
  const std::size_t size = bytes.Length();
  {
    grpc::ProtoBufferReader reader(&bytes);
    cost = wire::message_cost(*Message::descriptor(), reader);
  }
  grpc::Status status;
  if (cost) status = check_cost(*cost, size);
  if (!cost ||
      (status.ok() && !grpc::SerializationTraits<Message>::Deserialize(&bytes, &out).ok())) {
    status = {grpc::StatusCode::INVALID_ARGUMENT,
              "a message that is no " + Message::descriptor()->name()};
  }
  bytes.Clear();
  if (!status.ok()) return status;
  memory = cost->memory;
  if (cost->unknown > 0) out.DiscardUnknownFields();
  return status;
}

/// The status where the server has no memory for what was asked.
grpc::Status no_memory_status();

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
