#include "service/rpc/listen_address.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "service/rpc/server.h"

namespace tocsin::service {
namespace {

TEST(ListenAddress, TakesThreeFormsApart) {
  const auto v4 = parse_listen_address("10.0.0.7:50051");
  ASSERT_TRUE(v4) << v4.error().message;
  EXPECT_EQ(v4->host, "10.0.0.7");
  EXPECT_EQ(v4->port, 50051);
  EXPECT_EQ(shown_address(*v4, 4000), "10.0.0.7:4000");
  const auto v6 = parse_listen_address("[::1]:0");
  ASSERT_TRUE(v6) << v6.error().message;
  EXPECT_EQ(v6->host, "::1");
  EXPECT_EQ(v6->port, 0);
  EXPECT_EQ(shown_address(*v6, 4000), "[::1]:4000");
  const auto file = parse_listen_address("unix:/tmp/tocsin.socket");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->path, "/tmp/tocsin.socket");
  EXPECT_EQ(shown_address(*file, 0), "unix:/tmp/tocsin.socket");
}

TEST(ListenAddress, KnowsWhatOnlyThisMachineReaches) {
  const std::vector<std::string> near{
      "127.0.0.1:1", "127.255.0.3:1",        "localhost:1",        "[::1]:1",
      "unix:/tmp/s", "[::ffff:127.0.0.1]:1", "[0:0:0:0:0:0:0:1]:1"};
  const std::vector<std::string> far{"0.0.0.0:1",          "[::]:1",          "128.0.0.1:1",
                                     "10.127.0.1:1",       "localhost.org:1", "[::2]:1",
                                     "[::ffff:8.8.8.8]:1", "127.1:1",         "LOCALHOST.:1",
                                     "127.0.0.1.example:1"};
  for (const std::string& text : near) {
    const auto address = parse_listen_address(text);
    EXPECT_TRUE(address && address->loopback) << text;
  }
  for (const std::string& text : far) {
    const auto address = parse_listen_address(text);
    EXPECT_TRUE(address && !address->loopback) << text;
  }
}

TEST(ListenAddress, RefusesWhatIsNone) {
  const std::vector<std::string> bad{"",
                                     "50051",
                                     "127.0.0.1",
                                     ":50051",
                                     "127.0.0.1:",
                                     "127.0.0.1:65536",
                                     "127.0.0.1:-1",
                                     "127.0.0.1:+1",
                                     "127.0.0.1:1 ",
                                     "127.0.0.1:0x10",
                                     "127.0.0.1:99999999999999999999",
                                     "::1:50051",
                                     "[::1]",
                                     "[::1",
                                     "[]:1",
                                     "[localhost]:1",
                                     "[::1%lo]:1",
                                     "ipv4:127.0.0.1:1",
                                     "dns:///localhost:1",
                                     "local host:1",
                                     "unix:",
                                     "unix:relative",
                                     "unix:/" + std::string(107, 'x'),
                                     "unix-abstract:name:1"};
  for (const std::string& text : bad) {
    const auto address = parse_listen_address(text);
    ASSERT_FALSE(address) << text;
    EXPECT_EQ(address.error().code, ErrorCode::kUsage) << text;
    EXPECT_NE(address.error().message.find("cannot listen on"), std::string::npos);
  }
}

struct Listening {
  const char* listen;
  bool tls;
  bool tokens;
  bool client_ca;
  bool insecure;
  const char* missing;  ///< part of the message; null: may listen
};

TEST(CheckListening, NeedsTlsAndKnownClientsOffLoopback) {
  const std::vector<Listening> table{
      {"127.0.0.1:1", false, false, false, false, nullptr},
      {"127.9.9.9:1", false, false, false, false, nullptr},
      {"[::1]:1", false, false, false, false, nullptr},
      {"localhost:1", false, false, false, false, nullptr},
      {"unix:/tmp/s", false, false, false, false, nullptr},
      {"0.0.0.0:1", false, false, false, false, "needs TLS, and tokens or client certificates"},
      {"[::]:1", false, false, false, false, "needs TLS, and tokens or client certificates"},
      {"studio:1", false, false, false, false, "needs TLS, and tokens or client certificates"},
      {"0.0.0.0:1", false, true, false, false, "needs TLS ("},
      {"0.0.0.0:1", true, false, false, false, "needs tokens or client certificates"},
      {"0.0.0.0:1", true, true, false, false, nullptr},
      {"0.0.0.0:1", true, false, true, false, nullptr},
      {"0.0.0.0:1", true, true, true, false, nullptr},
      {"0.0.0.0:1", false, false, false, true, nullptr},
      {"nonsense", true, true, true, true, "expected HOST:PORT"},
  };
  for (const Listening& row : table) {
    ServerOptions options;
    options.listen = row.listen;
    if (row.tls) options.certificate = options.key = "a.pem";
    if (row.client_ca) options.client_ca = "ca.pem";
    options.insecure = row.insecure;
    const Status status = check_listening(options, row.tokens);
    EXPECT_EQ(status.ok(), row.missing == nullptr) << row.listen;
    if (row.missing == nullptr) continue;
    EXPECT_EQ(status.error().code, ErrorCode::kUsage);
    EXPECT_NE(status.error().message.find(row.missing), std::string::npos)
        << status.error().message;
  }
}

}  // namespace
}  // namespace tocsin::service
