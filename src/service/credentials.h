// A server's TLS files: read, and seen to fit, before anything listens.
#pragma once

#include <string>

#include "service/server.h"
#include "tocsin/result.h"

namespace tocsin::service {

/// PEM texts, as gRPC takes them.
struct Credentials {
  std::string certificate;  ///< the server's own, then those between it and its root; empty: no TLS
  std::string key;
  std::string client_ca;  ///< empty: clients need no certificate
};

/// Reads the files that `options` names. Whatever would only show when the first client comes is
/// found here. Errors: kUsage: a certificate without a key or the other way round, a client CA
/// without both; kInput, naming the file: not to be read; no PEM, or PEM of something else; a key
/// that has a password, or is not the certificate's; a certificate that has expired, or that
/// OpenSSL thinks too weak to use.
Result<Credentials> load_credentials(const ServerOptions& options);

}  // namespace tocsin::service
