// Client certificates that their authorities have taken back (RFC 5280).
#pragma once

#include <memory>
#include <string>

#include "tocsin/result.h"
#include "wire/pem.h"

namespace tocsin::service {

/// Checks a certificate that TLS has verified once more, with lists of revoked ones. TLS does this
/// before a call; here it is done for every call, so that a connection that was there before a list
/// was read is refused, too. Immutable, thread-safe.
class Revocations {
 public:
  /// `authorities`: the file of --client-ca. `lists`: PEM, one or more. Errors (kInput), naming the
  /// file: no list in it; a damaged one; one whose time is over.
  static Result<std::shared_ptr<const Revocations>> read(const wire::PemFile& authorities,
                                                         const wire::PemFile& lists);
  Revocations(const Revocations&) = delete;
  Revocations& operator=(const Revocations&) = delete;
  ~Revocations();

  /// Empty: it is valid. Else why not: revoked, by itself or an authority above it; a list is
  /// missing for one of them, or is over. PEM texts; `chain`: what the client sent beside it.
  [[nodiscard]] std::string fault_of(const std::string& certificate,
                                     const std::string& chain) const;

 private:
  struct Store;
  explicit Revocations(std::unique_ptr<Store> store);
  std::unique_ptr<Store> store_;
};

}  // namespace tocsin::service
