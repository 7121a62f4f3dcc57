// The listener of a server: descriptors that run out, and too many connections.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "service/rpc/health_calls.h"
#include "service/rpc/live_server.h"

namespace tocsin::server_listener_test {
namespace {

using grpc::StatusCode;
using test::health_answer;
using test::LiveOptions;
using test::LiveServer;

grpc::Status list_rooms(v1::CollisionService::Stub& stub) {
  grpc::ClientContext context;
  test::prepare(context);
  v1::ListEnvironmentsResponse response;
  return stub.ListEnvironments(&context, {}, &response);
}

/// Descriptors run out, and are free again: who waits is accepted then, and health says so.
TEST(ServerListener, SurvivesThatNoDescriptorIsFree) {
  LiveOptions options;
  options.server.listener_check = std::chrono::milliseconds(20);
  LiveServer live(options);
  const auto before = live.channel();
  const auto health = [&] {
    std::string answer;
    EXPECT_TRUE(test::call(before, "/grpc.health.v1.Health/Check", "", answer).ok());
    return answer;
  };
  EXPECT_EQ(health(), health_answer(test::kServing));
  const int client = ::socket(AF_INET, SOCK_STREAM, 0);
  struct rlimit was {};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &was), 0);
  struct rlimit low = was;
  low.rlim_cur = std::min<rlim_t>(was.rlim_cur, 256);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);
  std::vector<int> taken;
  for (int copy = ::dup(client); copy >= 0; copy = ::dup(client)) taken.push_back(copy);
  EXPECT_EQ(errno, EMFILE);
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const std::string port = live.address().substr(live.address().find(':') + 1);
  there.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
  EXPECT_EQ(::connect(client, reinterpret_cast<const sockaddr*>(&there), sizeof(there)), 0);
  EXPECT_TRUE(test::eventually([&] { return health() == health_answer(test::kNotServing); }));
  for (const int copy : taken) ::close(copy);
  EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &was), 0);
  EXPECT_TRUE(test::eventually([&] { return health() == health_answer(test::kServing); }));
  EXPECT_TRUE(list_rooms(*live.stub()).ok());
  char byte = 0;  // gRPC's first bytes: it was accepted
  EXPECT_EQ(::recv(client, &byte, 1, 0), 1);
  ::close(client);
}

TEST(ServerListener, ConnectionsAreBounded) {
  LiveOptions options;
  options.server.connections.all = 2;
  LiveServer live(options);
  const auto first = live.stub();
  EXPECT_TRUE(list_rooms(*first).ok());
  {
    const auto second = live.stub();
    EXPECT_TRUE(list_rooms(*second).ok());
    const auto refused = live.stub();
    EXPECT_EQ(list_rooms(*refused).error_code(), StatusCode::UNAVAILABLE);
  }
  EXPECT_TRUE(list_rooms(*first).ok()) << "others go on";
  // gRPC does not say when a connection is closed.
  EXPECT_TRUE(test::eventually([&] { return list_rooms(*live.stub()).ok(); }));
}

}  // namespace
}  // namespace tocsin::server_listener_test
