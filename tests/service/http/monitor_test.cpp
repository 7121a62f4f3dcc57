// The pages of `serve --http` about a server that clients use and misuse.
#include "service/http/monitor.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "service/records/record_files.h"
#include "service/rpc/call_support.h"
#include "service/rpc/live_server.h"
#include "support/test_folder.h"

namespace tocsin::monitor_test {
namespace {

using service::HttpAnswer;
using service::Monitor;
using test::LiveOptions;
using test::LiveServer;

/// The monitor of a live server, which the test owns.
Monitor monitor_of(LiveServer& live, service::MonitorOptions options = {}) {
  const std::shared_ptr<service::Engine> engine(std::shared_ptr<void>(), &live.engine());
  return {engine, live.server(), std::move(options)};
}

HttpAnswer page(Monitor& monitor, const std::string& path) {
  service::HttpRequest request;
  request.path = path;
  return monitor(request);
}

/// The value of a sample, by its whole name with labels; empty: there is none.
std::string value_of(const std::string& text, const std::string& sample) {
  const std::size_t at = ("\n" + text).find("\n" + sample + " ");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + sample.size() + 1;
  return text.substr(begin, text.find('\n', begin) - begin);
}

/// Two that share, and one that does not.
std::shared_ptr<service::Access> three_principals() {
  const test::TestFolder folder;
  const auto tokens = folder.path() / "tokens.json";
  std::ofstream(tokens) << R"({"format":"tocsin.tokens.v1","tokens":[
    {"name":"studio-a","token":"a-long-enough-token","shares":"film"},
    {"name":"studio-b","token":"b-long-enough-token","shares":"film"},
    {"name":"studio-c","token":"c-long-enough-token"}]})";
  std::filesystem::permissions(tokens, std::filesystem::perms::owner_read);
  return service::Access::load(tokens, {}).value();
}

/// Until the server ends it or the reports of all frames have come.
void walk(const LiveServer& live, const test::Walk& walk, v1::TrackRequest open,
          const std::string& authorization = {}) {
  const auto stub = live.stub();
  grpc::ClientContext context;
  test::prepare(context);
  if (!authorization.empty()) context.AddMetadata("authorization", authorization);
  const auto stream = stub->Track(&context);
  ASSERT_TRUE(stream->Write(open));
  ASSERT_TRUE(stream->Write(walk.frames(0, walk.count() - 1)));
  stream->WritesDone();
  v1::TrackResponse response;
  while (stream->Read(&response)) {
  }
  EXPECT_TRUE(stream->Finish().ok());
}

grpc::Status list_rooms(const LiveServer& live, const std::string& authorization = {}) {
  grpc::ClientContext context;
  test::prepare(context);
  if (!authorization.empty()) context.AddMetadata("authorization", authorization);
  v1::ListEnvironmentsResponse response;
  return live.stub()->ListEnvironments(&context, {}, &response);
}

TEST(Monitor, SaysWhetherItIsReady) {
  const test::TestFolder folder;
  const auto record = folder.path() / "records";
  std::filesystem::create_directory(record);
  LiveServer live;
  Monitor monitor = monitor_of(live, {.record = record});
  EXPECT_EQ(page(monitor, "/healthz").status, 200);
  EXPECT_EQ(page(monitor, "/readyz").status, 200);
  EXPECT_EQ(page(monitor, "/readyz").body, "listener: ok\nmemory: ok\ndisk: ok\n");
  EXPECT_EQ(page(monitor, "/other").status, 404);
  EXPECT_EQ(value_of(page(monitor, "/metrics").body, "tocsin_ready"), "1");

  std::filesystem::remove(record);
  EXPECT_EQ(page(monitor, "/readyz").status, 503);
  EXPECT_NE(page(monitor, "/readyz").body.find("disk: records cannot be written"),
            std::string::npos);
  EXPECT_EQ(value_of(page(monitor, "/metrics").body, "tocsin_ready"), "0");
  std::filesystem::create_directory(record);
  EXPECT_EQ(page(monitor, "/readyz").status, 200);

  live.server().stop(std::chrono::milliseconds(0));
  EXPECT_EQ(page(monitor, "/readyz").status, 503);
  EXPECT_TRUE(page(monitor, "/readyz").body.starts_with("listener: the server closes"));
  EXPECT_EQ(page(monitor, "/healthz").status, 200) << "it lives, and must not be restarted";
}

TEST(Monitor, SaysThatTheBudgetIsUsedUp) {
  LiveOptions options;
  options.server.memory = 1;
  LiveServer live(options);
  Monitor monitor = monitor_of(live);
  EXPECT_EQ(page(monitor, "/readyz").status, 503);
  EXPECT_NE(page(monitor, "/readyz").body.find("memory: the budget"), std::string::npos);
}

TEST(Monitor, SaysThatTheQuotaIsUsedUp) {
  const test::TestFolder folder;
  const auto record = folder.path() / "records";
  std::filesystem::create_directory(record);
  const auto poses = record / "20260301-120000-000001-5d0c7c.poses";
  std::ofstream(poses) << std::string(4097, ' ');
  const service::LockedFile held(poses);  // as if it were being written: it is not deleted
  LiveOptions options;
  options.engine.record = record;
  options.engine.record_rules.reserve = 0;
  for (const std::uint64_t quota : {4096U, 4097U}) {
    options.engine.record_rules.quota = quota;
    LiveServer live(options);
    Monitor monitor = monitor_of(live, {.record = record});
    EXPECT_EQ(page(monitor, "/readyz").status, quota == 4096 ? 503 : 200);
    const bool said =
        page(monitor, "/readyz").body.find("disk: the quota is used up") != std::string::npos;
    EXPECT_EQ(said, quota == 4096);
  }
}

TEST(Monitor, CountsWhoIsNotAdmitted) {
  LiveOptions options;
  options.access = three_principals();
  LiveServer live(options);
  Monitor monitor = monitor_of(live);
  EXPECT_FALSE(list_rooms(live).ok());
  EXPECT_FALSE(list_rooms(live, "Bearer another-long-token").ok());
  EXPECT_FALSE(list_rooms(live, "Bearer one-more-long-token").ok());
  EXPECT_TRUE(list_rooms(live, "Bearer a-long-enough-token").ok());
  const std::string text = page(monitor, "/metrics").body;
  const std::string failures = "tocsin_authentication_failures_total";
  EXPECT_EQ(value_of(text, failures + "{reason=\"no_token\"}"), "1");
  EXPECT_EQ(value_of(text, failures + "{reason=\"wrong_token\"}"), "2");
  EXPECT_EQ(value_of(text, failures + "{reason=\"certificate\"}"), "0");
  EXPECT_EQ(value_of(text, "tocsin_refusals_total{cause=\"authentication\"}"), "3");
  EXPECT_EQ(value_of(text, "tocsin_refusals_total{cause=\"invalid\"}"), "0");
  EXPECT_EQ(text.find("studio-a"), std::string::npos) << "principals are not named";
}

TEST(Monitor, CountsASession) {
  LiveServer live;
  Monitor monitor = monitor_of(live);
  const test::Walk walk;
  const auto stub = live.stub();
  grpc::ClientContext context;
  test::prepare(context);
  const auto stream = stub->Track(&context);
  ASSERT_TRUE(stream->Write(walk.open()));
  ASSERT_TRUE(stream->Write(walk.frames(0, 9)));
  v1::TrackResponse response;
  int steps = 0;
  while (steps < 9 && stream->Read(&response)) steps += response.reports().reports_size();
  const std::string text = page(monitor, "/metrics").body;
  EXPECT_EQ(value_of(text, "tocsin_sessions{state=\"streaming\"}"), "1");
  EXPECT_EQ(value_of(text, "tocsin_sessions_opened_total"), "1");
  EXPECT_EQ(value_of(text, "tocsin_frames_total{fate=\"covered\"}"), "10");
  EXPECT_EQ(value_of(text, "tocsin_steps_total"), "9");
  EXPECT_EQ(value_of(text, "tocsin_step_seconds_count{stage=\"checked\"}"), "9");
  EXPECT_EQ(value_of(text, "tocsin_step_seconds_count{stage=\"total\"}"), "9");
  EXPECT_EQ(value_of(text, "tocsin_room_sessions{room=\"hall\"}"), "1");
  EXPECT_EQ(value_of(text, "tocsin_connections_accepted_total"), "1");
  ASSERT_TRUE(stream->Write(walk.open()));  // a second opening is refused
  while (stream->Read(&response)) {
  }
  EXPECT_EQ(stream->Finish().error_code(), grpc::StatusCode::INVALID_ARGUMENT);
  EXPECT_EQ(value_of(page(monitor, "/metrics").body, "tocsin_refusals_total{cause=\"invalid\"}"),
            "1");
}

HttpAnswer events(Monitor& monitor, std::optional<std::string> authorization = {},
                  const std::string& host = "127.0.0.1:9464", const std::string& peer = {}) {
  service::HttpRequest request;
  request.peer = peer;
  request.path = "/v1/events";
  request.host = host;
  request.authorization = std::move(authorization);
  return monitor(request);
}

/// What a stream says now, without its comments.
std::string said(HttpAnswer& answer) {
  std::string out;
  for (std::size_t before = 1; before != out.size();) {
    before = out.size();
    EXPECT_TRUE(answer.stream->next(out));
  }
  const std::string comment = ": nothing new\n\n";
  while (out.find(comment) != std::string::npos) out.erase(out.find(comment), comment.size());
  return out;
}

TEST(Monitor, TellsPrincipalsTheirEvents) {
  LiveOptions options;
  options.access = three_principals();
  LiveServer live(options);
  Monitor monitor = monitor_of(live);
  EXPECT_EQ(events(monitor).status, 401);
  EXPECT_EQ(events(monitor).headers, "WWW-Authenticate: Bearer\r\n");
  EXPECT_EQ(events(monitor, "Bearer another-long-token").status, 401);
  EXPECT_EQ(events(monitor, "a-long-enough-token").status, 401);
  HttpAnswer a = events(monitor, "Bearer a-long-enough-token", "any.name");
  HttpAnswer b = events(monitor, "Bearer b-long-enough-token");
  HttpAnswer c = events(monitor, "Bearer c-long-enough-token");
  ASSERT_TRUE(a.stream && b.stream && c.stream);
  EXPECT_EQ(a.type, "text/event-stream");
  const test::Walk take;
  v1::TrackRequest open = take.open();
  walk(live, take, open, "Bearer a-long-enough-token");
  EXPECT_NE(said(a).find("\"principal\":\"studio-a\""), std::string::npos);
  EXPECT_EQ(said(b), "") << "it meets nobody";
  EXPECT_EQ(said(c), "");
  open.mutable_open()->set_meet(true);
  walk(live, take, open, "Bearer a-long-enough-token");
  EXPECT_NE(said(a).find("\"principal\":\"studio-a\""), std::string::npos);
  EXPECT_NE(said(b).find("\"principal\":\"studio-a\""), std::string::npos) << "of its group";
  EXPECT_EQ(said(c), "") << "of no group";
  const std::string text = page(monitor, "/metrics").body;
  EXPECT_EQ(value_of(text, "tocsin_event_listeners"), "3");
  EXPECT_EQ(value_of(text, "tocsin_authentication_failures_total{reason=\"no_token\"}"), "2");
}

/// One admission for both ports: an address that guesses here is slowed down, and named in the log.
TEST(Monitor, SlowsDownWhoGuessesTokens) {
  LiveOptions options;
  options.access = three_principals();
  std::vector<std::string> failed;
  options.server.events =
      std::make_shared<service::EventLog>([&failed](const service::LogEvent& event) {
        if (event.event == "authentication_failed") failed.push_back(event.peer);
      });
  LiveServer live(options);
  Monitor monitor = monitor_of(live);
  int refused = 0;
  int slowed = 0;
  const auto guess = [&] {
    return events(monitor, "Bearer another-long-token", "any.name", "192.0.2.7").status;
  };
  int guesses = 0;
  for (; guesses < 30 || (slowed == 0 && guesses < 10'000); ++guesses) {
    const int status = guess();
    refused += status == 401 ? 1 : 0;
    slowed += status == 429 ? 1 : 0;
  }
  EXPECT_EQ(refused + slowed, guesses);
  EXPECT_GE(refused, 10);
  EXPECT_GT(slowed, 0) << refused;
  ASSERT_FALSE(failed.empty());
  EXPECT_EQ(failed.front(), "192.0.2.7");
  EXPECT_EQ(events(monitor, "Bearer a-long-enough-token", "any.name", "192.0.2.8").status, 200)
      << "others are not slowed down";
  const auto caller = service::caller_of("ipv4:192.0.2.7:40817");
  // A second later it may guess once more: where the machine stops meanwhile it did.
  EXPECT_TRUE(test::eventually([&] {
    (void)guess();
    service::Turned why;
    return !live.server().admission().is_open(caller, why) && why.too_often;
  })) << "nor may it guess by gRPC";
}

TEST(Monitor, KeepsEventsFromOthers) {
  LiveServer live;
  Monitor open = monitor_of(live);
  for (const char* host :
       {"127.0.0.1:9464", "localhost:9464", "LocalHost", "[::1]:9464", "192.0.2.7"}) {
    EXPECT_EQ(events(open, {}, host).status, 200) << host;
  }
  for (const char* host : {"", "example.com", "localhost.example.com:9464", "127.0.0.1.example"}) {
    EXPECT_EQ(events(open, {}, host).status, 421) << host << ": a page of that name asks";
  }
  Monitor remote = monitor_of(live, {.local = false});
  EXPECT_EQ(events(remote, "Bearer a-long-enough-token").status, 403);
  Monitor certificates = monitor_of(live, {.by_names = true});
  EXPECT_EQ(events(certificates).status, 403);
}

TEST(Monitor, BoundsListeners) {
  LiveServer live;
  Monitor monitor = monitor_of(live);
  std::vector<HttpAnswer> all;
  for (std::size_t i = 0; i < service::EventHub::kMostOfOne; ++i) {
    all.push_back(events(monitor));
    EXPECT_EQ(all.back().status, 200);
  }
  EXPECT_EQ(events(monitor).status, 503);
  all.pop_back();
  EXPECT_EQ(events(monitor).status, 200);
}

/// The page has all that it needs in itself.
TEST(Monitor, ShowsAPageThatLoadsNothing) {
  LiveServer live;
  Monitor monitor = monitor_of(live);
  const HttpAnswer answer = page(monitor, "/");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.type, "text/html; charset=utf-8");
  EXPECT_NE(answer.headers.find("default-src 'none'"), std::string::npos);
  EXPECT_NE(answer.body.find("fetch(\"/v1/events\""), std::string::npos);
  for (const char* outside : {"http:", "https:", "//cdn", " src=", " href=", "@import", "url("}) {
    EXPECT_EQ(answer.body.find(outside), std::string::npos) << outside;
  }
  EXPECT_EQ(answer.body.find("innerHTML"), std::string::npos) << "names are text, never markup";
}

/// Addresses as gRPC writes them. Of IPv6 a network is one peer.
TEST(Callers, AreToldApartByAddress) {
  using service::caller_of;
  EXPECT_EQ(caller_of("ipv4:192.0.2.7:40817").shown, "192.0.2.7");
  EXPECT_EQ(caller_of("ipv4:192.0.2.7:40817").key, caller_of("ipv4:192.0.2.7:1").key);
  EXPECT_NE(caller_of("ipv4:192.0.2.7:1").key, caller_of("ipv4:192.0.2.8:1").key);
  for (const char* peer : {"ipv6:%5B2001:db8::1%5D:40817", "ipv6:[2001:db8::1]:40817"}) {
    EXPECT_EQ(caller_of(peer).shown, "2001:db8::1");
    EXPECT_EQ(caller_of(peer).key, caller_of("ipv6:[2001:db8::ffff]:1").key);
    EXPECT_NE(caller_of(peer).key, caller_of("ipv6:[2001:db8:0:1::1]:1").key);
    EXPECT_FALSE(caller_of(peer).key.empty());
  }
  // A zone is no part of who it is: fe80::1 at eth0.
  EXPECT_EQ(caller_of("ipv6:%5Bfe80::1%25eth0%5D:1").key, caller_of("ipv6:[fe80::2]:1").key);
  EXPECT_FALSE(caller_of("ipv6:%5Bfe80::1%25eth0%5D:1").key.empty());
  for (const char* peer : {"ipv4:127.0.0.1:1", "ipv6:%5B::1%5D:1", "ipv6:[::ffff:127.0.0.1]:1"}) {
    EXPECT_EQ(caller_of(peer).key, "") << peer;
  }
  for (const char* peer : {"unix:/run/tocsin", "unix:", "", "ipv4:", "ipv4"}) {
    EXPECT_EQ(caller_of(peer).shown, "local") << peer;
    EXPECT_EQ(caller_of(peer).key, "") << peer;
  }
}

TEST(Monitor, BoundsScrapes) {
  LiveServer live;
  Monitor monitor = monitor_of(live);
  int refused = 0;
  for (int i = 0; i < 1000; ++i) refused += page(monitor, "/metrics").status == 429 ? 1 : 0;
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 1000);
}

}  // namespace
}  // namespace tocsin::monitor_test
