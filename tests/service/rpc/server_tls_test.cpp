// Certificates: whom a server trusts, and what it reads again while it serves.
#include <gtest/gtest.h>

#include <string>

#include "service/access/test_certificates.h"
#include "service/rpc/live_server.h"
#include "support/test_folder.h"

namespace tocsin::server_tls_test {
namespace {

using grpc::StatusCode;
using test::LiveOptions;
using test::LiveServer;
using test::make_identity;
using test::Stream;
using test::TestIdentity;
using test::Walk;

grpc::Status list_rooms_of(v1::CollisionService::Stub& stub) {
  grpc::ClientContext context;
  test::prepare(context);
  v1::ListEnvironmentsResponse response;
  return stub.ListEnvironments(&context, {}, &response);
}

class Tls : public testing::Test {
 protected:
  Tls() {
    options.server.certificate = folder.write("server.pem", server.certificate);
    options.server.key = folder.write("server.key", server.key);
  }
  std::shared_ptr<grpc::ChannelCredentials> trusting(const TestIdentity& authority,
                                                     const TestIdentity* own = nullptr) {
    grpc::SslCredentialsOptions out;
    out.pem_root_certs = authority.certificate;
    if (own != nullptr) {
      out.pem_cert_chain = own->certificate;
      out.pem_private_key = own->key;
    }
    return grpc::SslCredentials(out);
  }
  static grpc::Status list_with(const LiveServer& live,
                                const std::shared_ptr<grpc::ChannelCredentials>& credentials) {
    return list_rooms_of(*v1::CollisionService::NewStub(live.channel(credentials)));
  }

  test::TestFolder folder;
  TestIdentity ca = make_identity({.common_name = "house CA"});
  TestIdentity stranger = make_identity({.common_name = "another CA"});
  TestIdentity server = make_identity({.common_name = "server", .signer = &ca});
  LiveOptions options;
};

TEST_F(Tls, ServesWhoTrustsItsAuthority) {
  LiveServer live(options);
  EXPECT_TRUE(list_with(live, trusting(ca)).ok());
  EXPECT_EQ(list_with(live, trusting(stranger)).error_code(), StatusCode::UNAVAILABLE);
  EXPECT_EQ(list_with(live, grpc::InsecureChannelCredentials()).error_code(),
            StatusCode::UNAVAILABLE);
  const Walk walk(0.2);
  const auto stub = v1::CollisionService::NewStub(live.channel(trusting(ca)));
  Stream stream(*stub);
  stream.open(walk.open());
  ASSERT_TRUE(stream.write(walk.frames(0, 1)));
  EXPECT_EQ(stream.reports(1).size(), 1U);
}

TEST_F(Tls, AsksForClientCertificates) {
  options.server.client_ca = folder.write("ca.pem", ca.certificate);
  LiveServer live(options);
  const TestIdentity anna =
      make_identity({.common_name = "anna", .signer = &ca, .other_names = ""});
  const TestIdentity bert =
      make_identity({.common_name = "bert", .signer = &ca, .other_names = ""});
  const TestIdentity eve = make_identity({.common_name = "anna", .signer = &stranger});
  const TestIdentity late = make_identity({.common_name = "anna", .signer = &ca, .days = -2});
  EXPECT_TRUE(list_with(live, trusting(ca, &anna)).ok());
  EXPECT_EQ(list_with(live, trusting(ca)).error_code(), StatusCode::UNAVAILABLE);
  EXPECT_EQ(list_with(live, trusting(ca, &eve)).error_code(), StatusCode::UNAVAILABLE);
  EXPECT_EQ(list_with(live, trusting(ca, &late)).error_code(), StatusCode::UNAVAILABLE);
  // The certificate says who it is.
  const Walk walk(0.2);
  const auto of_anna = v1::CollisionService::NewStub(live.channel(trusting(ca, &anna)));
  const auto of_bert = v1::CollisionService::NewStub(live.channel(trusting(ca, &bert)));
  std::string id;
  {
    Stream stream(*of_anna);
    id = stream.open(walk.open()).session_id();
  }
  v1::TrackRequest resume;
  resume.mutable_resume()->set_session_id(id);
  EXPECT_EQ(test::refusal(*of_bert, resume).error_code(), StatusCode::NOT_FOUND);
  Stream again(*of_anna);
  EXPECT_EQ(again.open(resume).session_id(), id);
}

/// A URI or a DNS name comes before the common name. Without any, all would be one principal.
TEST_F(Tls, CertificatesMustNameSomebody) {
  options.server.client_ca = folder.write("ca.pem", ca.certificate);
  LiveServer live(options);
  const auto open = [&](const std::string& common_name, const std::string& other_names,
                        const std::string& session = {}) {
    const TestIdentity who =
        make_identity({.common_name = common_name, .signer = &ca, .other_names = other_names});
    const auto stub = v1::CollisionService::NewStub(live.channel(trusting(ca, &who)));
    v1::TrackRequest request = Walk(0.2).open();
    if (!session.empty()) request.mutable_resume()->set_session_id(session);
    Stream stream(*stub);
    stream.write(request);
    const auto answer = stream.read();
    return answer ? answer->opened().session_id() : stream.status().error_message().substr(0, 29);
  };
  const std::string nobody = "the certificate names nobody:";
  EXPECT_EQ(open("", ""), nobody);
  EXPECT_EQ(open("", "IP:127.0.0.1"), nobody);
  EXPECT_EQ(open("anyone", ""), nobody);
  EXPECT_EQ(open("bert", "DNS:a.example,DNS:b.example"), nobody) << "ambiguous";
  EXPECT_EQ(open(std::string(65, 'n').substr(0, 3) + "\x1b", ""), nobody);
  // Resuming shows who is who.
  const std::string id = open("anna", "URI:spiffe://house/anna");
  EXPECT_EQ(open("bert", "DNS:b.example,URI:spiffe://house/anna", id), id);
  EXPECT_NE(open("anna", "", id), id);
  EXPECT_NE(open("anna", "URI:spiffe://house/bert", id), id);
  const std::string by_dns = open("x", "DNS:anna.example");
  EXPECT_EQ(open("y", "DNS:anna.example", by_dns), by_dns);
}

/// New files are for connections from then on. A stream that is there goes on, and files that are
/// wrong change nothing.
TEST_F(Tls, ReadsItsFilesAgainWhileStreamsGoOn) {
  options.server.client_ca = folder.write("ca.pem", ca.certificate);
  LiveServer live(options);
  const TestIdentity anna =
      make_identity({.common_name = "anna", .signer = &ca, .other_names = ""});
  const TestIdentity next_ca = make_identity({.common_name = "next CA"});
  const TestIdentity next_anna =
      make_identity({.common_name = "anna", .signer = &next_ca, .other_names = ""});
  const TestIdentity next_server = make_identity({.common_name = "next", .signer = &next_ca});
  const Walk walk(0.5);
  const auto stub = v1::CollisionService::NewStub(live.channel(trusting(ca, &anna)));
  Stream stream(*stub);
  stream.open(walk.open());
  ASSERT_TRUE(stream.write(walk.frames(0, 4)));
  EXPECT_EQ(stream.reports(4).size(), 4U);

  folder.write("server.pem", next_server.certificate);  // its key is still the old one
  const Status half = live.server().reload_credentials();
  ASSERT_FALSE(half);
  EXPECT_NE(half.error().message.find("does not belong"), std::string::npos);
  EXPECT_TRUE(list_with(live, trusting(ca, &anna)).ok()) << "the old ones stay";

  folder.write("server.key", next_server.key);
  folder.write("ca.pem", next_ca.certificate);
  ASSERT_TRUE(live.server().reload_credentials());
  EXPECT_TRUE(list_with(live, trusting(next_ca, &next_anna)).ok());
  EXPECT_FALSE(list_with(live, trusting(ca, &anna)).ok());
  EXPECT_FALSE(list_with(live, trusting(next_ca, &anna)).ok()) << "its CA is not the clients' now";
  ASSERT_TRUE(stream.write(walk.frames(5, 14)));
  EXPECT_EQ(stream.reports(10).size(), 10U) << "the stream goes on";
}

/// A list that is read later holds for connections that were there before, too.
TEST_F(Tls, RefusesRevokedCertificates) {
  const TestIdentity anna =
      make_identity({.common_name = "anna", .signer = &ca, .other_names = ""});
  const TestIdentity bert =
      make_identity({.common_name = "bert", .signer = &ca, .other_names = ""});
  options.server.client_ca = folder.write("ca.pem", ca.certificate);
  options.server.client_crl = folder.write("revoked.pem", test::make_revocations(ca, {bert}));
  LiveServer live(options);
  const auto of_anna = v1::CollisionService::NewStub(live.channel(trusting(ca, &anna)));
  EXPECT_TRUE(list_rooms_of(*of_anna).ok()) << list_rooms_of(*of_anna).error_message();
  const grpc::Status refused = list_with(live, trusting(ca, &bert));
  EXPECT_EQ(refused.error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(refused.error_message(), "the certificate was revoked");
  const Walk walk(0.5);
  Stream stream(*of_anna);
  stream.open(walk.open());

  folder.write("revoked.pem", "nothing");
  EXPECT_FALSE(live.server().reload_credentials());
  EXPECT_TRUE(list_rooms_of(*of_anna).ok()) << "the old list stays";
  folder.write("revoked.pem", test::make_revocations(ca, {anna}));
  ASSERT_TRUE(live.server().reload_credentials());
  EXPECT_EQ(list_rooms_of(*of_anna).error_message(), "the certificate was revoked");
  EXPECT_FALSE(list_with(live, trusting(ca, &anna)).ok());
  EXPECT_TRUE(list_with(live, trusting(ca, &bert)).ok());
  ASSERT_TRUE(stream.write(walk.frames(0, 9)));
  EXPECT_EQ(stream.reports(9).size(), 9U) << "the stream goes on";
}

}  // namespace
}  // namespace tocsin::server_tls_test
