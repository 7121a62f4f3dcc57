// The calls with one answer: lists of rooms and avatar models, unloading a room, changing one.
#pragma once

#include <grpcpp/server_context.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/server_callback.h>

#include "service/rpc/switchboard.h"
#include "tocsin/result.h"
#include "tocsin/v1/collision.pb.h"

namespace tocsin::service {

/// These take and give bytes: gRPC answers a damaged request with INTERNAL, and logs it.
grpc::ServerUnaryReactor* list_environments(Switchboard& board,
                                            grpc::CallbackServerContext* context,
                                            const grpc::ByteBuffer* request,
                                            grpc::ByteBuffer* response);

/// Runs as a chore, because freeing the memory of a large room takes time.
grpc::ServerUnaryReactor* unload_environment(Switchboard& board,
                                             grpc::CallbackServerContext* context,
                                             const grpc::ByteBuffer* request,
                                             grpc::ByteBuffer* response);

/// Runs as a chore, because many edits take time.
grpc::ServerUnaryReactor* update_environment(Switchboard& board,
                                             grpc::CallbackServerContext* context,
                                             const grpc::ByteBuffer* request,
                                             grpc::ByteBuffer* response);

grpc::ServerUnaryReactor* list_avatar_models(Switchboard& board,
                                             grpc::CallbackServerContext* context,
                                             const grpc::ByteBuffer* request,
                                             grpc::ByteBuffer* response);

/// The answer to list_avatar_models(). Errors only occur in a broken build.
Status describe_avatar_models(v1::ListAvatarModelsResponse& out);

}  // namespace tocsin::service
