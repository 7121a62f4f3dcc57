// The calls that have one answer: what rooms and avatar models there are, and away with a room.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/server_callback.h>

#include "service/switchboard.h"
#include "tocsin/result.h"
#include "tocsin/v1/collision.pb.h"

namespace tocsin::service {

grpc::ServerUnaryReactor* list_environments(const Switchboard& board,
                                            grpc::CallbackServerContext* context,
                                            v1::ListEnvironmentsResponse* response);

/// By a chore: the memory of a large room is given back meanwhile.
grpc::ServerUnaryReactor* unload_environment(Switchboard& board,
                                             grpc::CallbackServerContext* context,
                                             const v1::UnloadEnvironmentRequest* request,
                                             v1::UnloadEnvironmentResponse* response);

grpc::ServerUnaryReactor* list_avatar_models(const Switchboard& board,
                                             grpc::CallbackServerContext* context,
                                             v1::ListAvatarModelsResponse* response);

/// The answer to list_avatar_models(). Errors: none that a sound build has.
Status describe_avatar_models(v1::ListAvatarModelsResponse& out);

}  // namespace tocsin::service
