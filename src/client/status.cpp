#include "client/status.h"

#include "wire/closing.h"

namespace tocsin::detail {
namespace {

/// True if the connection is at fault, and not what was asked. UNKNOWN: gRPC's "Stream removed".
bool is_transport(grpc::StatusCode code) {
  return code == grpc::StatusCode::UNAVAILABLE || code == grpc::StatusCode::DEADLINE_EXCEEDED ||
         code == grpc::StatusCode::CANCELLED || code == grpc::StatusCode::UNKNOWN;
}

/// True if gRPC's own limits on the other side cut the stream off (it has too little memory for all
/// connections just now), and not the service: nothing is wrong with the session.
bool is_cut_off(const grpc::Status& status) {
  return status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED &&
         status.error_message().starts_with("Received RST_STREAM");
}

/// True if the server takes no streams any more: it closes.
bool is_closing(const grpc::Status& status) {
  return status.error_code() == grpc::StatusCode::UNAVAILABLE &&
         status.error_message() == wire::kClosingReason;
}

/// True if the server failed, though it could be asked.
bool is_failure(grpc::StatusCode code) {
  return code == grpc::StatusCode::INTERNAL || code == grpc::StatusCode::DATA_LOSS;
}

}  // namespace

Error error_of(const grpc::Status& status, const std::string& target) {
  const std::string& said = status.error_message();
  const grpc::StatusCode code = status.error_code();
  if (is_transport(code)) {
    return {ErrorCode::kResource, target + ": " + (said.empty() ? "no answer" : said)};
  }
  if (is_failure(code)) {
    return {ErrorCode::kResource, said.empty() ? "the server failed without saying why" : said};
  }
  return {ErrorCode::kInput, said.empty() ? "the server refused without saying why" : said};
}

StreamEnd end_of(const grpc::Status& status, bool ended, bool closing) {
  if (ended) return StreamEnd::kEnded;
  if (closing || is_closing(status)) return StreamEnd::kClosing;
  // OK without `ended` is a server, or something between, that gave up.
  const bool broken = status.ok() || is_transport(status.error_code()) || is_cut_off(status);
  return broken ? StreamEnd::kBroken : StreamEnd::kRefused;
}

}  // namespace tocsin::detail
