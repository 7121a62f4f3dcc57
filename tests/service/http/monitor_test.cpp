// The pages of `serve --http` about a server that clients use and misuse.
#include "service/http/monitor.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "service/rpc/live_server.h"
#include "support/test_folder.h"

namespace tocsin {
namespace {

using service::HttpAnswer;
using service::Monitor;
using test::LiveOptions;
using test::LiveServer;

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
  const auto engine = std::shared_ptr<service::Engine>(std::shared_ptr<void>(), &live.engine());
  Monitor monitor(engine, live.server(), record);
  EXPECT_EQ(page(monitor, "/healthz").status, 200);
  EXPECT_EQ(page(monitor, "/readyz").status, 200);
  EXPECT_EQ(page(monitor, "/readyz").body, "listener: ok\nmemory: ok\ndisk: ok\n");
  EXPECT_EQ(page(monitor, "/other").status, 404);
  EXPECT_EQ(value_of(page(monitor, "/metrics").body, "tocsin_ready"), "1");

  std::filesystem::remove(record);
  EXPECT_EQ(page(monitor, "/readyz").status, 503);
  EXPECT_NE(page(monitor, "/readyz").body.find("disk: less than"), std::string::npos);
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
  const auto engine = std::shared_ptr<service::Engine>(std::shared_ptr<void>(), &live.engine());
  Monitor monitor(engine, live.server(), {});
  EXPECT_EQ(page(monitor, "/readyz").status, 503);
  EXPECT_NE(page(monitor, "/readyz").body.find("memory: the budget"), std::string::npos);
}

TEST(Monitor, CountsWhoIsNotAdmitted) {
  const test::TestFolder folder;
  const auto tokens = folder.path() / "tokens.json";
  std::ofstream(tokens) << R"({"format":"tocsin.tokens.v1","tokens":[
    {"name":"studio-a","token":"a-long-enough-token"}]})";
  std::filesystem::permissions(tokens, std::filesystem::perms::owner_read);
  LiveOptions options;
  options.access = service::Access::load(tokens, {}).value();
  LiveServer live(options);
  const auto engine = std::shared_ptr<service::Engine>(std::shared_ptr<void>(), &live.engine());
  Monitor monitor(engine, live.server(), {});
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
  const auto engine = std::shared_ptr<service::Engine>(std::shared_ptr<void>(), &live.engine());
  Monitor monitor(engine, live.server(), {});
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

TEST(Monitor, BoundsScrapes) {
  LiveServer live;
  const auto engine = std::shared_ptr<service::Engine>(std::shared_ptr<void>(), &live.engine());
  Monitor monitor(engine, live.server(), {});
  int refused = 0;
  for (int i = 0; i < 1000; ++i) refused += page(monitor, "/metrics").status == 429 ? 1 : 0;
  EXPECT_GT(refused, 0);
  EXPECT_LT(refused, 1000);
}

}  // namespace
}  // namespace tocsin
