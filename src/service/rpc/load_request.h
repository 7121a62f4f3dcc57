// What a client asks LoadEnvironment for, put together from its messages.
#pragma once

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/status.h>

#include <string>
#include <vector>

#include "service/access/access.h"
#include "service/rooms/environments.h"
#include "service/rooms/upload.h"
#include "tocsin/io.h"
#include "tocsin/v1/collision.pb.h"

namespace tocsin::service {

/// First take() for each message, then load(). Both may take long, and throw std::bad_alloc. Not
/// thread-safe.
class LoadRequest {
 public:
  explicit LoadRequest(Environments& rooms) : rooms_(rooms), upload_(rooms.policy().most_upload) {}

  /// Reads a message, and empties it. Bytes of a file are stored at once.
  grpc::Status take(grpc::ByteBuffer& message);
  /// Loads the room that all messages describe.
  grpc::Status load(const Principal& principal, EnvironmentInfo& room,
                    std::vector<std::string>& warnings);
  /// Removes the stored file.
  void remove_upload() { upload_.remove(); }

 private:
  grpc::Status take_begin();

  Environments& rooms_;
  v1::LoadEnvironmentRequest request_;
  bool begun_ = false;
  v1::LoadEnvironmentRequest::Begin begin_;
  EnvironmentOptions options_;
  Upload upload_;
};

}  // namespace tocsin::service
