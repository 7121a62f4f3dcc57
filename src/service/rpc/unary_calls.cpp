#include "service/rpc/unary_calls.h"

#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "service/rpc/call_support.h"
#include "tocsin/io.h"
#include "wire/scene_edits.h"
#include "wire/skeletons.h"
#include "wire/values.h"

namespace tocsin::service {
namespace {

template <class Request>
grpc::Status parse(const grpc::ByteBuffer& bytes, Request& out) {
  grpc::ByteBuffer taken = bytes;  // shares the bytes
  std::uint64_t memory = 0;
  return service::parse(taken, out, memory);
}

template <class Response>
grpc::Status put(const Response& message, grpc::ByteBuffer& out) {
  return serialize(message, out) ? grpc::Status::OK : not_serialized_status();
}

grpc::ServerUnaryReactor* finish(const Switchboard& board, grpc::CallbackServerContext& context,
                                 grpc::ServerUnaryReactor& reactor, const grpc::Status& status) {
  note_refusal(board, context, status);
  reactor.Finish(status);
  return &reactor;
}

/// Answers at once: `work(principal, request)` fills in the response.
template <class Request, class Work>
grpc::ServerUnaryReactor* answer(Switchboard& board, grpc::CallbackServerContext* context,
                                 const grpc::ByteBuffer& bytes, const Work& work) {
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  grpc::Status status;
  try {
    const std::shared_ptr<Principal> principal = admit(*context, board, status);
    Request request;
    if (principal) status = parse(bytes, request);
    if (principal && status.ok()) status = work(*principal, request);
  } catch (const std::bad_alloc&) {
    status = out_of_memory_status();
  }
  return finish(board, *context, *reactor, status);
}

grpc::Status unload(const Switchboard& board, const Principal& principal,
                    const grpc::ByteBuffer& bytes, grpc::ByteBuffer& out) {
  v1::UnloadEnvironmentRequest request;
  if (grpc::Status parsed = parse(bytes, request); !parsed.ok()) return parsed;
  const Result<EnvironmentInfo> room = board.engine->rooms().unload(principal, request.name());
  if (room) {
    v1::UnloadEnvironmentResponse response;
    response.set_sessions(room->sessions);
    return put(response, out);
  }
  switch (room.error().code) {
    case ErrorCode::kInput:
      return {grpc::StatusCode::NOT_FOUND, room.error().message};
    case ErrorCode::kUsage:
      return {grpc::StatusCode::PERMISSION_DENIED, room.error().message};
    default:
      return to_status(room.error());
  }
}

grpc::Status update(Switchboard& board, const grpc::CallbackServerContext& context,
                    const Principal& principal, const grpc::ByteBuffer& bytes,
                    grpc::ByteBuffer& out) {
  v1::UpdateEnvironmentRequest request;
  if (grpc::Status parsed = parse(bytes, request); !parsed.ok()) return parsed;
  auto edits = wire::from_wire(request);
  if (!edits) return to_status(edits.error());
  const std::size_t count = edits->size();
  SceneChange change{0, std::move(edits).value()};
  std::optional<std::uint64_t> expected;
  if (request.has_expected_version()) expected = request.expected_version();
  EnvironmentInfo room;
  const auto problem = board.engine->rooms().update(principal, request.name(), change, expected,
                                                    &board.memory, room);
  if (problem) return to_status(*problem);
  board.engine->metrics().room_changes.add();
  board.engine->metrics().room_edits.add(count);
  log_event(
      board, context, "room_changed", &principal, nullptr,
      {grpc::StatusCode::OK, fmt::format("{}: version {}, {} {}", request.name(), change.version,
                                         count, count == 1 ? "edit" : "edits")});
  v1::UpdateEnvironmentResponse response;
  wire::to_wire(room, *response.mutable_environment());
  response.set_version(change.version);
  return put(response, out);
}

/// Runs `work(principal)` as a chore.
template <class Work>
grpc::ServerUnaryReactor* answer_later(Switchboard& board, grpc::CallbackServerContext* context,
                                       Work work) {
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  grpc::Status status;
  try {
    if (std::shared_ptr<Principal> principal = admit(*context, board, status)) {
      board.chores.submit(
          WorkerPool::Lane::kInteractive,
          [&board, context, reactor, work = std::move(work), principal = std::move(principal)] {
            grpc::Status done;
            try {
              done = work(*principal);
            } catch (const std::bad_alloc&) {
              done = out_of_memory_status();
            }
            finish(board, *context, *reactor, done);
          });
      return reactor;
    }
  } catch (const std::bad_alloc&) {
    status = out_of_memory_status();
  }
  return finish(board, *context, *reactor, status);
}

}  // namespace

grpc::ServerUnaryReactor* list_environments(Switchboard& board,
                                            grpc::CallbackServerContext* context,
                                            const grpc::ByteBuffer* request,
                                            grpc::ByteBuffer* response) {
  return answer<v1::ListEnvironmentsRequest>(
      board, context, *request,
      [&](const Principal& principal, const v1::ListEnvironmentsRequest& asked) {
        v1::ListEnvironmentsResponse message;
        for (const EnvironmentInfo& room : board.engine->rooms().list(principal, asked.shapes())) {
          wire::to_wire(room, *message.add_environments());
        }
        return put(message, *response);
      });
}

grpc::ServerUnaryReactor* unload_environment(Switchboard& board,
                                             grpc::CallbackServerContext* context,
                                             const grpc::ByteBuffer* request,
                                             grpc::ByteBuffer* response) {
  return answer_later(board, context, [&board, request, response](const Principal& principal) {
    return unload(board, principal, *request, *response);
  });
}

grpc::ServerUnaryReactor* update_environment(Switchboard& board,
                                             grpc::CallbackServerContext* context,
                                             const grpc::ByteBuffer* request,
                                             grpc::ByteBuffer* response) {
  return answer_later(board, context,
                      [&board, context, request, response](const Principal& principal) {
                        return update(board, *context, principal, *request, *response);
                      });
}

grpc::ServerUnaryReactor* list_avatar_models(Switchboard& board,
                                             grpc::CallbackServerContext* context,
                                             const grpc::ByteBuffer* request,
                                             grpc::ByteBuffer* response) {
  return answer<v1::ListAvatarModelsRequest>(
      board, context, *request, [&](const Principal&, const v1::ListAvatarModelsRequest&) {
        return put(board.models, *response);
      });
}

Status describe_avatar_models(v1::ListAvatarModelsResponse& out) {
  for (const std::string& name : shipped_avatar_models()) {
    const Result<AvatarModel> model = load_avatar_model(name);
    if (!model) return model.error();
    wire::to_wire(*model, *out.add_models());
  }
  return Nothing{};
}

}  // namespace tocsin::service
