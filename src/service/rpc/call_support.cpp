#include "service/rpc/call_support.h"

#include <fmt/format.h>
#include <grpc/grpc_security_constants.h>
#include <grpcpp/security/auth_context.h>
#include <grpcpp/server_context.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_text.h"
#include "service/access/names.h"
#include "service/rpc/connection_counts.h"
#include "service/rpc/switchboard.h"
#include "wire/closing.h"

namespace tocsin::service {
namespace {

/// gRPC puts messages into a header. A client accepts 8 KiB of headers by default, and a longer
/// error becomes another error.
constexpr std::size_t kLongestMessage = 2'000;

/// Fields of a message that this version does not know. A later version may have some in every
/// frame. Each takes up to sixty times its bytes.
constexpr std::uint64_t kMostUnknown = 4096;

/// Header values are escaped byte by byte, so a cut inside a character would only look bad.
std::string cut(std::string message) {
  if (message.size() <= kLongestMessage) return message;
  std::size_t end = kLongestMessage;
  while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0U) == 0x80U) --end;
  message.resize(end);
  return message + "...";
}

/// The only value of that property; empty: none, or several, which would be ambiguous.
std::string only_value(const grpc::AuthContext& who, const char* property) {
  const std::vector<grpc::string_ref> names = who.FindPropertyValues(property);
  return names.size() == 1 ? std::string(names.front().data(), names.front().size()) : "";
}

/// The name of the certificate that TLS has verified: its URI, else its DNS name, else its common
/// name. Empty: none that is usable.
std::string certificate_name(const grpc::CallbackServerContext& context) {
  const std::shared_ptr<const grpc::AuthContext> who = context.auth_context();
  if (!who) return {};
  for (const char* const property :
       {GRPC_PEER_URI_PROPERTY_NAME, GRPC_PEER_DNS_PROPERTY_NAME, GRPC_X509_CN_PROPERTY_NAME}) {
    if (who->FindPropertyValues(property).empty()) continue;
    std::string name = only_value(*who, property);
    return is_name(name) && name != kAnyone ? name : std::string();
  }
  return {};
}

/// Why a client certificate that TLS has verified is refused; empty: it is not.
std::string revocation_fault(const grpc::CallbackServerContext& context,
                             const Revocations& revocations) {
  const std::shared_ptr<const grpc::AuthContext> who = context.auth_context();
  if (!who) return "there is no certificate";
  return revocations.fault_of(only_value(*who, GRPC_X509_PEM_CERT_PROPERTY_NAME),
                              only_value(*who, GRPC_X509_PEM_CERT_CHAIN_PROPERTY_NAME));
}

grpc::StatusCode code_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::kInvalid:
    case Refusal::kBadFrame:
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
    case Refusal::kNotNow:
      return grpc::StatusCode::FAILED_PRECONDITION;
    case Refusal::kFailed:
      return grpc::StatusCode::INTERNAL;
  }
  return grpc::StatusCode::INTERNAL;
}

/// None: nobody was refused.
std::optional<RefusalCause> cause_of(grpc::StatusCode code) {
  switch (code) {
    case grpc::StatusCode::OK:
    case grpc::StatusCode::CANCELLED:
      return std::nullopt;
    case grpc::StatusCode::UNAUTHENTICATED:
      return RefusalCause::kAuthentication;
    case grpc::StatusCode::INVALID_ARGUMENT:
    case grpc::StatusCode::FAILED_PRECONDITION:
      return RefusalCause::kInvalid;
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
      return RefusalCause::kLimit;
    case grpc::StatusCode::PERMISSION_DENIED:
      return RefusalCause::kForbidden;
    case grpc::StatusCode::NOT_FOUND:
      return RefusalCause::kNotFound;
    case grpc::StatusCode::OUT_OF_RANGE:
      return RefusalCause::kOutOfRange;
    case grpc::StatusCode::ABORTED:
      return RefusalCause::kTakenOver;
    case grpc::StatusCode::UNAVAILABLE:
      return RefusalCause::kClosing;
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return RefusalCause::kDeadline;
    default:
      return RefusalCause::kFailed;
  }
}

grpc::Status status_of(grpc::StatusCode code, const std::string& message) {
  try {
    return {code, cut(shown(message))};
  } catch (const std::bad_alloc&) {
    return {code, std::string()};
  }
}

std::shared_ptr<Principal> find_principal(const grpc::CallbackServerContext& context,
                                          Switchboard& board, Turned& why) {
  Admission& admission = *board.admission_of_clients;
  const Caller caller = caller_of(context.peer());
  if (!admission.is_open(caller, why)) return nullptr;
  const auto fail = [&](AuthenticationFault fault, std::string cause) {
    admission.turn_away(caller, fault, std::move(cause), why);
    return nullptr;
  };
  const auto [first, last] = context.client_metadata().equal_range("authorization");
  std::optional<std::string_view> authorization;
  for (auto at = first; at != last; ++at) {
    if (authorization) {
      return fail(AuthenticationFault::kSeveralTokens, "more than one authorization was sent");
    }
    authorization = std::string_view(at->second.data(), at->second.size());
  }
  if (const auto revocations = board.credentials->now()->revocations) {
    std::string fault = revocation_fault(context, *revocations);
    if (!fault.empty()) return fail(AuthenticationFault::kCertificate, std::move(fault));
  }
  std::string certificate;
  if (board.names_by_certificate) {
    certificate = certificate_name(context);
    if (certificate.empty()) {
      return fail(AuthenticationFault::kCertificate,
                  "the certificate names nobody: it needs one URI, or else one DNS name, or else "
                  "one common name");
    }
  }
  return admission.admit(caller, authorization, certificate, why);
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

Caller caller_of(const std::string& peer) {
  const std::size_t scheme = peer.find(':');
  const std::size_t port = peer.rfind(':');
  if (!peer.starts_with("ipv") || port <= scheme) return {"local", {}};
  std::string host = peer.substr(scheme + 1, port - scheme - 1);
  for (const std::string_view bracket : {"%5B", "%5D", "[", "]"}) {
    if (const std::size_t at = host.find(bracket); at != std::string::npos) {
      host.erase(at, bracket.size());
    }
  }
  std::string key = peer_of(host.substr(0, host.find('%')));  // without its zone: fe80::1%eth0
  return {std::move(host), std::move(key)};
}

std::shared_ptr<Principal> admit(const grpc::CallbackServerContext& context, Switchboard& board,
                                 grpc::Status& refusal) {
  if (board.closing) {
    refusal = closing_status();
    return nullptr;
  }
  Turned why;
  std::shared_ptr<Principal> out = find_principal(context, board, why);
  if (!out) {
    refusal = {
        why.too_often ? grpc::StatusCode::RESOURCE_EXHAUSTED : grpc::StatusCode::UNAUTHENTICATED,
        why.cause};
  }
  return out;
}

void log_event(const Switchboard& board, const grpc::CallbackServerContext& context,
               std::string_view event, const Principal* principal, const Session* session,
               const grpc::Status& cause) {
  if (!board.events) return;
  try {
    board.events->say({.event = event,
                       .peer = caller_of(context.peer()).shown,
                       .principal = principal != nullptr ? principal->name : std::string(),
                       .session = session != nullptr ? session->identity().shown() : std::string(),
                       .cause = cause.error_message()});
  } catch (const std::bad_alloc&) {  // then it is not logged
  }
}

void note_refusal(const Switchboard& board, const grpc::CallbackServerContext& context,
                  const grpc::Status& status, const Principal* principal, const Session* session) {
  const auto cause = cause_of(status.error_code());
  if (!cause) return;
  board.engine->metrics().add_refusal(*cause);
  if (*cause == RefusalCause::kAuthentication) return;  // it was logged
  log_event(board, context, "refused", principal, session, status);
}

std::string shown(const std::string& message) {
  std::string out = base::printable(message);
  std::replace_if(out.begin(), out.end(), base::is_control, ' ');
  return out;
}

grpc::Status to_status(const Problem& problem) {
  return status_of(code_of(problem.refusal), problem.message);
}

grpc::Status to_status(const Error& error) { return status_of(code_of(error.code), error.message); }

grpc::Status check_cost(const wire::MessageCost& cost, std::size_t bytes) {
  constexpr std::uint64_t kMostTimes = 4;
  if (cost.unknown > kMostUnknown) {
    return status_of(grpc::StatusCode::INVALID_ARGUMENT,
                     fmt::format("a message with {} fields that are not known here; at most {}",
                                 cost.unknown, kMostUnknown));
  }
  if (cost.memory <= std::max(kMostTimes * bytes, kLeastMemory)) return grpc::Status::OK;
  return status_of(grpc::StatusCode::RESOURCE_EXHAUSTED,
                   fmt::format("a message of {} bytes that would take {} bytes of memory, because "
                               "it has very many small or empty parts",
                               bytes, cost.memory));
}

grpc::Status no_memory_status() {
  return {grpc::StatusCode::RESOURCE_EXHAUSTED,
          "the server has no memory left for this (--memory)"};
}

grpc::Status closing_status() {
  return {grpc::StatusCode::UNAVAILABLE, std::string(wire::kClosingReason)};
}

grpc::Status out_of_memory_status() { return {grpc::StatusCode::INTERNAL, "out of memory"}; }

grpc::Status not_serialized_status() {
  return {grpc::StatusCode::INTERNAL, "an answer is too large to be sent"};
}

}  // namespace tocsin::service
