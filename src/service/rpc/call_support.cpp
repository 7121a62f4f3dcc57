#include "service/rpc/call_support.h"

#include <grpc/grpc_security_constants.h>
#include <grpcpp/security/auth_context.h>
#include <grpcpp/server_context.h>

#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "service/rpc/switchboard.h"
#include "wire/closing.h"

namespace tocsin::service {
namespace {

/// gRPC puts messages into a header. A client accepts 8 KiB of headers by default, and a longer
/// error becomes another error.
constexpr std::size_t kLongestMessage = 2'000;

/// Header values are escaped byte by byte, so a cut inside a character would only look bad.
std::string cut(std::string message) {
  if (message.size() <= kLongestMessage) return message;
  std::size_t end = kLongestMessage;
  while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0U) == 0x80U) --end;
  message.resize(end);
  return message + "...";
}

std::string certificate_name(const grpc::CallbackServerContext& context) {
  const std::shared_ptr<const grpc::AuthContext> who = context.auth_context();
  if (!who || !who->IsPeerAuthenticated()) return {};
  const std::vector<grpc::string_ref> names = who->FindPropertyValues(GRPC_X509_CN_PROPERTY_NAME);
  return names.size() == 1 ? std::string(names.front().data(), names.front().size()) : "";
}

grpc::StatusCode code_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::kInvalid:
      return grpc::StatusCode::INVALID_ARGUMENT;
    case Refusal::kOverloaded:
      return grpc::StatusCode::RESOURCE_EXHAUSTED;
    case Refusal::kForbidden:
      return grpc::StatusCode::PERMISSION_DENIED;
    case Refusal::kNotFound:
      return grpc::StatusCode::NOT_FOUND;
    case Refusal::kOutOfRange:
      return grpc::StatusCode::OUT_OF_RANGE;
    case Refusal::kTakenOver:
      return grpc::StatusCode::ABORTED;
    case Refusal::kClosing:
      return grpc::StatusCode::UNAVAILABLE;
    case Refusal::kFailed:
      return grpc::StatusCode::INTERNAL;
  }
  return grpc::StatusCode::INTERNAL;
}

grpc::Status status_of(grpc::StatusCode code, const std::string& message) {
  try {
    return {code, cut(message)};
  } catch (const std::bad_alloc&) {
    return {code, std::string()};
  }
}

grpc::StatusCode code_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
    case ErrorCode::kInput:
      return grpc::StatusCode::INVALID_ARGUMENT;
    case ErrorCode::kUnavailable:
      return grpc::StatusCode::FAILED_PRECONDITION;
    case ErrorCode::kResource:
      return grpc::StatusCode::RESOURCE_EXHAUSTED;
    case ErrorCode::kCancelled:
      return grpc::StatusCode::CANCELLED;
  }
  return grpc::StatusCode::INTERNAL;
}

}  // namespace

std::shared_ptr<Principal> admit(const grpc::CallbackServerContext& context,
                                 const Switchboard& board, grpc::Status& refusal) {
  if (board.closing) {
    refusal = closing_status();
    return nullptr;
  }
  const auto [first, last] = context.client_metadata().equal_range("authorization");
  std::optional<std::string_view> authorization;
  for (auto at = first; at != last; ++at) {
    if (authorization) {
      refusal = {grpc::StatusCode::UNAUTHENTICATED, "more than one authorization was sent"};
      return nullptr;
    }
    authorization = std::string_view(at->second.data(), at->second.size());
  }
  std::shared_ptr<Principal> principal =
      board.access->admit(authorization, certificate_name(context));
  if (!principal) {
    refusal = {grpc::StatusCode::UNAUTHENTICATED,
               authorization ? "the token is not known here"
                             : "a token is needed (authorization: Bearer ...)"};
  }
  return principal;
}

grpc::Status to_status(const Problem& problem) {
  return status_of(code_of(problem.refusal), problem.message);
}

grpc::Status to_status(const Error& error) { return status_of(code_of(error.code), error.message); }

grpc::Status closing_status() {
  return {grpc::StatusCode::UNAVAILABLE, std::string(wire::kClosingReason)};
}

grpc::Status out_of_memory_status() { return {grpc::StatusCode::INTERNAL, "out of memory"}; }

grpc::Status not_serialized_status() {
  return {grpc::StatusCode::INTERNAL, "an answer is too large to be sent"};
}

}  // namespace tocsin::service
