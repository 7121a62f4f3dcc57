// Checks of TLS files before a client connects or a server listens. gRPC's own messages about them
// are of no use. For server and client.
#pragma once

#include <filesystem>
#include <string>

#include "tocsin/result.h"

namespace tocsin::wire {

/// A file that was read.
struct PemFile {
  std::filesystem::path file;  ///< for messages
  std::string text;
};

/// Checks that the file holds at least one certificate. Errors: kInput, naming the file: no
/// certificate; a damaged one.
Status check_certificates(const PemFile& certificates);

/// Uses a certificate (the first one of its file) and its key as TLS will. Errors: kInput, naming
/// the file: as check_certificates(); no key, a key with a password or of another certificate; a
/// certificate that has expired, or that OpenSSL refuses as too weak.
Status check_identity(const PemFile& certificate, const PemFile& key);

}  // namespace tocsin::wire
