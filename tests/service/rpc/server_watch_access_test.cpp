// Who may watch what, how many, and what is refused.
#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "service/access/tokens_file.h"
#include "service/rpc/live_client.h"
#include "service/rpc/live_server.h"

namespace tocsin::server_watch_access_test {
namespace {

using test::LiveOptions;
using test::LiveServer;
using test::Own;
using test::Seen;
using test::Walk;

class ServerWatchTokens : public testing::Test {
 protected:
  static LiveOptions options(const std::filesystem::path& tokens) {
    LiveOptions out;
    out.access = service::Access::load(tokens, {}).value();
    return out;
  }
  static std::string token(const std::string& name, const std::string& more = "") {
    return R"({"name":")" + name + R"(","token":")" + name + R"(-0123456789abcdef")" + more + "}";
  }
  [[nodiscard]] Connection as(const std::string& name) const {
    return test::connect(live, name + "-0123456789abcdef");
  }
  StreamEnd watched_by(const Connection& connection, Seen& seen) const {
    const Watch watch = connection.watch({}, seen.handler()).value();
    EXPECT_TRUE(seen.until([&] { return seen.end.has_value() || !seen.sessions.empty(); }));
    return seen.end.value_or(StreamEnd::kEnded);
  }

  const test::TestFolder folder;
  LiveServer live{options(service::write_tokens(
      folder, service::document(token("ann", R"(,"shares":"film")") + "," +
                                token("bob", R"(,"shares":"film")") + "," + token("eve"))))};
};

TEST_F(ServerWatchTokens, EachSeesItsOwnAndWhomItMeets) {
  const Walk walk(0.2);
  Seen refused;
  EXPECT_EQ(watched_by(test::connect(live), refused), StreamEnd::kRefused);
  EXPECT_NE(refused.error.message.find("a token is needed"), std::string::npos)
      << refused.error.message;
  Seen wrong;
  EXPECT_EQ(watched_by(test::connect(live, "mallory-0123456789abcdef"), wrong),
            StreamEnd::kRefused);

  Own own;
  Own met;
  TrackOptions meets = walk.options();
  meets.meet = true;
  meets.label = "met";
  const Connection ann = as("ann");
  const LiveSession alone = ann.track(walk.options(), own.handler()).value();
  const LiveSession in_meeting = ann.track(meets, met.handler()).value();
  ASSERT_TRUE(test::eventually([&] { return live.engine().counts().sessions == 2; }));
  Seen by_ann;
  Seen by_bob;
  Seen by_eve;
  const Connection bob = as("bob");
  const Connection eve = as("eve");
  const Watch first = ann.watch({}, by_ann.handler()).value();
  const Watch second = bob.watch({}, by_bob.handler()).value();
  const Watch third = eve.watch({}, by_eve.handler()).value();
  ASSERT_TRUE(by_ann.until([&] { return by_ann.sessions.size() == 2; }));
  ASSERT_TRUE(by_bob.until([&] { return by_bob.sessions.size() == 1; }));
  EXPECT_EQ(by_bob.sessions.begin()->second.label, "met");
  EXPECT_EQ(by_bob.sessions.begin()->second.principal, "ann");
  Own eves;
  LiveSession other = eve.track(walk.options(), eves.handler()).value();
  ASSERT_TRUE(by_eve.until([&] { return by_eve.sessions.size() == 1; }));
  EXPECT_EQ(by_eve.sessions.begin()->second.principal, "eve") << "its own, and no other";
  // Nor may it have the room of another's session by the session's name.
  const std::string name = by_bob.sessions.begin()->first;
  EXPECT_TRUE(bob.room_head({{}, name}));
  const auto stolen = eve.room_head({{}, name});
  ASSERT_FALSE(stolen);
  EXPECT_NE(stolen.error().message.find("no such session"), std::string::npos);
}

TEST(ServerWatch, LimitsAndWrongRequestsAreNamed) {
  LiveServer live;
  const Connection connection = test::connect(live);
  const auto refusal = [&](const WatchOptions& what) {
    Seen seen;
    const Watch watch = connection.watch(what, seen.handler()).value();
    EXPECT_TRUE(seen.until([&] { return seen.end.has_value(); }));
    EXPECT_EQ(seen.end, StreamEnd::kRefused);
    EXPECT_EQ(seen.begun, 0U) << "who is refused";
    return seen.error.message;
  };
  EXPECT_NE(refusal({.environment = "cellar"}).find("there is no room \"cellar\""),
            std::string::npos);
  WatchOptions many;
  many.sessions.assign(1025, "x");
  EXPECT_NE(refusal(many).find("1025 names"), std::string::npos);
  std::vector<std::unique_ptr<Seen>> seen;
  std::vector<Watch> watches;
  for (int i = 0; i < 8; ++i) {
    seen.push_back(std::make_unique<Seen>());
    watches.push_back(connection.watch({}, seen.back()->handler()).value());
  }
  ASSERT_TRUE(test::eventually([&] { return live.engine().watch().watchers() == 8; }));
  EXPECT_NE(refusal({}).find("as many watchers"), std::string::npos);
  watches.clear();
  ASSERT_TRUE(test::eventually([&] { return live.engine().watch().watchers() == 0; }));
}

}  // namespace
}  // namespace tocsin::server_watch_access_test
