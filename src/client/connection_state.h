// Shared by the copies of a Connection: its own gRPC channel, and the metadata of every call.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/client_context.h>

#include <chrono>
#include <memory>
#include <string>

#include "tocsin/client.h"
#include "tocsin/result.h"
#include "tocsin/v1/collision.grpc.pb.h"

namespace tocsin::detail {

/// Thread-safe.
class ConnectionState {
 public:
  /// Makes the channel; does not wait for it. Errors: kUsage, as Connection::open().
  static Result<std::shared_ptr<ConnectionState>> create(const ConnectionOptions& options);

  /// Waits until the server can be reached. Errors (kResource): no answer, with the reason.
  Status wait_until_connected();
  /// Gets the health service's answer for the whole server: a number of its enumeration.
  grpc::Status check_health(int& serving);

  /// Adds the metadata of every call.
  void prepare(grpc::ClientContext& context) const;
  /// The same for a call that must answer within the connection's timeout.
  void prepare_short(grpc::ClientContext& context) const;
  [[nodiscard]] v1::CollisionService::Stub& stub() { return *stub_; }
  [[nodiscard]] const std::string& target() const { return target_; }

 private:
  std::string target_;
  std::string authorization_;  ///< that metadata's value; empty: none is sent
  std::chrono::milliseconds timeout_{};
  std::shared_ptr<grpc::Channel> channel_;
  std::unique_ptr<v1::CollisionService::Stub> stub_;
};

}  // namespace tocsin::detail
