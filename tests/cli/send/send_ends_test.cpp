// `tocsin send` that is interrupted, whose server ends, and whose streams break.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <future>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/send/sent.h"
#include "soak/serve_process.h"
#include "support/eventually.h"
#include "support/net/cutting_proxy.h"

namespace tocsin::test::send_ends_test {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t out = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++out;
  return out;
}

TEST(Send, CtrlCEndsTheSessionsAndShowsWhatThereIs) {
  const TemporaryFolder folder;
  const ServeProcess server({"--env", kRoom}, folder.full("log"));
  RunningCommand command({"send", kTake, "--to", server.address(), "--seconds", "600", "--avatars",
                          "3", "--out", "sent.json"},
                         folder.path());
  ASSERT_TRUE(command.wait_for("sending", 60.0)) << command.terminal();
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
  ServeProcess server({"--env", kRoom, "--log", "json"}, folder.full("log"));
  RunningCommand command(
      {"send", kTake, "--to", server.address(), "--seconds", "600", "--out", "sent.json"},
      folder.path());
  std::future<CommandResult> table = std::async(std::launch::async, [&server] {
    return run_tocsin(
        {"send", kTake, "--to", server.address(), "--avatars", "2", "--seconds", "600"});
  });
  ASSERT_TRUE(command.wait_for("sending", 60.0)) << command.terminal();
  ASSERT_TRUE(eventually([&server] { return count_of(server.log(), "session_opened") == 3; }));
  std::this_thread::sleep_for(std::chrono::seconds(1));
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

/// Sends through a proxy that resets all connections when so many bytes have gone through, several
/// times; what `tocsin send` found, and its exit status.
std::pair<int, Json> sent_with_cuts(std::vector<std::string> more, std::size_t every) {
  const TemporaryFolder folder;
  const ServeProcess server({"--env", kRoom}, folder.full("log"));
  CuttingProxy proxy(server.address());
  std::vector<std::string> arguments{"send", kTake, "--to", proxy.address(), "--out", "sent.json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  RunningCommand command(arguments, folder.path());
  for (std::size_t cuts = 1; cuts <= 3; ++cuts) {
    for (int i = 0; i < 5000 && proxy.bytes() < cuts * every; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    proxy.cut();
  }
  const int status = command.finish();
  EXPECT_EQ(status, 0) << command.terminal();
  return {status, Json::parse(folder.read("sent.json"))};
}

TEST(Send, BrokenStreamsAreResumedWithoutAGap) {
  const Json object =
      sent_with_cuts({"--avatars", "3", "--rate", "200", "--seconds", "4"}, 500'000).second;
  EXPECT_EQ(object["gaps"], 0) << object["first_gap"];
  EXPECT_EQ(object["sessions"]["ended"], 3);
  EXPECT_GE(object["sessions"]["resumed"], 6);
  EXPECT_GT(object["frames"]["unsent"], 0);  // due while there was no stream
  EXPECT_GT(object["steps"], 300);           // of 2,400; a busy machine skips some
}

TEST(Send, WithoutAPaceWhatWentDownIsSentAgain) {
  const Json object =
      sent_with_cuts({"--rate", "max", "--seconds", "3", "--avatars", "2"}, 400'000).second;
  EXPECT_EQ(object["gaps"], 0) << object["first_gap"];
  EXPECT_EQ(object["sessions"]["ended"], 2);
  EXPECT_GE(object["sessions"]["resumed"], 4);
  // Every frame is covered or, for the crowd after a break, named; the first poses make no step.
  const Json& frames = object["frames"];
  EXPECT_EQ(object["steps"].get<std::int64_t>() + 2 + frames["skipped"].get<std::int64_t>(),
            frames["sent"].get<std::int64_t>());
}

}  // namespace
}  // namespace tocsin::test::send_ends_test
