// What an operator sees and does by `serve --control`.
#include "service/http/control.h"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "service/rpc/live_server.h"
#include "support/eventually.h"
#include "support/test_folder.h"

namespace tocsin::control_test {
namespace {

using Json = nlohmann::json;
using service::Control;
using service::HttpAnswer;
using test::LiveOptions;
using test::LiveServer;
using test::Stream;

Control control_of(LiveServer& live, service::ControlOptions options = {}) {
  const std::shared_ptr<service::Engine> engine(std::shared_ptr<void>(), &live.engine());
  return {engine, live.server(), std::move(options)};
}

HttpAnswer ask(Control& control, const std::string& path, bool posts = false) {
  service::HttpRequest request;
  request.path = path;
  request.posts = posts;
  return control(request);
}

Json json_of(Control& control, const std::string& path) {
  const HttpAnswer answer = ask(control, path);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.type, "application/json");
  return Json::parse(answer.body);
}

TEST(Control, SaysHowTheServerIs) {
  const test::TestFolder folder;
  LiveOptions options;
  options.engine.record = folder.path();
  options.engine.record_rules.reserve = 0;
  options.engine.most_sessions = 7;
  options.server.memory = std::uint64_t{1} << 40U;
  LiveServer live(options);
  Control control = control_of(live, {.record = folder.path(), .http = "127.0.0.1:9464"});
  const test::Walk walk;
  const auto stub = live.stub();
  Stream stream(*stub);
  stream.open(walk.open());
  ASSERT_TRUE(stream.write(walk.frames(0, 9)));
  EXPECT_EQ(stream.reports(9).size(), 9U);
  {
    Stream gone(*stub);
    gone.open(walk.open());
  }
  ASSERT_TRUE(test::eventually([&] { return live.engine().counts().attached == 1; }));
  const Json now = json_of(control, "/status");
  EXPECT_EQ(now["format"], "tocsin.status.v1");
  EXPECT_EQ(now["listen"], live.address());
  EXPECT_EQ(now["http"], "127.0.0.1:9464");
  EXPECT_EQ(now["ready"], true);
  EXPECT_EQ(now["checks"], Json({{"listener", "ok"}, {"memory", "ok"}, {"disk", "ok"}}));
  EXPECT_EQ(now["sessions"]["now"], 2);
  EXPECT_EQ(now["sessions"]["streaming"], 1);
  EXPECT_EQ(now["sessions"]["limit"], 7);
  EXPECT_EQ(now["sessions"]["by_principal"], Json({{"anyone", 2}}));
  EXPECT_EQ(now["steps"], 9);
  EXPECT_EQ(now["memory"]["budget"], std::uint64_t{1} << 40U);
  EXPECT_EQ(now["disk"]["folder"], folder.path().string());
  ASSERT_EQ(now["rooms"].size(), 1U);
  EXPECT_EQ(now["rooms"][0]["name"], "hall");
  EXPECT_EQ(now["rooms"][0]["backend"], "cpu");
  EXPECT_EQ(now["rooms"][0]["sessions"], 2);

  live.server().leave();
  const Json then = json_of(control, "/status");
  EXPECT_EQ(then["ready"], false);
  EXPECT_NE(then["checks"]["listener"], "ok");
  EXPECT_TRUE(json_of(control, "/status")["disk"].is_object());
}

TEST(Control, ListsSessionsAndEndsOne) {
  LiveServer live;
  Control control = control_of(live);
  EXPECT_EQ(json_of(control, "/sessions")["sessions"], Json::array());
  const test::Walk walk;
  const auto stub = live.stub();
  Stream first(*stub);
  v1::TrackRequest open = walk.open();
  open.mutable_open()->set_label("left \"hand\"");
  const std::string id = first.open(open).session_id();
  ASSERT_TRUE(first.write(walk.frames(0, 9)));
  EXPECT_EQ(first.reports(9).size(), 9U);
  Stream second(*stub);
  const std::string other = second.open(walk.open()).session_id();

  const Json rows = json_of(control, "/sessions")["sessions"];
  ASSERT_EQ(rows.size(), 2U);
  const Json& row = rows[0];
  EXPECT_EQ(row["principal"], "anyone");
  EXPECT_EQ(row["peer"], "127.0.0.1");
  EXPECT_EQ(row["label"], "left \"hand\"");
  EXPECT_EQ(row["room"], "hall");
  EXPECT_EQ(row["state"], "streaming");
  EXPECT_EQ(row["steps"], 9);
  EXPECT_EQ(row["frames"]["covered"], 10);
  EXPECT_EQ(row["frames"]["skipped"], 0);
  EXPECT_GE(row["age"], rows[1]["age"]) << "the oldest first";
  EXPECT_EQ(ask(control, "/sessions").body.find(id), std::string::npos) << "ids are secrets";

  const std::string name = row["session"];
  EXPECT_EQ(ask(control, "/sessions/" + name + "/end").status, 404) << "a GET ends nothing";
  EXPECT_EQ(ask(control, "/sessions/nobody/end", true).status, 404);
  EXPECT_EQ(ask(control, "/sessions//end", true).status, 404);
  EXPECT_EQ(ask(control, "/sessions/" + name + "/end", true).status, 200);
  EXPECT_EQ(first.reports(100).size(), 0U);
  const grpc::Status ended = first.status();
  EXPECT_EQ(ended.error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_EQ(ended.error_message(), "the operator has ended the session");
  EXPECT_EQ(ask(control, "/sessions/" + name + "/end", true).status, 404) << "once";
  v1::TrackRequest resume;
  resume.mutable_resume()->set_session_id(id);
  resume.mutable_resume()->set_received_steps(9);
  EXPECT_EQ(test::refusal(*stub, resume).error_code(), grpc::StatusCode::NOT_FOUND);
  // The other goes on. It may be named by its id, too.
  ASSERT_TRUE(second.write(walk.frames(0, 4)));
  EXPECT_EQ(second.reports(4).size(), 4U);
  EXPECT_EQ(ask(control, "/sessions/" + other + "/end", true).status, 200);
  EXPECT_EQ(second.reports(100).size(), 0U);
  EXPECT_EQ(second.status().error_code(), grpc::StatusCode::PERMISSION_DENIED);
  EXPECT_TRUE(test::eventually([&] { return live.engine().counts().sessions == 0; }));
}

/// Also one that waits to be resumed. Its record is finished.
TEST(Control, EndsSessionsWithoutAStream) {
  const test::TestFolder folder;
  LiveOptions options;
  options.engine.record = folder.path();
  options.engine.record_rules.reserve = 0;
  LiveServer live(options);
  Control control = control_of(live);
  const test::Walk walk;
  const auto stub = live.stub();
  {
    Stream stream(*stub);
    stream.open(walk.open());
    ASSERT_TRUE(stream.write(walk.frames(0, 9)));
    EXPECT_EQ(stream.reports(9).size(), 9U);
  }
  ASSERT_TRUE(test::eventually([&] { return live.engine().counts().attached == 0; }));
  const Json row = json_of(control, "/sessions")["sessions"][0];
  EXPECT_EQ(row["state"], "detached");
  EXPECT_EQ(row["peer"], "");
  EXPECT_EQ(ask(control, "/sessions/" + row["session"].get<std::string>() + "/end", true).status,
            200);
  EXPECT_TRUE(test::eventually([&] { return live.engine().counts().sessions == 0; }));
  const auto ends_with = [&](const std::string& extension) {
    for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
      if (file.path().extension() == extension) return true;
    }
    return false;
  };
  EXPECT_TRUE(ends_with(".jsonl"));
  EXPECT_FALSE(ends_with(".lines"));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "sessions")) << "nobody can take it over";
}

}  // namespace
}  // namespace tocsin::control_test
