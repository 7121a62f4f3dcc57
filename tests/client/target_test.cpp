// Where a connection may lead, by the letters.
#include "client/target.h"

#include <gtest/gtest.h>

namespace tocsin::detail::target_test {
namespace {

TEST(Target, HostAndPortOrSocket) {
  for (const char* const good :
       {"localhost:50051", "127.0.0.1:1", "[::1]:65535", "a.b-c_d:80", "unix:/run/tocsin.sock"}) {
    EXPECT_TRUE(check_target(good).ok()) << good;
  }
}

TEST(Target, AnythingElseIsRefused) {
  for (const char* const bad :
       {"", "localhost", "localhost:", "localhost:0", "localhost:65536", "localhost:x", ":50051",
        "::1", "::1:50051", "[::1]", "http://localhost:80", "a b:80", "host:80 ", "unix:", "a\n:1",
        "dns:///host:80", "host:+80", "host:-1"}) {
    const Status checked = check_target(bad);
    ASSERT_FALSE(checked.ok()) << bad;
    EXPECT_EQ(checked.error().code, ErrorCode::kUsage);
    EXPECT_NE(checked.error().message.find("HOST:PORT"), std::string::npos);
  }
}

TEST(Target, Loopback) {
  for (const char* const here :
       {"localhost:1", "127.0.0.1:1", "127.255.0.3:1", "[::1]:1", "unix:/x"}) {
    EXPECT_TRUE(is_loopback(here)) << here;
  }
  for (const char* const away : {"127.0.0.1.example.com:1", "localhost.example.com:1",
                                 "128.0.0.1:1", "[::2]:1", "127.a:1", "10.0.0.1:1"}) {
    EXPECT_FALSE(is_loopback(away)) << away;
  }
}

}  // namespace
}  // namespace tocsin::detail::target_test
