// TLS files, seen to be what they should be before anybody connects or listens: gRPC itself says
// nothing of use about them. For server and client alike.
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

/// That the file holds certificates, at least one. Errors: kInput, naming the file: none in it; one
/// is damaged.
Status check_certificates(const PemFile& certificates);

/// Does with a certificate (the first one of its file) and its key what TLS will. Errors: kInput,
/// naming the file: as check_certificates(); no key, or one that has a password, or is not the
/// certificate's; a certificate that has expired, or that OpenSSL thinks too weak to use.
Status check_identity(const PemFile& certificate, const PemFile& key);

}  // namespace tocsin::wire
