#include "service/access/credentials.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "service/access/test_certificates.h"
#include "support/test_folder.h"

namespace tocsin::service::credentials_test {
namespace {

using test::make_identity;
using test::TestIdentity;

class CredentialsTest : public testing::Test {
 protected:
  CredentialsTest() {
    options.certificate = folder.write("server.pem", server.certificate);
    options.key = folder.write("server.key", server.key);
  }

  void refused(ErrorCode code, const std::string& file, const std::string& why) {
    const auto read = load_credentials(options);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, code) << read.error().message;
    EXPECT_NE(read.error().message.find(file), std::string::npos) << read.error().message;
    EXPECT_NE(read.error().message.find(why), std::string::npos) << read.error().message;
  }

  test::TestFolder folder;
  TestIdentity ca = make_identity({.common_name = "house CA"});
  TestIdentity server = make_identity({.common_name = "server", .signer = &ca});
  ServerOptions options;
};

TEST_F(CredentialsTest, ReadsWhatFits) {
  options.client_ca =
      folder.write("ca.pem", ca.certificate + "\n# and another\n" + server.certificate);
  const auto read = load_credentials(options);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->certificate, server.certificate);
  EXPECT_EQ(read->key, server.key);
  EXPECT_FALSE(read->client_ca.empty());
  // A chain.
  options.certificate = folder.write("chain.pem", server.certificate + ca.certificate);
  EXPECT_TRUE(load_credentials(options));
}

TEST_F(CredentialsTest, NoFilesAreNoTls) {
  const auto read = load_credentials(ServerOptions{});
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->certificate.empty());
}

TEST_F(CredentialsTest, FilesGoTogether) {
  const ServerOptions both = options;
  options.key.clear();
  refused(ErrorCode::kUsage, "", "needs the key");
  options = both;
  options.certificate.clear();
  refused(ErrorCode::kUsage, "", "needs the certificate");
  options = {};
  options.client_ca = "ca.pem";
  refused(ErrorCode::kUsage, "", "client certificates need TLS");
}

TEST_F(CredentialsTest, ReadsRevocations) {
  options.client_crl = folder.write("revoked.pem", test::make_revocations(ca, {}));
  refused(ErrorCode::kUsage, "", "they need a client CA");
  options.client_ca = folder.write("ca.pem", ca.certificate);
  const auto read = load_credentials(options);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->revocations);
  options.client_crl = folder.write("none.pem", ca.certificate);
  refused(ErrorCode::kInput, "none.pem", "there is no revocation list");
  options.client_crl = folder.write("over.pem", test::make_revocations(ca, {}, -1));
  refused(ErrorCode::kInput, "over.pem", "list 1 of it is over");
  std::string damaged = test::make_revocations(ca, {server});
  damaged[damaged.size() / 2] = '!';
  options.client_crl = folder.write("damaged.pem", test::make_revocations(ca, {}) + damaged);
  refused(ErrorCode::kInput, "damaged.pem", "list 2 of it is damaged");
  options.client_crl = folder.path() / "absent.pem";
  refused(ErrorCode::kInput, "absent.pem", "");
}

TEST(Revocations, AreLookedUpForAllOfAChain) {
  const TestIdentity root = make_identity({.common_name = "root"});
  const TestIdentity other = make_identity({.common_name = "another root"});
  const TestIdentity anna = make_identity({.common_name = "anna", .signer = &root});
  const TestIdentity bert = make_identity({.common_name = "bert", .signer = &root});
  const auto fault = [](const TestIdentity& authority, const std::string& lists,
                        const TestIdentity& who) {
    const auto read = Revocations::read({"ca.pem", authority.certificate}, {"crl.pem", lists});
    EXPECT_TRUE(read) << read.error().message;
    return read ? read.value()->fault_of(who.certificate, who.certificate) : std::string();
  };
  const std::string lists = test::make_revocations(root, {bert});
  EXPECT_EQ(fault(root, lists, anna), "");
  EXPECT_EQ(fault(root, lists, bert), "the certificate was revoked");
  EXPECT_NE(fault(root, test::make_revocations(other, {}), anna), "") << "no list is missing";
  EXPECT_NE(fault(other, lists, anna), "") << "of an authority that is not trusted any more";
  // A list that another authority of that name has signed counts for nothing.
  const TestIdentity impostor = make_identity({.common_name = "root"});
  EXPECT_NE(fault(root, test::make_revocations(impostor, {}), bert), "");
  const auto read = Revocations::read({"ca.pem", root.certificate}, {"crl.pem", lists});
  EXPECT_NE(read.value()->fault_of("", ""), "");
  EXPECT_NE(read.value()->fault_of("no certificate", ""), "");
}

TEST_F(CredentialsTest, NamesTheFileThatCannotBeUsed) {
  const ServerOptions good = options;
  options.certificate = folder.path() / "absent.pem";
  refused(ErrorCode::kInput, "absent.pem", "");
  options = good;
  options.key = folder.path();
  refused(ErrorCode::kInput, folder.path().string(), "");
  options = good;
  options.certificate = folder.write("empty.pem", "");
  refused(ErrorCode::kInput, "empty.pem", "there is no certificate");
  options.certificate = folder.write("text.pem", "Dear sir,\n");
  refused(ErrorCode::kInput, "text.pem", "there is no certificate");
  options.certificate = good.key;
  refused(ErrorCode::kInput, "server.key", "there is no certificate");
  options = good;
  options.key = good.certificate;
  refused(ErrorCode::kInput, "server.pem", "there is no private key");
  options.key = folder.write("cut.key", server.key.substr(0, 100));
  refused(ErrorCode::kInput, "cut.key", "there is no private key");
  options = good;
  std::string damaged = server.certificate;
  damaged[damaged.size() / 2] = '!';
  options.certificate = folder.write("damaged.pem", damaged);
  refused(ErrorCode::kInput, "damaged.pem", "certificate 1 of it is damaged");
  options.certificate = folder.write("half.pem", server.certificate + damaged);
  refused(ErrorCode::kInput, "half.pem", "certificate 2 of it is damaged");
  options = good;
  options.client_ca = folder.write("ca.pem", "none");
  refused(ErrorCode::kInput, "ca.pem", "there is no certificate");
}

TEST_F(CredentialsTest, FindsAtTheStartWhatWouldFailLater) {
  const ServerOptions good = options;
  options.key = folder.write("other.key", make_identity({.common_name = "other"}).key);
  refused(ErrorCode::kInput, "other.key", "does not belong to the certificate");
  options.key = folder.write("rsa.key", make_identity({.common_name = "x", .bits = 2048}).key);
  refused(ErrorCode::kInput, "rsa.key", "does not belong to the certificate");
  options.key = folder.write("locked.key", test::with_password(server.key));
  refused(ErrorCode::kInput, "locked.key", "has a password");
  options = good;
  const TestIdentity late = make_identity({.common_name = "late", .signer = &ca, .days = -2});
  options.certificate = folder.write("late.pem", late.certificate);
  options.key = folder.write("late.key", late.key);
  refused(ErrorCode::kInput, "late.pem", "expired");
  const TestIdentity weak = make_identity({.common_name = "weak", .signer = &ca, .bits = 512});
  options.certificate = folder.write("weak.pem", weak.certificate);
  options.key = folder.write("weak.key", weak.key);
  refused(ErrorCode::kInput, "weak.pem", "cannot be used");
}

}  // namespace
}  // namespace tocsin::service::credentials_test
