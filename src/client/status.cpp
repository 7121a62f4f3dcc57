#include "client/status.h"

#include "wire/closing.h"

namespace tocsin::detail {
namespace {

/// True if the connection failed. UNKNOWN is gRPC's "Stream removed".
bool is_transport(grpc::StatusCode code) {
  return code == grpc::StatusCode::UNAVAILABLE || code == grpc::StatusCode::DEADLINE_EXCEEDED ||
         code == grpc::StatusCode::CANCELLED || code == grpc::StatusCode::UNKNOWN;
}

/// True if gRPC's limits on the server cut the stream off, because it has too little memory for all
/// connections now. The service did not end the session.
bool is_cut_off(const grpc::Status& status) {
  return status.error_code() == grpc::StatusCode::RESOURCE_EXHAUSTED &&
         status.error_message().starts_with("Received RST_STREAM");
}

/// True if the server is closing.
bool is_closing(const grpc::Status& status) {
  return status.error_code() == grpc::StatusCode::UNAVAILABLE &&
         status.error_message() == wire::kClosingReason;
}

/// True if the server was reached but failed.
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
  // OK without `ended` comes from a server, or a proxy, that gave up.
  const bool broken = status.ok() || is_transport(status.error_code()) || is_cut_off(status);
  return broken ? StreamEnd::kBroken : StreamEnd::kRefused;
}

}  // namespace tocsin::detail
