#include "service/rpc/unary_calls.h"

#include <memory>
#include <new>
#include <string>
#include <utility>

#include "service/rpc/call_support.h"
#include "tocsin/io.h"
#include "wire/skeletons.h"
#include "wire/values.h"

namespace tocsin::service {
namespace {

/// Answers at once: `work(principal)` fills in the response.
template <class Work>
grpc::ServerUnaryReactor* answer(const Switchboard& board, grpc::CallbackServerContext* context,
                                 const Work& work) {
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  grpc::Status status;
  try {
    const std::shared_ptr<Principal> principal = admit(*context, board, status);
    if (principal) status = work(*principal);
  } catch (const std::bad_alloc&) {
    status = out_of_memory_status();
  }
  reactor->Finish(status);
  return reactor;
}

grpc::Status unload(const Switchboard& board, const Principal& principal, const std::string& name,
                    v1::UnloadEnvironmentResponse& response) {
  const Result<EnvironmentInfo> room = board.engine->rooms().unload(principal, name);
  if (room) {
    response.set_sessions(room->sessions);
    return grpc::Status::OK;
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

}  // namespace

grpc::ServerUnaryReactor* list_environments(const Switchboard& board,
                                            grpc::CallbackServerContext* context,
                                            v1::ListEnvironmentsResponse* response) {
  return answer(board, context, [&](const Principal& /*principal*/) {
    for (const EnvironmentInfo& room : board.engine->rooms().list()) {
      wire::to_wire(room, *response->add_environments());
    }
    return grpc::Status::OK;
  });
}

grpc::ServerUnaryReactor* unload_environment(Switchboard& board,
                                             grpc::CallbackServerContext* context,
                                             const v1::UnloadEnvironmentRequest* request,
                                             v1::UnloadEnvironmentResponse* response) {
  grpc::ServerUnaryReactor* const reactor = context->DefaultReactor();
  grpc::Status status;
  try {
    if (std::shared_ptr<Principal> principal = admit(*context, board, status)) {
      board.chores.submit(WorkerPool::Lane::kInteractive,
                          [&board, reactor, request, response, principal = std::move(principal)] {
                            grpc::Status done;
                            try {
                              done = unload(board, *principal, request->name(), *response);
                            } catch (const std::bad_alloc&) {
                              done = out_of_memory_status();
                            }
                            reactor->Finish(done);
                          });
      return reactor;
    }
  } catch (const std::bad_alloc&) {
    status = out_of_memory_status();
  }
  reactor->Finish(status);
  return reactor;
}

grpc::ServerUnaryReactor* list_avatar_models(const Switchboard& board,
                                             grpc::CallbackServerContext* context,
                                             v1::ListAvatarModelsResponse* response) {
  return answer(board, context, [&](const Principal& /*principal*/) {
    *response = board.models;
    return grpc::Status::OK;
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
