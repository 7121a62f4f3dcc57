#include "service/rpc/load_request.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "service/rooms/room_files.h"
#include "service/rpc/call_support.h"
#include "wire/values.h"

namespace tocsin::service {
namespace {

/// Metres for one unit of a file: from micrometres to a thousand kilometres. Outside of this a room
/// vanishes, or leaves the coordinates that are allowed.
constexpr double kLeastScale = 1e-6;
constexpr double kMostScale = 1e6;

grpc::Status invalid(const char* message) { return {grpc::StatusCode::INVALID_ARGUMENT, message}; }

grpc::Status no_disk() {
  return {grpc::StatusCode::RESOURCE_EXHAUSTED,
          "the server has no disk left for uploads (--record-reserve, --record-quota)"};
}

}  // namespace

grpc::Status LoadRequest::take(grpc::ByteBuffer& message) {
  v1::LoadEnvironmentRequest request;  // its memory is free again after this
  std::uint64_t memory = 0;
  const grpc::Status parsed = parse(message, request, memory);
  if (!parsed.ok()) return parsed;
  if (request.has_begin()) return take_begin(*request.mutable_begin());
  if (!begun_) return invalid("the first message must be `begin`");
  if (!request.has_chunk()) return invalid("a message with neither `begin` nor `chunk`");
  if (begin_.paths_size() > 0) return invalid("`paths` are named: no `chunk` can follow");
  // What became a room is kept where records are, and is stored before maybe on the same disk.
  if (!disk_allows(request.chunk().size())) return no_disk();
  const Status status = upload_.append(request.chunk());
  return status ? grpc::Status::OK : to_status(status.error());
}

grpc::Status LoadRequest::take_begin(v1::LoadEnvironmentRequest::Begin& begin) {
  if (begun_) return invalid("`begin` came twice");
  begun_ = true;
  begin_ = std::move(begin);
  if (begin_.paths_size() > 0 && !begin_.file_name().empty()) {
    return invalid("`paths` and `file_name` cannot go together");
  }
  if (begin_.scale() != 0.0) options_.scale = begin_.scale();
  if (!(options_.scale >= kLeastScale && options_.scale <= kMostScale)) {  // a NaN, too
    return to_status(
        Error{ErrorCode::kInput, fmt::format("scale is {}; must be from {} to {}, or 0 for 1",
                                             options_.scale, kLeastScale, kMostScale)});
  }
  if (const Status status = wire::from_wire(begin_.up(), options_.up); !status) {
    return to_status(status.error());
  }
  if (begin_.shape() && (begin_.scale() != 0.0 || begin_.up() != v1::UP_AXIS_Y)) {
    return invalid("`scale` and `up` are of rooms: a shape is in metres, Y up");
  }
  if (begin_.shape() && begin_.changeable()) return invalid("`changeable` is of rooms");
  if (!v1::Visibility_IsValid(begin_.visibility())) return invalid("`visibility` is not known");
  if (begin_.replace() || !rooms_.is_taken(principal_, begin_.name())) return grpc::Status::OK;
  return {grpc::StatusCode::ALREADY_EXISTS, "an environment of that name is there already"};
}

bool LoadRequest::disk_allows(std::uint64_t bytes) const {
  return records_ == nullptr || records_->may_write(bytes).ok();
}

/// Of all files that are read.
std::uint64_t LoadRequest::bytes() const {
  if (begin_.paths_size() == 0) return upload_.size();
  const std::vector<std::string> paths(begin_.paths().begin(), begin_.paths().end());
  return bytes_in(rooms_.policy().folder, paths);
}

grpc::Status LoadRequest::load(EnvironmentInfo& room, std::vector<std::string>& warnings) {
  if (!begun_) return invalid("the stream ended before `begin`");
  Result<EnvironmentInfo> loaded(ErrorCode::kInput, "");
  const bool uploaded = begin_.paths_size() == 0;
  if (uploaded) {
    if (const Status status = upload_.close(); !status) return to_status(status.error());
    if (!disk_allows(upload_.size())) return no_disk();
  }
  const std::optional<MemoryBudget::Hold> hold = memory_.take(bytes() * kReaderMemory);
  if (!hold) return no_memory_status();
  RoomRequest request(begin_.name(), begin_.visibility() == v1::VISIBILITY_SHARED,
                      begin_.replace());
  request.shape = begin_.shape();
  request.changeable = begin_.changeable();
  request.memory = &memory_;
  if (!uploaded) {
    const std::vector<std::string> paths(begin_.paths().begin(), begin_.paths().end());
    loaded = rooms_.load_paths(principal_, request, paths, options_, warnings);
  } else {
    loaded = rooms_.load_upload(principal_, request, upload_.path(), begin_.file_name(), options_,
                                warnings);
  }
  if (loaded) {
    room = std::move(loaded).value();
    return grpc::Status::OK;
  }
  const Error& error = loaded.error();
  if (error.code == ErrorCode::kUsage && !begin_.replace() &&
      rooms_.is_taken(principal_, begin_.name())) {
    return {grpc::StatusCode::ALREADY_EXISTS, error.message};
  }
  return to_status(error);
}

}  // namespace tocsin::service
