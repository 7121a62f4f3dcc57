// Certificates for tests, made on the spot.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tocsin::test {

/// PEM texts of a certificate and its key.
struct TestIdentity {
  std::string certificate;
  std::string key;
};

struct TestCertificate {
  std::string common_name;               ///< empty: none
  const TestIdentity* signer = nullptr;  ///< none: it signs itself, and may sign others
  int days = 1;                          ///< from now; negative: it has expired
  int bits = 0;                          ///< of an RSA key; 0: an elliptic one (fast)
  /// As OpenSSL writes them; empty: none.
  std::string other_names = "DNS:localhost,IP:127.0.0.1,IP:::1";
};

TestIdentity make_identity(const TestCertificate& wanted);

/// The authority's list of revoked certificates, which is over after so many days.
std::string make_revocations(const TestIdentity& authority,
                             const std::vector<TestIdentity>& revoked, int days = 1);

/// The same key, with a password.
std::string with_password(const std::string& key);

}  // namespace tocsin::test
