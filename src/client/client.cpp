// The unary calls.
#include "tocsin/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <utility>

#include "base/mesh_bytes.h"
#include "base/quoted.h"
#include "client/connection_state.h"
#include "client/crowd_stream.h"
#include "client/opening.h"
#include "client/session_stream.h"
#include "client/status.h"
#include "tocsin/v1/collision.grpc.pb.h"
#include "wire/limits.h"
#include "wire/scene_edits.h"
#include "wire/skeletons.h"
#include "wire/values.h"

namespace tocsin {
namespace {

using State = std::shared_ptr<detail::ConnectionState>;

// Bytes of one message of an upload: half of the service's limit.
constexpr std::size_t kChunk = 512U << 10U;

/// True: there is a connection. Else `error` says that Connection::open() was not called.
Status check(const State& state) {
  if (state) return Nothing{};
  return Error{ErrorCode::kUsage, "there is no connection: Connection::open() makes one"};
}

v1::LoadEnvironmentRequest first_message(const std::string& name, const EnvironmentOptions& options,
                                         const RoomUse& use) {
  v1::LoadEnvironmentRequest out;
  auto& begin = *out.mutable_begin();
  begin.set_name(name);
  begin.set_scale(options.scale);
  begin.set_up(wire::to_wire(options.up));
  begin.set_changeable(use.changeable);
  if (use.shared) begin.set_visibility(v1::VISIBILITY_SHARED);
  return out;
}

using LoadWriter = grpc::ClientWriter<v1::LoadEnvironmentRequest>;

/// Sends bytes that lie in memory. False: the server has ended the call.
bool send_chunks(std::string_view bytes, LoadWriter& writer) {
  v1::LoadEnvironmentRequest request;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(kChunk, bytes.size()))) {
    request.set_chunk(std::string(bytes.substr(0, kChunk)));
    if (!writer.Write(request)) return false;
  }
  return true;
}

/// Sends a file's bytes. False: the server has ended the call, and its status says why.
bool send_chunks(std::ifstream& in, LoadWriter& writer) {
  v1::LoadEnvironmentRequest request;
  while (in) {
    std::string& chunk = *request.mutable_chunk();
    chunk.resize(kChunk);
    in.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    chunk.resize(static_cast<std::size_t>(in.gcount()));
    if (!chunk.empty() && !writer.Write(request)) return false;
  }
  return true;
}

Result<std::vector<EnvironmentInfo>> listed(const State& state, bool shapes) {
  if (auto there = check(state); !there) return there.error();
  grpc::ClientContext context;
  state->prepare_short(context);
  v1::ListEnvironmentsRequest request;
  request.set_shapes(shapes);
  v1::ListEnvironmentsResponse response;
  const auto status = state->stub().ListEnvironments(&context, request, &response);
  if (!status.ok()) return detail::error_of(status, state->target());
  std::vector<EnvironmentInfo> out;
  for (const auto& room : response.environments()) out.push_back(wire::from_wire(room));
  return out;
}

Result<EnvironmentInfo> answer(const grpc::Status& status, const State& state,
                               const v1::LoadEnvironmentResponse& response) {
  if (!status.ok()) return detail::error_of(status, state->target());
  return wire::from_wire(response.environment());
}

}  // namespace

Result<Connection> Connection::open(const ConnectionOptions& options) {
  auto state = detail::ConnectionState::create(options);
  if (!state) return state.error();
  if (auto connected = state.value()->wait_until_connected(); !connected) return connected.error();
  Connection out;
  out.state_ = std::move(state).value();
  return out;
}

Result<std::vector<EnvironmentInfo>> Connection::environments() const {
  return listed(state_, false);
}

Result<std::vector<EnvironmentInfo>> Connection::shapes() const { return listed(state_, true); }

Result<std::vector<AvatarModel>> Connection::avatar_models() const {
  if (auto there = check(state_); !there) return there.error();
  grpc::ClientContext context;
  state_->prepare_short(context);
  v1::ListAvatarModelsResponse response;
  const auto status = state_->stub().ListAvatarModels(&context, {}, &response);
  if (!status.ok()) return detail::error_of(status, state_->target());
  std::vector<AvatarModel> out;
  for (const auto& model : response.models()) {
    auto read = wire::from_wire(model);
    if (!read) return read.error();
    out.push_back(std::move(read).value());
  }
  return out;
}

Result<EnvironmentInfo> Connection::load_environment(const std::string& name,
                                                     std::span<const std::string> paths,
                                                     const EnvironmentOptions& options,
                                                     const RoomUse& use) const {
  if (auto there = check(state_); !there) return there.error();
  if (paths.empty()) return {ErrorCode::kUsage, "no files to load a room from"};
  grpc::ClientContext context;
  state_->prepare(context);
  v1::LoadEnvironmentRequest request = first_message(name, options, use);
  for (const std::string& path : paths) request.mutable_begin()->add_paths(path);
  v1::LoadEnvironmentResponse response;
  const auto writer = state_->stub().LoadEnvironment(&context, &response);
  writer->WriteLast(request, {});
  return answer(writer->Finish(), state_, response);
}

Result<EnvironmentInfo> Connection::upload_environment(const std::string& name,
                                                       const std::filesystem::path& file,
                                                       const EnvironmentOptions& options,
                                                       const RoomUse& use) const {
  if (auto there = check(state_); !there) return there.error();
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file)) {
    return {ErrorCode::kInput, fmt::format("{}: cannot be read", file.string())};
  }
  grpc::ClientContext context;
  state_->prepare(context);
  v1::LoadEnvironmentRequest request = first_message(name, options, use);
  request.mutable_begin()->set_file_name(file.filename().string());
  v1::LoadEnvironmentResponse response;
  const auto writer = state_->stub().LoadEnvironment(&context, &response);
  const bool listens = writer->Write(request) && send_chunks(in, *writer);
  if (listens && in.bad()) {
    context.TryCancel();
    (void)writer->Finish();
    return {ErrorCode::kInput, fmt::format("{}: reading failed midway", file.string())};
  }
  if (listens) writer->WritesDone();
  return answer(writer->Finish(), state_, response);
}

Result<EnvironmentInfo> Connection::upload_shape(const std::string& name, const Shape& shape,
                                                 bool shared) const {
  if (auto there = check(state_); !there) return there.error();
  if (shape.empty()) return {ErrorCode::kUsage, "an empty shape cannot be uploaded"};
  grpc::ClientContext context;
  state_->prepare(context);
  v1::LoadEnvironmentRequest request;
  v1::LoadEnvironmentRequest::Begin& begin = *request.mutable_begin();
  begin.set_name(name);
  begin.set_file_name(name + ".shape");
  begin.set_shape(true);
  if (shared) begin.set_visibility(v1::VISIBILITY_SHARED);
  v1::LoadEnvironmentResponse response;
  const auto writer = state_->stub().LoadEnvironment(&context, &response);
  const std::string bytes = base::mesh_bytes(shape.corners(), shape.features());
  if (writer->Write(request) && send_chunks(bytes, *writer)) writer->WritesDone();
  return answer(writer->Finish(), state_, response);
}

Result<EnvironmentInfo> Connection::update_environment(
    const std::string& name, std::span<const SceneEdit> edits,
    std::optional<std::uint64_t> expected) const {
  if (auto there = check(state_); !there) return there.error();
  std::size_t triangles = 0;
  for (const SceneEdit& edit : edits) triangles += edit.shape.features().size();
  if (edits.empty() || triangles > wire::kMostInlineTriangles) {
    return {ErrorCode::kUsage,
            edits.empty() ? std::string("a change needs at least one edit")
                          : fmt::format("the change's shapes have {} triangles, and {} can be sent "
                                        "with it: larger ones are loaded before "
                                        "(Connection::upload_shape) and named",
                                        triangles, wire::kMostInlineTriangles)};
  }
  grpc::ClientContext context;
  state_->prepare_short(context);
  v1::UpdateEnvironmentRequest request;
  request.set_name(name);
  for (const SceneEdit& edit : edits) wire::to_wire(edit, *request.add_edits());
  if (expected) request.set_expected_version(*expected);
  v1::UpdateEnvironmentResponse response;
  const auto status = state_->stub().UpdateEnvironment(&context, request, &response);
  if (!status.ok()) return detail::error_of(status, state_->target());
  EnvironmentInfo out = wire::from_wire(response.environment());
  out.version = response.version();
  return out;
}

Result<EnvironmentInfo> Connection::unload_environment(const std::string& name) const {
  if (auto there = check(state_); !there) return there.error();
  grpc::ClientContext context;
  state_->prepare_short(context);
  v1::UnloadEnvironmentRequest request;
  request.set_name(name);
  v1::UnloadEnvironmentResponse response;
  const auto status = state_->stub().UnloadEnvironment(&context, request, &response);
  if (!status.ok()) return detail::error_of(status, state_->target());
  EnvironmentInfo out;
  out.name = name;
  out.sessions = response.sessions();
  return out;
}

Result<std::string> Connection::health() const {
  if (auto there = check(state_); !there) return there.error();
  int serving = 0;
  const auto status = state_->check_health(serving);
  if (!status.ok()) return detail::error_of(status, state_->target());
  constexpr std::array kNames{"UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"};
  const bool known = serving >= 0 && static_cast<std::size_t>(serving) < kNames.size();
  return std::string(kNames.at(known ? static_cast<std::size_t>(serving) : 0));
}

Result<LiveSession> Connection::track(const TrackOptions& options, TrackHandler handler) const {
  if (auto there = check(state_); !there) return there.error();
  auto open = detail::opening(options);
  if (!open) return open.error();
  v1::TrackRequest first;
  *first.mutable_open() = std::move(open).value();
  LiveSession out;
  out.stream_ =
      detail::SessionStream::start(state_, options.skeleton, std::move(handler), std::move(first));
  return out;
}

Result<LiveSession> Connection::resume(const std::string& session_id, std::uint64_t received,
                                       const Skeleton& skeleton, TrackHandler handler) const {
  if (auto there = check(state_); !there) return there.error();
  auto resume = detail::resuming(session_id, received);
  if (!resume) return resume.error();
  v1::TrackRequest first;
  *first.mutable_resume() = std::move(resume).value();
  LiveSession out;
  out.stream_ =
      detail::SessionStream::start(state_, skeleton, std::move(handler), std::move(first));
  return out;
}

Result<LiveCrowd> Connection::crowd() const {
  if (auto there = check(state_); !there) return there.error();
  LiveCrowd out;
  out.state_ = std::make_shared<detail::LiveCrowdState>(state_);
  return out;
}

}  // namespace tocsin
