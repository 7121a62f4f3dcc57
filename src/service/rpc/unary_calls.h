// The calls with one answer: lists of rooms and avatar models, and unloading a room.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include "service/rpc/switchboard.h"
#include "tocsin/result.h"
#include "tocsin/v1/collision.pb.h"

namespace tocsin::service {

grpc::ServerUnaryReactor* list_environments(const Switchboard& board,
                                            grpc::CallbackServerContext* context,
                                            v1::ListEnvironmentsResponse* response);

/// Runs as a chore, because freeing the memory of a large room takes time.
grpc::ServerUnaryReactor* unload_environment(Switchboard& board,
                                             grpc::CallbackServerContext* context,
                                             const v1::UnloadEnvironmentRequest* request,
                                             v1::UnloadEnvironmentResponse* response);

grpc::ServerUnaryReactor* list_avatar_models(const Switchboard& board,
                                             grpc::CallbackServerContext* context,
                                             v1::ListAvatarModelsResponse* response);

/// The answer to list_avatar_models(). Errors only occur in a broken build.
Status describe_avatar_models(v1::ListAvatarModelsResponse& out);

}  // namespace tocsin::service
