#include "service/rpc/listen_address.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "service/rpc/descriptors.h"
#include "service/rpc/listener.h"
#include "service/rpc/server.h"
#include "support/test_folder.h"

namespace tocsin::service::listen_address_test {
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

TEST(Descriptors, SessionsThatDoNotFitAreSaidOrFewer) {
  const auto plain = plan_descriptors(1'000'000, 10'000, false, 2);
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_EQ(plain->sessions, 10'000U);
  EXPECT_EQ(plain->connections.all, 65'536U);
  EXPECT_EQ(plain->connections.of_peer, 4096U);
  // A session has a connection, and with records two files, or three that are synced.
  for (const std::size_t records : {0U, 2U, 3U}) {
    const std::size_t each = 1 + records;
    const auto fewer = plan_descriptors(1024, 10'000, false, records);
    ASSERT_TRUE(fewer);
    EXPECT_EQ(fewer->sessions, (1024U - 128U) / each);
    EXPECT_EQ(plan_descriptors(1024, fewer->sessions, true, records)->sessions, fewer->sessions);
    EXPECT_GE(fewer->connections.all, fewer->sessions + 32);
    EXPECT_LE(fewer->connections.all + fewer->sessions * (each - 1) + 96, 1024U);
    const auto refused = plan_descriptors(1024, fewer->sessions + 1, true, records);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kResource);
    EXPECT_NE(refused.error().message.find("the limit is 1024, enough for " +
                                           std::to_string(fewer->sessions)),
              std::string::npos)
        << refused.error().message;
  }
  EXPECT_FALSE(plan_descriptors(128, 1, false, 0));
}

/// Two connected sockets.
struct Pair {
  Pair() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0); }
  std::array<int, 2> ends{};
};

TEST(Connections, CountUntilTheyAreClosed) {
  ConnectionCounts counts({.all = 3, .of_peer = 2});
  const Pair one;
  const Pair two;
  EXPECT_TRUE(counts.enter(one.ends[0], "a"));
  EXPECT_TRUE(counts.enter(one.ends[1], "a"));
  EXPECT_FALSE(counts.enter(two.ends[0], "a")) << "of one peer";
  EXPECT_TRUE(counts.enter(two.ends[0], "b"));
  EXPECT_FALSE(counts.enter(two.ends[1], "c")) << "in all";
  // The descriptor of a closed one is another socket's now, or a file's.
  ::close(one.ends[0]);
  const Descriptor again(::dup(two.ends[1]));
  EXPECT_EQ(again.get(), one.ends[0]);
  EXPECT_TRUE(counts.enter(again.get(), "a"));
  EXPECT_EQ(counts.open(), 3U);
  EXPECT_FALSE(counts.enter(two.ends[1], ""));
  for (const int end : {one.ends[1], two.ends[0], two.ends[1]}) ::close(end);
  EXPECT_FALSE(counts.enter(1'000'000, "c")) << "no descriptor";
}

TEST(Connections, APeerIsAMachineOrItsNetwork) {
  const auto v4 = [](const char* text) {
    sockaddr_storage out{};
    auto& address = reinterpret_cast<sockaddr_in&>(out);
    address.sin_family = AF_INET;
    EXPECT_EQ(::inet_pton(AF_INET, text, &address.sin_addr), 1);
    return peer_of(out);
  };
  const auto v6 = [](const char* text) {
    sockaddr_storage out{};
    auto& address = reinterpret_cast<sockaddr_in6&>(out);
    address.sin6_family = AF_INET6;
    EXPECT_EQ(::inet_pton(AF_INET6, text, &address.sin6_addr), 1);
    return peer_of(out);
  };
  EXPECT_EQ(v4("192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(v6("::ffff:192.0.2.7"), "192.0.2.7");
  EXPECT_EQ(v6("2001:db8::1"), v6("2001:db8::ffff:2"));
  EXPECT_NE(v6("2001:db8::1"), v6("2001:db8:0:1::1"));
  for (const std::string& local : {v4("127.0.0.1"), v4("127.9.9.9"), v6("::1"),
                                   v6("::ffff:127.0.0.1"), peer_of(sockaddr_storage{})}) {
    EXPECT_EQ(local, "");
  }
}

/// A bare machine has no /etc/hosts, and does not know its own name.
bool knows_localhost() {
  addrinfo* found = nullptr;
  const bool out = ::getaddrinfo("localhost", nullptr, nullptr, &found) == 0;
  if (out) ::freeaddrinfo(found);
  return out;
}

TEST(Listener, AcceptsOnEveryAddressAndConnectsToItself) {
  const test::TestFolder folder;
  const std::string file = "unix:" + (folder.path() / "s").string();
  std::vector<std::string> texts{"127.0.0.1:0", "0.0.0.0:0", file};
  if (knows_localhost()) texts.emplace_back("localhost:0");
  for (const std::string& text : texts) {
    const auto address = parse_listen_address(text);
    ASSERT_TRUE(address);
    auto listener = Listener::open(*address, {.all = 10, .of_peer = 10}, nullptr);
    ASSERT_TRUE(listener) << text << ": " << listener.error().message;
    Listener& open = **listener;
    EXPECT_FALSE(open.answers(std::chrono::milliseconds(10))) << "nobody accepts yet";
    std::atomic<int> taken{0};
    open.start([&](int descriptor) {
      ::close(descriptor);
      ++taken;
    });
    EXPECT_TRUE(open.answers(std::chrono::seconds(60))) << text;
    EXPECT_LE(taken, 1) << "the one that nobody accepted before";
    open.stop();
    EXPECT_FALSE(open.answers(std::chrono::milliseconds(10)));
  }
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "s"));
}

}  // namespace
}  // namespace tocsin::service::listen_address_test
