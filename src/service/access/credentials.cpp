#include "service/access/credentials.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>

#include "base/text_file.h"
#include "wire/pem.h"

namespace tocsin::service {
namespace {

/// A bundle of every root that browsers trust has 220 KB. Smaller would refuse such bundles, larger
/// only reads files that are something else.
constexpr std::size_t kMostBytes = std::size_t{4} << 20U;

Status read_into(const std::filesystem::path& file, std::string& out) {
  Result<std::string> text = base::read_file(file, kMostBytes);
  if (!text) return text.error();
  out = std::move(text).value();
  return Nothing{};
}

}  // namespace

Result<Credentials> load_credentials(const ServerOptions& options) {
  Credentials read;
  if (options.client_ca.empty() && !options.client_crl.empty()) {
    return {ErrorCode::kUsage, "revocations are of client certificates: they need a client CA"};
  }
  if (options.certificate.empty() != options.key.empty()) {
    return {ErrorCode::kUsage, options.key.empty()
                                   ? "TLS needs the key that belongs to the certificate, too"
                                   : "TLS needs the certificate that belongs to the key, too"};
  }
  if (options.certificate.empty()) {
    if (options.client_ca.empty()) return read;
    return {ErrorCode::kUsage,
            "client certificates need TLS: a certificate and a key of the server's own"};
  }
  if (const Status status = read_into(options.certificate, read.certificate); !status) {
    return status.error();
  }
  if (const Status status = read_into(options.key, read.key); !status) return status.error();
  const wire::PemFile key{options.key, read.key};
  if (const Status status = wire::check_identity({options.certificate, read.certificate}, key);
      !status) {
    return status.error();
  }
  if (options.client_ca.empty()) return read;
  if (const Status status = read_into(options.client_ca, read.client_ca); !status) {
    return status.error();
  }
  if (const Status status = wire::check_certificates({options.client_ca, read.client_ca});
      !status) {
    return status.error();
  }
  if (options.client_crl.empty()) return read;
  std::string lists;
  if (const Status status = read_into(options.client_crl, lists); !status) return status.error();
  auto revocations = Revocations::read({options.client_ca, read.client_ca},
                                       {options.client_crl, std::move(lists)});
  if (!revocations) return revocations.error();
  read.revocations = std::move(revocations).value();
  return read;
}

}  // namespace tocsin::service
