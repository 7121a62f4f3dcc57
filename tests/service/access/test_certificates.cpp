#include "service/access/test_certificates.h"

#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#include <memory>

#include "wire/openssl_pointers.h"

namespace tocsin::test {
namespace {

using wire::Bio;
using wire::Certificate;
using wire::Freed;
using wire::Key;
using Extension = std::unique_ptr<X509_EXTENSION, Freed<&X509_EXTENSION_free>>;

template <class Write>
std::string text_of(const Write& write) {
  const Bio out(BIO_new(BIO_s_mem()));
  EXPECT_EQ(write(out.get()), 1);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(out.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

Key key_of(const std::string& pem) {
  const Bio in = wire::bytes_of(pem);
  return Key(PEM_read_bio_PrivateKey(in.get(), nullptr, nullptr, nullptr));
}

Certificate certificate_of(const std::string& pem) {
  const Bio in = wire::bytes_of(pem);
  return Certificate(PEM_read_bio_X509(in.get(), nullptr, nullptr, nullptr));
}

void add_extension(X509* certificate, int kind, const char* value) {
  const Extension extension(X509V3_EXT_conf_nid(nullptr, nullptr, kind, value));
  ASSERT_TRUE(extension);
  X509_add_ext(certificate, extension.get(), -1);
}

}  // namespace

TestIdentity make_identity(const TestCertificate& wanted) {
  constexpr long kDay = 24L * 60 * 60;
  static int serial = 0;
  const Key key(wanted.bits > 0 ? EVP_RSA_gen(static_cast<unsigned>(wanted.bits))
                                : EVP_EC_gen("P-256"));
  const Certificate certificate(X509_new());
  X509* const x = certificate.get();
  X509_set_version(x, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(x), ++serial);
  X509_gmtime_adj(X509_getm_notBefore(x), -30 * kDay);
  X509_gmtime_adj(X509_getm_notAfter(x), wanted.days * kDay);
  X509_set_pubkey(x, key.get());
  if (!wanted.common_name.empty()) {
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(wanted.common_name.c_str()),
                               -1, -1, 0);
  }
  add_extension(x, NID_basic_constraints,
                wanted.signer == nullptr ? "critical,CA:TRUE" : "critical,CA:FALSE");
  if (!wanted.other_names.empty()) {
    add_extension(x, NID_subject_alt_name, wanted.other_names.c_str());
  }
  const Certificate signer =
      wanted.signer == nullptr ? nullptr : certificate_of(wanted.signer->certificate);
  const Key signing = wanted.signer == nullptr ? nullptr : key_of(wanted.signer->key);
  X509_set_issuer_name(x, X509_get_subject_name(signer ? signer.get() : x));
  EXPECT_GT(X509_sign(x, signing ? signing.get() : key.get(), EVP_sha256()), 0);
  return {text_of([&](BIO* out) { return PEM_write_bio_X509(out, x); }), text_of([&](BIO* out) {
            return PEM_write_bio_PrivateKey(out, key.get(), nullptr, nullptr, 0, nullptr, nullptr);
          })};
}

std::string make_revocations(const TestIdentity& authority,
                             const std::vector<TestIdentity>& revoked, int days) {
  constexpr long kDay = 24L * 60 * 60;
  const std::unique_ptr<X509_CRL, Freed<&X509_CRL_free>> list(X509_CRL_new());
  const Certificate signer = certificate_of(authority.certificate);
  const std::unique_ptr<ASN1_TIME, Freed<&ASN1_TIME_free>> begin(
      X509_gmtime_adj(nullptr, -30 * kDay));
  const std::unique_ptr<ASN1_TIME, Freed<&ASN1_TIME_free>> end(
      X509_gmtime_adj(nullptr, days * kDay));
  X509_CRL_set_version(list.get(), 1);
  X509_CRL_set_issuer_name(list.get(), X509_get_subject_name(signer.get()));
  X509_CRL_set1_lastUpdate(list.get(), begin.get());
  X509_CRL_set1_nextUpdate(list.get(), end.get());
  for (const TestIdentity& one : revoked) {
    X509_REVOKED* const entry = X509_REVOKED_new();
    X509_REVOKED_set_serialNumber(entry,
                                  X509_get_serialNumber(certificate_of(one.certificate).get()));
    X509_REVOKED_set_revocationDate(entry, begin.get());
    X509_CRL_add0_revoked(list.get(), entry);
  }
  X509_CRL_sort(list.get());
  EXPECT_GT(X509_CRL_sign(list.get(), key_of(authority.key).get(), EVP_sha256()), 0);
  return text_of([&](BIO* out) { return PEM_write_bio_X509_CRL(out, list.get()); });
}

std::string with_password(const std::string& key) {
  const Key read = key_of(key);
  unsigned char password[] = "open sesame";
  return text_of([&](BIO* out) {
    return PEM_write_bio_PrivateKey(out, read.get(), EVP_aes_128_cbc(), password,
                                    sizeof(password) - 1, nullptr, nullptr);
  });
}

}  // namespace tocsin::test
