#include "service/rpc/load_request.h"

#include <grpcpp/impl/codegen/proto_utils.h>

#include <cmath>
#include <utility>

#include "service/rpc/call_support.h"
#include "wire/values.h"

namespace tocsin::service {
namespace {

grpc::Status invalid(const char* message) { return {grpc::StatusCode::INVALID_ARGUMENT, message}; }

}  // namespace

grpc::Status LoadRequest::take(grpc::ByteBuffer& message) {
  const grpc::Status parsed =
      grpc::SerializationTraits<v1::LoadEnvironmentRequest>::Deserialize(&message, &request_);
  message.Clear();
  if (!parsed.ok()) return invalid("a message that is no LoadEnvironmentRequest");
  if (request_.has_begin()) return take_begin();
  if (!begun_) return invalid("the first message must be `begin`");
  if (!request_.has_chunk()) return invalid("a message with neither `begin` nor `chunk`");
  if (begin_.paths_size() > 0) return invalid("`paths` are named: no `chunk` can follow");
  const Status status = upload_.append(request_.chunk());
  return status ? grpc::Status::OK : to_status(status.error());
}

grpc::Status LoadRequest::take_begin() {
  if (begun_) return invalid("`begin` came twice");
  begun_ = true;
  begin_ = std::move(*request_.mutable_begin());
  if (begin_.paths_size() > 0 && !begin_.file_name().empty()) {
    return invalid("`paths` and `file_name` cannot go together");
  }
  if (begin_.scale() != 0.0) options_.scale = begin_.scale();
  if (!std::isfinite(options_.scale) || options_.scale < 0.0) {
    return invalid("`scale` must be a number above 0");
  }
  if (const Status status = wire::from_wire(begin_.up(), options_.up); !status) {
    return to_status(status.error());
  }
  if (!rooms_.is_taken(begin_.name())) return grpc::Status::OK;
  return {grpc::StatusCode::ALREADY_EXISTS, "an environment of that name is there already"};
}

grpc::Status LoadRequest::load(const Principal& principal, EnvironmentInfo& room,
                               std::vector<std::string>& warnings) {
  if (!begun_) return invalid("the stream ended before `begin`");
  Result<EnvironmentInfo> loaded(ErrorCode::kInput, "");
  if (begin_.paths_size() > 0) {
    const std::vector<std::string> paths(begin_.paths().begin(), begin_.paths().end());
    loaded = rooms_.load_paths(principal, begin_.name(), paths, options_, warnings);
  } else {
    if (const Status status = upload_.close(); !status) return to_status(status.error());
    loaded = rooms_.load_upload(principal, begin_.name(), upload_.path(), begin_.file_name(),
                                options_, warnings);
  }
  if (loaded) {
    room = std::move(loaded).value();
    return grpc::Status::OK;
  }
  const Error& error = loaded.error();
  if (error.code == ErrorCode::kUsage && rooms_.is_taken(begin_.name())) {
    return {grpc::StatusCode::ALREADY_EXISTS, error.message};
  }
  return to_status(error);
}

}  // namespace tocsin::service
