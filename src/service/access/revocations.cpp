#include "service/access/revocations.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509_vfy.h>

#include <utility>

#include "wire/openssl_pointers.h"

namespace tocsin::service {
namespace {

using wire::Freed;
using RevocationList = std::unique_ptr<X509_CRL, Freed<&X509_CRL_free>>;
using Verification = std::unique_ptr<X509_STORE_CTX, Freed<&X509_STORE_CTX_free>>;

void free_certificates(STACK_OF(X509) * all) { sk_X509_pop_free(all, X509_free); }
using Certificates = std::unique_ptr<STACK_OF(X509), Freed<&free_certificates>>;

/// What was read before the last call gave nothing is all that there is.
bool at_end_of_file() {
  const bool out = ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
  ERR_clear_error();
  return out;
}

Error refused(const wire::PemFile& pem, const std::string& why) {
  return {ErrorCode::kInput, fmt::format("{}: {}", pem.file.string(), why)};
}

Certificates certificates_in(const std::string& text) {
  Certificates out(sk_X509_new_null());
  const wire::Bio in = wire::bytes_of(text);
  while (X509* const next = PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr)) {
    if (!out || sk_X509_push(out.get(), next) == 0) X509_free(next);
  }
  ERR_clear_error();
  return out;
}

}  // namespace

struct Revocations::Store {
  std::unique_ptr<X509_STORE, Freed<&X509_STORE_free>> all{X509_STORE_new()};

  void add_authorities(const std::string& text) const {
    const Certificates read = certificates_in(text);
    for (int i = 0; read && i < sk_X509_num(read.get()); ++i) {
      X509_STORE_add_cert(all.get(), sk_X509_value(read.get(), i));
    }
    ERR_clear_error();  // one that comes twice is no fault
  }

  Status add_lists(const wire::PemFile& lists) const {
    const wire::Bio in = wire::bytes_of(lists.text);
    int count = 0;
    ERR_clear_error();
    while (const auto next =
               RevocationList(PEM_read_bio_X509_CRL(in.get(), nullptr, nullptr, nullptr))) {
      ++count;
      const ASN1_TIME* const end = X509_CRL_get0_nextUpdate(next.get());
      if (end != nullptr && X509_cmp_current_time(end) < 0) {
        return refused(lists, fmt::format("list {} of it is over: a newer one is due", count));
      }
      if (X509_STORE_add_crl(all.get(), next.get()) != 1) {
        ERR_clear_error();
        return refused(lists, fmt::format("list {} of it cannot be used", count));
      }
    }
    const bool complete = at_end_of_file();
    if (!complete) return refused(lists, fmt::format("list {} of it is damaged", count + 1));
    if (count > 0) return Nothing{};
    return refused(lists,
                   "there is no revocation list in it; PEM is expected (-----BEGIN X509 CRL-----)");
  }
};

Revocations::Revocations(std::unique_ptr<Store> store) : store_(std::move(store)) {}

Revocations::~Revocations() = default;

Result<std::shared_ptr<const Revocations>> Revocations::read(const wire::PemFile& authorities,
                                                             const wire::PemFile& lists) {
  auto store = std::make_unique<Store>();
  if (!store->all) return {ErrorCode::kResource, "cannot set up TLS"};
  store->add_authorities(authorities.text);
  if (Status added = store->add_lists(lists); !added) return added.error();
  // As in the handshake, an authority of the file need not be a root.
  X509_STORE_set_flags(store->all.get(), X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL |
                                             X509_V_FLAG_PARTIAL_CHAIN);
  return std::shared_ptr<const Revocations>(new Revocations(std::move(store)));
}

std::string Revocations::fault_of(const std::string& certificate, const std::string& chain) const {
  const Certificates leaf = certificates_in(certificate);
  const Certificates others = certificates_in(chain);
  const Verification context(X509_STORE_CTX_new());
  if (!leaf || sk_X509_num(leaf.get()) < 1 || !context ||
      X509_STORE_CTX_init(context.get(), store_->all.get(), sk_X509_value(leaf.get(), 0),
                          others.get()) != 1) {
    ERR_clear_error();
    return "the certificate cannot be checked";
  }
  const bool valid = X509_verify_cert(context.get()) == 1;
  const int why = X509_STORE_CTX_get_error(context.get());
  ERR_clear_error();
  if (valid) return {};
  if (why == X509_V_ERR_CERT_REVOKED) return "the certificate was revoked";
  return fmt::format("the certificate cannot be checked: {}", X509_verify_cert_error_string(why));
}

}  // namespace tocsin::service
