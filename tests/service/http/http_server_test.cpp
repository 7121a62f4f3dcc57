// The HTTP server by raw sockets: what it answers, and that hostile clients are bounded and closed.
#include "service/http/http_server.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/eventually.h"
#include "support/net/raw_socket.h"
#include "support/test_folder.h"

namespace tocsin::http_server_test {
namespace {

using service::HttpAnswer;
using service::HttpLimits;
using service::HttpRequest;
using service::HttpServer;
using std::chrono::milliseconds;
using test::RawSocket;

constexpr double kSoon = 120.0;  // seconds; only a hang takes so long

std::string request_of(const std::string& path) {
  return "GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
}

/// Counts up, a line each time.
class Lines final : public service::HttpStream {
 public:
  explicit Lines(std::shared_ptr<std::atomic<int>> alive) : alive_(std::move(alive)) { ++*alive_; }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;
  ~Lines() override { --*alive_; }
  bool next(std::string& out) override {
    out += "line " + std::to_string(count_++) + "\n";
    return true;
  }

 private:
  std::shared_ptr<std::atomic<int>> alive_;
  int count_ = 0;
};

class HttpServerTest : public testing::Test {
 protected:
  void serve(HttpLimits limits = {}) {
    const auto address = service::parse_listen_address("127.0.0.1:0");
    auto opened = HttpServer::open(*address, limits, nullptr);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    server_ = std::move(opened).value();
    server_->start([this](const HttpRequest& request) { return answer(request); });
    address_ = "127.0.0.1:" + std::to_string(server_->port());
  }
  HttpAnswer answer(const HttpRequest& request) {
    ++asked_;
    HttpAnswer out;
    if (request.path == "/large") out.body.assign(std::size_t{8} << 20U, 'x');
    if (request.path == "/small") out.body = "small\n";
    if (request.path == "/peer") out.body = "peer " + request.peer + "\n";
    if (request.path == "/lines") out.stream = std::make_unique<Lines>(streams_);
    return out;
  }
  std::string ask(const std::string& bytes) const {
    RawSocket socket(address_);
    EXPECT_TRUE(socket.send(bytes));
    std::string out = socket.receive(kSoon);
    EXPECT_TRUE(socket.hung_up()) << "it is closed after the answer";
    return out;
  }

  std::atomic<int> asked_{0};
  std::shared_ptr<std::atomic<int>> streams_ = std::make_shared<std::atomic<int>>(0);
  std::unique_ptr<HttpServer> server_;
  std::string address_;
};

TEST_F(HttpServerTest, AnswersAndCloses) {
  serve();
  const std::string said = ask(request_of("/small"));
  EXPECT_TRUE(said.starts_with("HTTP/1.1 200 OK\r\n")) << said;
  EXPECT_NE(said.find("\r\nContent-Length: 6\r\n"), std::string::npos);
  EXPECT_NE(said.find("\r\nConnection: close\r\n"), std::string::npos);
  EXPECT_TRUE(said.ends_with("\r\n\r\nsmall\n")) << said;
  EXPECT_EQ(ask(request_of("/large")).size() >> 20U, 8U);
}

TEST_F(HttpServerTest, SaysWhereARequestCameFrom) {
  serve();
  EXPECT_NE(ask(request_of("/peer")).find("peer 127.0.0.1\n"), std::string::npos);
}

/// What is behind it is for the server's user alone. An old file is replaced; that of another
/// server stays.
TEST_F(HttpServerTest, ASocketFileMayBeItsOwnersAlone) {
  const test::TestFolder folder;
  const auto file = folder.path() / "control.sock";
  auto address = service::parse_listen_address("unix:" + file.string());
  ASSERT_TRUE(address.ok());
  address->owner_only = true;
  const mode_t before = ::umask(0);
  auto opened = HttpServer::open(*address, {}, nullptr);
  ::umask(before);
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  using std::filesystem::perms;
  EXPECT_EQ(std::filesystem::status(file).permissions(), perms::owner_read | perms::owner_write);
  // Another server has taken its place.
  std::filesystem::rename(file, folder.path() / "old.sock");
  auto next = HttpServer::open(*address, {}, nullptr);
  ASSERT_TRUE(next.ok()) << next.error().message;
  opened.value().reset();
  EXPECT_TRUE(std::filesystem::exists(file)) << "it is the next server's";
  next.value().reset();
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(HttpServerTest, NeverTakesASecondRequest) {
  serve();
  const std::string said = ask(request_of("/small") + request_of("/large") + request_of("/small"));
  EXPECT_TRUE(said.ends_with("\r\n\r\nsmall\n"));
  EXPECT_EQ(asked_, 1);
  const std::string hidden = "Content-Length: 40\r\n\r\n" + request_of("/large");
  const std::string refused = ask("GET /small HTTP/1.1\r\nHost: a\r\n" + hidden);
  EXPECT_TRUE(refused.starts_with("HTTP/1.1 400 ")) << refused;
  EXPECT_EQ(asked_, 1);
  EXPECT_NE(ask("POST / HTTP/1.1\r\nHost: a\r\n\r\n").find("\r\nAllow: GET\r\n"),
            std::string::npos);
}

TEST_F(HttpServerTest, AnswersAClientThatHasClosedItsSide) {
  serve();
  RawSocket socket(address_);
  ASSERT_TRUE(socket.send(request_of("/large")));
  socket.half_close();
  EXPECT_EQ(socket.receive(kSoon).size() >> 20U, 8U);
}

/// A byte now and then does not buy time.
TEST_F(HttpServerTest, EndsSlowHeads) {
  HttpLimits limits;
  limits.head = milliseconds(300);
  serve(limits);
  RawSocket slow(address_);
  const RawSocket silent(address_);
  for (int i = 0; i < 2000 && slow.send("G"); ++i) {
    std::this_thread::sleep_for(milliseconds(10));
    if (slow.receive(0.001); slow.hung_up()) break;
  }
  EXPECT_TRUE(slow.hung_up());
  EXPECT_EQ(asked_, 0);
}

TEST_F(HttpServerTest, EndsEndlessHeads) {
  serve();
  RawSocket socket(address_);
  ASSERT_TRUE(socket.send("GET / HTTP/1.1\r\nHost: a\r\n"));
  std::string said;
  for (int i = 0; i < 1000 && !socket.hung_up(); ++i) {
    if (!socket.send("X: " + std::string(1000, 'a') + "\r\n")) break;
    said += socket.receive(0.001);
  }
  said += socket.receive(kSoon);
  EXPECT_TRUE(socket.hung_up());
  EXPECT_TRUE(said.empty() || said.starts_with("HTTP/1.1 431 ")) << said;
  EXPECT_EQ(asked_, 0);
}

/// Clients that take no answer end when their time is over; others do not wait for them.
TEST_F(HttpServerTest, EndsClientsThatDoNotRead) {
  HttpLimits limits;
  limits.answer = milliseconds(300);
  serve(limits);
  RawSocket deaf(address_);
  ASSERT_TRUE(deaf.send(request_of("/large")));
  ASSERT_TRUE(test::eventually([this] { return asked_ == 1; }));
  // It has no longer than the other: where the machine stops meanwhile it asks again.
  EXPECT_TRUE(test::eventually([this] {
    RawSocket quick(address_);
    return quick.send(request_of("/small")) && quick.receive(kSoon).ends_with("small\n");
  }));
  EXPECT_TRUE(test::eventually([&] { return !deaf.send("x"); })) << "it is closed";
}

/// Ten times as many silent connections as it keeps, and an honest client among them each time.
TEST_F(HttpServerTest, SilentFloodsDoNotKeepOthersOut) {
#ifdef __SANITIZE_THREAD__
  // Here clients are in the same process, so a number that was closed may be one of theirs by then.
  GTEST_SKIP()
      << "ConnectionCounts asks the system about closed descriptors: no race, but reported";
#endif
  HttpLimits limits;
  limits.connections = 16;
  limits.head = std::chrono::minutes(10);
  serve(limits);
  std::vector<std::unique_ptr<RawSocket>> silent;
  for (int i = 0; i < 160; ++i) {
    silent.push_back(std::make_unique<RawSocket>(address_));
    if (i % 10 == 0) {
      EXPECT_TRUE(ask(request_of("/small")).ends_with("small\n")) << i;
    }
  }
  EXPECT_EQ(asked_, 16);
  EXPECT_TRUE(test::eventually([&] {
    int closed = 0;
    for (const auto& one : silent) {
      if (!one->hung_up()) one->receive(0.001);
      closed += one->hung_up() ? 1 : 0;
    }
    return closed >= 160 - 16;
  }));
}

TEST_F(HttpServerTest, StreamsUntilTheClientLeaves) {
  serve();
  {
    RawSocket socket(address_);
    ASSERT_TRUE(socket.send(request_of("/lines")));
    const std::string said = socket.receive(kSoon, "line 5\n");
    EXPECT_NE(said.find("\r\n\r\nline 0\nline 1\n"), std::string::npos) << said;
    EXPECT_EQ(said.find("Content-Length"), std::string::npos);
    EXPECT_EQ(*streams_, 1);
    EXPECT_TRUE(ask(request_of("/small")).ends_with("small\n")) << "others do not wait";
  }
  EXPECT_TRUE(test::eventually([this] { return *streams_ == 0; }));
  RawSocket last(address_);
  ASSERT_TRUE(last.send(request_of("/lines")));
  ASSERT_TRUE(test::eventually([this] { return *streams_ == 1; }));
  server_.reset();
  EXPECT_EQ(*streams_, 0) << "the server's end ends them";
}

}  // namespace
}  // namespace tocsin::http_server_test
