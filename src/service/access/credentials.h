// A server's TLS files, read and checked before the server listens.
#pragma once

#include <memory>
#include <string>

#include "service/access/revocations.h"
#include "service/rpc/server_options.h"
#include "tocsin/result.h"

namespace tocsin::service {

/// PEM texts, as gRPC takes them.
struct Credentials {
  std::string
      certificate;  ///< the server's, then the intermediate ones up to its root; empty: no TLS
  std::string key;
  std::string client_ca;                           ///< empty: clients need no certificate
  std::shared_ptr<const Revocations> revocations;  ///< null: none is looked up
};

/// Reads the files that `options` names. Finds the errors that would otherwise appear with the
/// first client. Errors: kUsage: a certificate without a key or the other way round, a client CA
/// without both, revocations without a client CA; kInput, naming the file: not readable; no PEM, or
/// PEM of another kind; a key that has a password, or is not the certificate's; a certificate that
/// has expired, or that OpenSSL refuses as too weak; a revocation list that is over.
Result<Credentials> load_credentials(const ServerOptions& options);

}  // namespace tocsin::service
