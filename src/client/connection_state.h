// What the copies of a Connection share: a gRPC channel of its own, and what every call carries.
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

  /// Waits until the server can be reached. Errors (kResource): nobody answers, and why.
  Status wait_until_connected();
  /// The health service's answer: a number of its enumeration. For the whole server.
  grpc::Status check_health(int& serving);

  /// Adds what every call carries.
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
