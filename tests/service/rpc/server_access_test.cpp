// Who is let in, and over what; health and reflection; where a server can listen.
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include "service/rpc/health_calls.h"
#include "service/rpc/live_server.h"
#include "support/test_folder.h"

namespace tocsin::server_access_test {
namespace {

using grpc::StatusCode;
using test::call;
using test::health_answer;
using test::health_request;
using test::kNotServing;
using test::kServing;
using test::LiveOptions;
using test::LiveServer;
using test::Stream;
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
}  // namespace tocsin::server_access_test
