#include "service/rpc/live_credentials.h"

#include <grpc/grpc.h>
#include <grpc/grpc_security.h>
#include <grpcpp/security/server_credentials.h>

#include <string>
#include <utility>

namespace tocsin::service {
namespace {

/// Called by gRPC before each handshake. `live`: LiveCredentials.
grpc_ssl_certificate_config_reload_status fetch(void* live,
                                                grpc_ssl_server_certificate_config** out) {
  *out = static_cast<LiveCredentials*>(live)->next_config();
  return *out == nullptr ? GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_UNCHANGED
                         : GRPC_SSL_CERTIFICATE_CONFIG_RELOAD_NEW;
}

/// gRPC's C++ classes for TLS files that change read them by themselves, unchecked, and poll. The C
/// interface below them asks.
class ReloadedCredentials final : public grpc::ServerCredentials {
 public:
  explicit ReloadedCredentials(std::shared_ptr<LiveCredentials> live) : live_(std::move(live)) {
    const bool asks = !live_->now()->client_ca.empty();
    own_ = grpc_ssl_server_credentials_create_with_options(
        grpc_ssl_server_credentials_create_options_using_config_fetcher(
            asks ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
                 : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE,
            &fetch, live_.get()));
  }
  ReloadedCredentials(const ReloadedCredentials&) = delete;
  ReloadedCredentials& operator=(const ReloadedCredentials&) = delete;
  ~ReloadedCredentials() override { grpc_server_credentials_release(own_); }

  void SetAuthMetadataProcessor(
      const std::shared_ptr<grpc::AuthMetadataProcessor>& /*processor*/) override {}

 private:
  int AddPortToServer(const std::string& address, grpc_server* server) override {
    return grpc_server_add_http2_port(server, address.c_str(), own_);
  }

  const std::shared_ptr<LiveCredentials> live_;
  grpc_server_credentials* own_ = nullptr;
};

}  // namespace

LiveCredentials::LiveCredentials(Credentials first)
    : now_(std::make_shared<const Credentials>(std::move(first))) {}

void LiveCredentials::replace(Credentials next) {
  auto made = std::make_shared<const Credentials>(std::move(next));
  const std::scoped_lock lock(mutex_);
  now_.swap(made);
  given_ = false;
}

std::shared_ptr<const Credentials> LiveCredentials::now() const {
  const std::scoped_lock lock(mutex_);
  return now_;
}

grpc_ssl_server_certificate_config* LiveCredentials::next_config() {
  const std::scoped_lock lock(mutex_);
  if (std::exchange(given_, true)) return nullptr;
  const grpc_ssl_pem_key_cert_pair pair{now_->key.c_str(), now_->certificate.c_str()};
  // gRPC insists on some roots, also where it asks no client for a certificate.
  const std::string& roots = now_->client_ca.empty() ? now_->certificate : now_->client_ca;
  return grpc_ssl_server_certificate_config_create(roots.c_str(), &pair, 1);
}

std::shared_ptr<grpc::ServerCredentials> LiveCredentials::for_grpc(
    const std::shared_ptr<LiveCredentials>& live) {
  if (live->now()->certificate.empty()) return grpc::InsecureServerCredentials();
  return std::make_shared<ReloadedCredentials>(live);
}

}  // namespace tocsin::service
