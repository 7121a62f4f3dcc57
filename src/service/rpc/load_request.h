// What a client asks LoadEnvironment for, put together from its messages.
#pragma once

#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/status.h>

#include <cstdint>
#include <string>
#include <vector>

#include "service/access/access.h"
#include "service/access/memory_budget.h"
#include "service/records/record_store.h"
#include "service/rooms/environments.h"
#include "service/rooms/upload.h"
#include "tocsin/io.h"
#include "tocsin/v1/collision.pb.h"

namespace tocsin::service {

/// First take() for each message, then load(). Both may take long, and throw std::bad_alloc. Not
/// thread-safe.
class LoadRequest {
 public:
  /// `records`: whose disk must not fill up; null: nothing is recorded.
  LoadRequest(Environments& rooms, const Principal& principal, MemoryBudget& memory,
              const RecordStore* records)
      : rooms_(rooms),
        principal_(principal),
        memory_(memory),
        records_(records),
        upload_(rooms.policy().most_upload, principal) {}

  /// Reads a message, and empties it. Bytes of a file are stored at once.
  grpc::Status take(grpc::ByteBuffer& message);
  /// Loads the room that all messages describe.
  grpc::Status load(EnvironmentInfo& room, std::vector<std::string>& warnings);
  /// True if the room may have replaced another one.
  [[nodiscard]] bool replaces() const { return begin_.replace(); }
  /// Removes the stored file.
  void remove_upload() { upload_.remove(); }

 private:
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] bool disk_allows(std::uint64_t bytes) const;
  grpc::Status take_begin(v1::LoadEnvironmentRequest::Begin& begin);

  Environments& rooms_;
  const Principal& principal_;
  MemoryBudget& memory_;
  const RecordStore* const records_;
  bool begun_ = false;
  v1::LoadEnvironmentRequest::Begin begin_;
  EnvironmentOptions options_;
  Upload upload_;
};

}  // namespace tocsin::service
