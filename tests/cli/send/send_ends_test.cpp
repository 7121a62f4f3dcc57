// `tocsin send` that is interrupted, whose server ends, and whose streams break.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <future>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/send/sent.h"
#include "soak/serve_process.h"
#include "support/eventually.h"
#include "support/net/cutting_proxy.h"
#include "support/net/raw_socket.h"

namespace tocsin::test::send_ends_test {
namespace {

/// What a command says waits on its terminal, and at last the command for that.
void read_on(RunningCommand& command) { (void)command.wait_for("no such text", 0.01); }

/// Sessions that have steps, of the server with this socket.
std::size_t walking(const std::string& control) {
  const CommandResult said = run_tocsin({"sessions", "--control", control, "--json"});
  std::size_t out = 0;
  if (said.status != 0) return out;
  const Json all = Json::parse(said.out);
  for (const Json& row : all["sessions"]) out += row["steps"] > 0 ? 1 : 0;
  return out;
}

/// A counter of the server's /metrics; none: it was asked too often.
std::optional<std::uint64_t> counter_of(const ServeProcess& server, const std::string& name) {
  const std::string& said = server.said();
  const std::string before = " http on ";
  RawSocket socket(said.substr(said.find(before) + before.size()));
  socket.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const std::string text = socket.receive(60.0);
  const std::size_t at = text.find("\n" + name + " ");
  if (at == std::string::npos) return std::nullopt;
  return std::strtoull(text.c_str() + at + name.size() + 2, nullptr, 10);
}

TEST(Send, CtrlCEndsTheSessionsAndShowsWhatThereIs) {
  const TemporaryFolder folder;
  const ServeProcess server({"--env", kRoom}, folder.full("log"));
  RunningCommand command({"send", kTake, "--to", server.address(), "--seconds", "600", "--avatars",
                          "3", "--out", "sent.json"},
                         folder.path());
  ASSERT_TRUE(command.wait_for("steps/s", 60.0)) << command.terminal();  // some are done
  command.send(SIGINT);
  EXPECT_EQ(command.finish(), 0) << command.terminal();
  EXPECT_NE(command.terminal().find("interrupted"), std::string::npos) << command.terminal();
  const Json object = Json::parse(folder.read("sent.json"));
  EXPECT_EQ(object["interrupted"], true);
  EXPECT_GT(object["steps"], 0);
  expect_no_gap(object);
}

TEST(Send, AServerThatShutsDownSaysSo) {
  const TemporaryFolder folder;
  const std::string control = folder.full("control");
  ServeProcess server({"--env", kRoom, "--control", control}, folder.full("log"));
  RunningCommand command(
      {"send", kTake, "--to", server.address(), "--seconds", "600", "--out", "sent.json"},
      folder.path());
  std::future<CommandResult> table = std::async(std::launch::async, [&server] {
    return run_tocsin(
        {"send", kTake, "--to", server.address(), "--avatars", "2", "--seconds", "600"});
  });
  ASSERT_TRUE(eventually([&] {
    read_on(command);
    return walking(control) == 3;
  }));
  server.send(SIGTERM);
  EXPECT_EQ(command.finish(), 4) << command.terminal();
  EXPECT_EQ(server.wait(60.0), 0);
  const Json object = Json::parse(folder.read("sent.json"));
  EXPECT_EQ(object["gaps"], 0);
  EXPECT_EQ(object["sessions"]["closing"], 1);
  EXPECT_EQ(object["sessions"]["refused"], 0);
  EXPECT_GT(object["steps"], 0);
  // What the server said of it is what was reported. Frames count from 0, and some were skipped.
  EXPECT_EQ(object["closed"]["steps"], object["steps"]);
  EXPECT_GE(object["closed"]["to"]["id"], object["steps"]);
  EXPECT_LE(object["closed"]["to"]["id"], object["frames"]["sent"]);
  EXPECT_GE(object["closed"]["unchecked_frames"], 0);
  const CommandResult shown = table.get();
  EXPECT_EQ(shown.status, 4) << shown.err;
  EXPECT_TRUE(matches(shown.out,
                      "Closed +the server shut down: it had covered [0-9]+ steps, up to frame "
                      "[0-9]+ in the first session; [0-9]+ frames? unchecked"))
      << shown.out;
  EXPECT_TRUE(matches(shown.out, "nothing covers what came after their last report")) << shown.out;
}

constexpr std::uint64_t kCuts = 3;

/// What `tocsin send` found with so many avatars, through a proxy that resets all connections
/// several times: whenever all are streaming, and so many steps of theirs are done since. Then it
/// is interrupted.
Json sent_with_cuts(std::uint64_t avatars, std::vector<std::string> more, std::uint64_t steps) {
  const TemporaryFolder folder;
  const ServeProcess server({"--env", kRoom, "--http", "0"}, folder.full("log"));
  CuttingProxy proxy(server.address());
  std::vector<std::string> arguments{"send",      kTake,      "--to",      proxy.address(),
                                     "--seconds", "6000",     "--avatars", std::to_string(avatars),
                                     "--out",     "sent.json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  RunningCommand command(arguments, folder.path());
  const auto reaches = [&](const std::string& name, std::uint64_t count) {
    std::optional<std::uint64_t> now;
    EXPECT_TRUE(eventually([&] {
      read_on(command);
      now = counter_of(server, name);
      return now && *now >= count;
    })) << name;
    return now.value_or(0);
  };
  reaches("tocsin_sessions_opened_total", avatars);
  for (std::uint64_t cuts = 0;; ++cuts) {
    reaches("tocsin_sessions_resumed_total", cuts * avatars);
    reaches("tocsin_steps_total", reaches("tocsin_steps_total", 0) + steps);
    if (cuts == kCuts || testing::Test::HasFailure()) break;
    proxy.cut();
  }
  command.send(SIGINT);
  EXPECT_EQ(command.finish(), 0) << command.terminal();
  Json out = Json::parse(folder.read("sent.json"));
  EXPECT_EQ(out["gaps"], 0) << out["first_gap"];
  EXPECT_EQ(out["sessions"]["ended"], avatars);
  EXPECT_GE(out["sessions"]["resumed"], kCuts * avatars);
  return out;
}

TEST(Send, BrokenStreamsAreResumedWithoutAGap) {
  const Json object = sent_with_cuts(3, {"--rate", "200"}, 200);
  EXPECT_GT(object["frames"]["unsent"], 0);  // due while there was no stream
  EXPECT_GT(object["steps"], 600);
}

TEST(Send, WithoutAPaceWhatWentDownIsSentAgain) {
  const Json object = sent_with_cuts(2, {"--rate", "max"}, 200);
  // Every frame is covered or, for the crowd after a break, named; the first poses make no step.
  const Json& frames = object["frames"];
  EXPECT_EQ(object["steps"].get<std::int64_t>() + 2 + frames["skipped"].get<std::int64_t>(),
            frames["sent"].get<std::int64_t>());
}

}  // namespace
}  // namespace tocsin::test::send_ends_test
