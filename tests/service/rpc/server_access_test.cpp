// Who is let in, and over what; health and reflection; where a server can listen.
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "service/access/test_certificates.h"
#include "service/rpc/health_calls.h"
#include "service/rpc/live_server.h"
#include "support/test_folder.h"

namespace tocsin {
namespace {

using grpc::StatusCode;
using test::call;
using test::health_answer;
using test::health_request;
using test::kNotServing;
using test::kServing;
using test::LiveOptions;
using test::LiveServer;
using test::make_identity;
using test::Stream;
using test::TestIdentity;
using test::Walk;

grpc::Status list(v1::CollisionService::Stub& stub, const std::string& token = "") {
  grpc::ClientContext context;
  test::prepare(context, token);
  v1::ListEnvironmentsResponse response;
  return stub.ListEnvironments(&context, {}, &response);
}

TEST(ServerAccess, HealthSaysWhetherItServes) {
  LiveServer live;
  for (const std::string service : {"", "tocsin.v1.CollisionService"}) {
    std::string answer;
    EXPECT_TRUE(
        call(live.channel(), "/grpc.health.v1.Health/Check", health_request(service), answer).ok());
    EXPECT_EQ(answer, health_answer(kServing)) << service;
  }
  std::string answer;
  EXPECT_EQ(call(live.channel(), "/grpc.health.v1.Health/Check", health_request("else"), answer)
                .error_code(),
            StatusCode::NOT_FOUND);
}

TEST(ServerAccess, WatchersHearThatItStops) {
  LiveServer live;
  grpc::GenericStub stub(live.channel());
  grpc::ClientContext context;
  test::prepare(context);
  grpc::CompletionQueue queue;
  void* tag = nullptr;
  bool ok = false;
  const auto stream = stub.PrepareCall(&context, "/grpc.health.v1.Health/Watch", &queue);
  stream->StartCall(nullptr);
  ASSERT_TRUE(queue.Next(&tag, &ok) && ok);
  const grpc::Slice nothing;
  stream->WriteLast(grpc::ByteBuffer(&nothing, 1), grpc::WriteOptions(), nullptr);
  ASSERT_TRUE(queue.Next(&tag, &ok));
  const auto read = [&] {
    grpc::ByteBuffer bytes;
    stream->Read(&bytes, nullptr);
    std::string out;
    if (!queue.Next(&tag, &ok) || !ok) return out;
    std::vector<grpc::Slice> slices;
    EXPECT_TRUE(bytes.Dump(&slices).ok());
    for (const grpc::Slice& s : slices) out.append(s.begin(), s.end());
    return out;
  };
  EXPECT_EQ(read(), health_answer(kServing));
  std::thread stopper([&] { live.server().stop(std::chrono::milliseconds(0)); });
  EXPECT_EQ(read(), health_answer(kNotServing));
  stopper.join();
  grpc::Status status;
  stream->Finish(&status, nullptr);
  ASSERT_TRUE(queue.Next(&tag, &ok));
}

TEST(ServerAccess, ReflectionDescribesTheService) {
  LiveServer live;
  const std::string method = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo";
  std::string answer;
  // ServerReflectionRequest.list_services is field 7.
  EXPECT_TRUE(call(live.channel(), method, std::string("\x3a\x01*", 3), answer).ok());
  EXPECT_NE(answer.find("tocsin.v1.CollisionService"), std::string::npos);
  EXPECT_NE(answer.find("grpc.health.v1.Health"), std::string::npos);
  // ... and file_containing_symbol is field 4.
  const std::string symbol = "tocsin.v1.TrackRequest";
  answer.clear();
  EXPECT_TRUE(call(live.channel(), method,
                   std::string("\x22") + static_cast<char>(symbol.size()) + symbol, answer)
                  .ok());
  EXPECT_NE(answer.find("collision.proto"), std::string::npos);
  EXPECT_NE(answer.find("safe_until"), std::string::npos);
}

class Tokens : public testing::Test {
 protected:
  static constexpr const char* kA = "token-of-studio-a-0123456789";
  static constexpr const char* kB = "token-of-studio-b-0123456789";
  Tokens() {
    const auto file = folder.write(
        "tokens.json",
        std::string(R"({"format":"tocsin.tokens.v1","tokens":[{"name":"studio-a","token":")") + kA +
            R"(","limits":{"sessions":2,"links":20}},{"name":"studio-b","token":")" + kB +
            R"(","limits":{"may_load":false}}]})");
    ::chmod(file.c_str(), 0600);
    auto access = service::Access::load(file, {});
    EXPECT_TRUE(access) << access.error().message;
    options.access = std::move(access).value();
  }
  test::TestFolder folder;
  LiveOptions options;
};

TEST_F(Tokens, OnlyThoseLetIn) {
  LiveServer live(options);
  const auto stub = live.stub();
  EXPECT_EQ(list(*stub).error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_EQ(list(*stub, "not-a-token-of-ours-0000000").error_code(), StatusCode::UNAUTHENTICATED);
  EXPECT_TRUE(list(*stub, kA).ok());
  const Walk walk(0.2);
  EXPECT_EQ(test::refusal(*stub, walk.open()).error_code(), StatusCode::UNAUTHENTICATED);
  Stream stream(*stub, kA);
  EXPECT_FALSE(stream.open(walk.open()).session_id().empty());
  // Two of them are none.
  grpc::ClientContext context;
  test::prepare(context, kA);
  context.AddMetadata("authorization", std::string("Bearer ") + kB);
  v1::ListAvatarModelsResponse models;
  EXPECT_EQ(stub->ListAvatarModels(&context, {}, &models).error_code(),
            StatusCode::UNAUTHENTICATED);
}

TEST_F(Tokens, AreNeededForEveryCall) {
  LiveServer live(options);
  const auto stub = live.stub();
  grpc::ClientContext unload;
  v1::UnloadEnvironmentRequest request;
  request.set_name("hall");
  v1::UnloadEnvironmentResponse unloaded;
  EXPECT_EQ(stub->UnloadEnvironment(&unload, request, &unloaded).error_code(),
            StatusCode::UNAUTHENTICATED);
  grpc::ClientContext models;
  v1::ListAvatarModelsResponse listed;
  EXPECT_EQ(stub->ListAvatarModels(&models, {}, &listed).error_code(), StatusCode::UNAUTHENTICATED);
  grpc::ClientContext load;
  v1::LoadEnvironmentResponse loaded;
  EXPECT_EQ(stub->LoadEnvironment(&load, &loaded)->Finish().error_code(),
            StatusCode::UNAUTHENTICATED);
}

TEST_F(Tokens, IdsAreOnlyGoodForWhoOpened) {
  LiveServer live(options);
  const Walk walk(0.2);
  const auto stub = live.stub();
  Stream stream(*stub, kA);
  v1::TrackRequest resume;
  resume.mutable_resume()->set_session_id(stream.open(walk.open()).session_id());
  EXPECT_EQ(test::refusal(*stub, resume, kB).error_code(), StatusCode::NOT_FOUND);
  // It was not disturbed by that.
  ASSERT_TRUE(stream.write(walk.frames(0, 1)));
  EXPECT_EQ(stream.reports(1).size(), 1U);
}

TEST_F(Tokens, HaveLimitsOfTheirOwn) {
  LiveServer live(options);
  const Walk walk(0.2);
  const auto stub = live.stub();
  Stream one(*stub, kA);
  one.open(walk.open());
  Stream two(*stub, kA);
  two.open(walk.open());
  EXPECT_EQ(test::refusal(*stub, walk.open(), kA).error_code(), StatusCode::RESOURCE_EXHAUSTED);
  Stream other(*stub, kB);
  other.open(walk.open());
  v1::TrackRequest automatic = walk.open();  // one link a bone: more than 20
  automatic.mutable_open()->set_model("humanoid_hands");
  two.cancel();
  two.status();
  const grpc::Status links = test::refusal(*stub, automatic, kA);
  EXPECT_NE(links.error_code(), StatusCode::OK);
  grpc::ClientContext context;
  test::prepare(context, kB);
  v1::LoadEnvironmentResponse loaded;
  EXPECT_EQ(stub->LoadEnvironment(&context, &loaded)->Finish().error_code(),
            StatusCode::PERMISSION_DENIED);
}

TEST_F(Tokens, AreNotAskedForHealthAndReflection) {
  LiveServer live(options);
  std::string answer;
  EXPECT_TRUE(call(live.channel(), "/grpc.health.v1.Health/Check", "", answer).ok());
  EXPECT_TRUE(call(live.channel(), "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
                   std::string("\x3a\x01*", 3), answer)
                  .ok());
}

/// Two avatars in one place touch each other, but only those who share are told.
TEST_F(Tokens, OthersAreNotMet) {
  for (const bool share : {false, true}) {
    if (share) {
      for (const char* const token : {kA, kB}) {
        options.access->admit(std::string("Bearer ") + token, "")->shares = "film";
      }
    }
    LiveServer live(options);
    const Walk walk(0.2);
    v1::TrackRequest open = walk.open();
    open.mutable_open()->set_meet(true);
    const auto stub = live.stub();
    Stream a(*stub, kA);
    Stream b(*stub, kB);
    a.open(open);
    b.open(open);
    std::uint32_t members = 0;
    const int most = share ? 1000 : 12;
    for (int frame = 0; frame < most && members < 2; ++frame) {
      a.write(walk.frames(frame, frame));
      b.write(walk.frames(frame, frame));
      for (const v1::StepReport& report : a.reports(1)) {
        members = std::max(members, report.tick().members());
      }
    }
    EXPECT_EQ(members, share ? 2U : 1U);
  }
}

TEST_F(Tokens, OpeningsAreBounded) {
  const auto principal = options.access->admit(std::string("Bearer ") + kA, "");
  principal->limits.opens_per_second = 1e-3;  // one, and then none for a quarter of an hour
  LiveServer live(options);
  const Walk walk(0.2);
  const auto stub = live.stub();
  Stream first(*stub, kA);
  first.open(walk.open());
  const grpc::Status fast = test::refusal(*stub, walk.open(), kA);
  EXPECT_EQ(fast.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_NE(fast.error_message().find("opens_per_second"), std::string::npos);
  principal->limits.opens_per_second = 1e6;
  principal->limits.failures_per_second = 1e-3;
  v1::TrackRequest bad = walk.open();
  bad.mutable_open()->set_margin(-1);
  EXPECT_EQ(test::refusal(*stub, bad, kA).error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(test::refusal(*stub, bad, kA).error_code(), StatusCode::RESOURCE_EXHAUSTED);
  // Others are not disturbed.
  EXPECT_EQ(test::refusal(*stub, bad, kB).error_code(), StatusCode::INVALID_ARGUMENT);
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
    return list(*v1::CollisionService::NewStub(live.channel(credentials)));
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

TEST(ServerStart, ATakenPortIsAnError) {
  LiveServer live;
  service::ServerOptions options;
  options.listen = live.address();
  const auto second = service::Server::start(options, test::idle_engine(),
                                             std::make_shared<service::Access>(service::Limits{}));
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kResource);
  EXPECT_EQ(second.error().message,
            "cannot listen on " + live.address() + ": Address already in use");
}

TEST(ServerStart, ListensOnASocketFile) {
  test::TestFolder folder;
  LiveOptions options;
  options.server.listen = "unix:" + (folder.path() / "tocsin.socket").string();
  {
    LiveServer live(options);
    EXPECT_EQ(live.address(), options.server.listen);
    EXPECT_TRUE(list(*live.stub()).ok());
    const auto second = service::Server::start(
        options.server, test::idle_engine(), std::make_shared<service::Access>(service::Limits{}));
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::kResource);
    EXPECT_NE(second.error().message.find("another program listens there already"),
              std::string::npos);
    EXPECT_TRUE(list(*live.stub()).ok());
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "tocsin.socket"));
}

TEST(ServerStart, RefusesToBeReachedByEverybody) {
  service::ServerOptions options;
  options.listen = "0.0.0.0:0";
  const auto started = service::Server::start(options, test::idle_engine(),
                                              std::make_shared<service::Access>(service::Limits{}));
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::kUsage);
}

}  // namespace
}  // namespace tocsin
