// A server's TLS files, which may change while it serves.
#pragma once

#include <memory>
#include <mutex>

#include "service/access/credentials.h"

struct grpc_ssl_server_certificate_config;

namespace grpc {
class ServerCredentials;
}

namespace tocsin::service {

/// gRPC asks for them with every new connection. Thread-safe.
class LiveCredentials {
 public:
  explicit LiveCredentials(Credentials first);
  LiveCredentials(const LiveCredentials&) = delete;
  LiveCredentials& operator=(const LiveCredentials&) = delete;

  /// For new connections from now on, and for calls their revocations.
  void replace(Credentials next);
  [[nodiscard]] std::shared_ptr<const Credentials> now() const;

  /// What gRPC serves with; keeps `live`. Without TLS it stays so.
  static std::shared_ptr<grpc::ServerCredentials> for_grpc(
      const std::shared_ptr<LiveCredentials>& live);
  /// What gRPC has not been given yet; null: it has the newest. The caller owns it.
  grpc_ssl_server_certificate_config* next_config();

 private:
  mutable std::mutex mutex_;
  std::shared_ptr<const Credentials> now_;
  bool given_ = false;  ///< gRPC has these
};

}  // namespace tocsin::service
