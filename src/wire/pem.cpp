#include "wire/pem.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "wire/openssl_pointers.h"

namespace tocsin::wire {
namespace {

using Context = std::unique_ptr<SSL_CTX, Freed<&SSL_CTX_free>>;

Error refused(const std::filesystem::path& file, const std::string& why) {
  return {ErrorCode::kInput, fmt::format("{}: {}", file.string(), why)};
}

/// OpenSSL's reason for the last failure, for a person.
std::string reason() {
  const unsigned long code = ERR_peek_last_error();
  const char* const text = ERR_reason_error_string(code);
  ERR_clear_error();
  return text == nullptr ? "OpenSSL does not say why" : text;
}

/// All certificates of a file. Errors: as check_certificates().
Status read_certificates(const PemFile& pem, std::vector<Certificate>& out) {
  const std::filesystem::path& file = pem.file;
  ERR_clear_error();  // otherwise earlier errors would count as ours
  const Bio in = bytes_of(pem.text);
  while (X509* const next = PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr)) {
    out.emplace_back(next);
  }
  // At the end of a valid file OpenSSL reports that no further PEM block begins.
  const bool at_end = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  const std::string why = reason();
  if (out.empty() && at_end) {
    return refused(file,
                   "there is no certificate in it; PEM is expected (-----BEGIN "
                   "CERTIFICATE-----)");
  }
  if (!at_end) {
    return refused(file, fmt::format("certificate {} of it is damaged: {}", out.size() + 1, why));
  }
  return Nothing{};
}

/// Replaces OpenSSL's prompt on the terminal: records that the key has a password, and gives none.
int no_password(char* /*out*/, int /*size*/, int /*writing*/, void* asked) {
  *static_cast<bool*>(asked) = true;
  return -1;
}

Status check_dates(const std::filesystem::path& file, const X509* certificate) {
  const ASN1_TIME* const end = X509_get0_notAfter(certificate);
  if (X509_cmp_current_time(end) >= 0) return Nothing{};
  const Bio shown(BIO_new(BIO_s_mem()));
  ASN1_TIME_print(shown.get(), end);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(shown.get(), &bytes);
  return refused(file, fmt::format("the certificate has expired ({})",
                                   std::string_view(bytes, static_cast<std::size_t>(size))));
}

}  // namespace

Status check_certificates(const PemFile& certificates) {
  std::vector<Certificate> read;
  return read_certificates(certificates, read);
}

Status check_identity(const PemFile& certificate, const PemFile& key) {
  std::vector<Certificate> chain;
  if (Status status = read_certificates(certificate, chain); !status) return status;
  bool asked = false;
  const Key read(PEM_read_bio_PrivateKey(bytes_of(key.text).get(), nullptr, &no_password, &asked));
  if (!read) {
    const std::string why = reason();
    if (asked) return refused(key.file, "the key has a password; it is needed without one");
    return refused(key.file, fmt::format("there is no private key in it; PEM is expected "
                                         "(-----BEGIN PRIVATE KEY-----): {}",
                                         why));
  }
  const Context context(SSL_CTX_new(TLS_method()));
  if (!context) return {ErrorCode::kResource, "cannot set up TLS: " + reason()};
  if (SSL_CTX_use_certificate(context.get(), chain.front().get()) != 1) {
    return refused(certificate.file, "the certificate cannot be used: " + reason());
  }
  if (X509_check_private_key(chain.front().get(), read.get()) != 1) {
    ERR_clear_error();
    return refused(key.file, fmt::format("the key does not belong to the certificate in {}",
                                         certificate.file.string()));
  }
  if (SSL_CTX_use_PrivateKey(context.get(), read.get()) != 1) {
    return refused(key.file, "the key cannot be used: " + reason());
  }
  return check_dates(certificate.file, chain.front().get());
}

}  // namespace tocsin::wire
