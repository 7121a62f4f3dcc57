// `tocsin update`: a person changes a room that sessions walk in.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/send/ball.h"
#include "cli/send/sent.h"

namespace tocsin::test {
namespace {

namespace fs = std::filesystem;

CommandResult update(const ServeProcess& server, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"update", "hall"});
  arguments.insert(arguments.end(), {"--to", server.address()});
  return run_tocsin(arguments);
}

/// The window has the room of each time. Where there is no OpenGL, or no Dear ImGui, it says so.
void expect_played(const TemporaryFolder& folder, const std::string& report) {
  const std::string script =
      folder.write("played.txt", "screenshot " + folder.full("played.png") + "\nkey end\ntell\n");
  const auto played =
      run_tocsin({"view", report, "--script", script, "--offscreen", "--size", "400x300"});
  const auto says = [&played](const char* text) {
    return played.err.find(text) != std::string::npos;
  };
  if (played.status == 2 && (says("OpenGL") || says("Dear ImGui"))) return;
  EXPECT_EQ(played.status, 0) << played.err;
  EXPECT_NE(played.out.find(R"("playing":false)"), std::string::npos) << played.out;
}

/// A page and a .csv of such a session show its contacts; what draws the room refuses it.
void expect_shown_without_room(const TemporaryFolder& folder, const std::string& report) {
  expect_played(folder, report);
  const auto page = run_tocsin({"report", report, "--html", folder.full("page.html")});
  EXPECT_EQ(page.status, 0) << page.err;
  EXPECT_NE(page.err.find("the room changed while it was checked"), std::string::npos) << page.err;
  const auto csv = run_tocsin({"export", report, folder.full("out.csv")});
  EXPECT_EQ(csv.status, 0) << csv.err;
  EXPECT_NE(folder.read("out.csv").find("ball"), std::string::npos);
  const auto glb = run_tocsin({"export", report, folder.full("out.glb")});
  EXPECT_EQ(glb.status, 3);
  EXPECT_NE(glb.err.find("which no .glb or .usda shows yet"), std::string::npos) << glb.err;
  EXPECT_FALSE(fs::exists(folder.full("out.glb")));
}

TEST(Update, SessionsSeeTheChangeAndRecordsKeepIt) {
  const TemporaryFolder folder;
  const std::string ball = folder.write("ball.obj", ball_text(12));
  const ServeProcess server(
      {"--env", kRoom, "--max-pending", "200", "--record", folder.full("records"), "--log", "json"},
      folder.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  const CommandResult uploaded = update(server, {"--upload", kRoom});
  EXPECT_EQ(uploaded.status, 0) << uploaded.err;
  EXPECT_EQ(uploaded.out, "hall: version 0, 9 objects, 4,656 triangles, 0 sessions\n");
  const auto contacts = [&] {
    const Json object = sent(server, kTake, {"--env", "hall", "--rate", "max"});
    expect_no_gap(object);
    return object["found"];
  };
  const Json before = contacts();
  EXPECT_EQ(before["hash"],
            summary_of(run_tocsin({"check", kTake, "--env", kRoom, "--out", "-"}))["hash"])
      << "an unchanged room is the room";
  const CommandResult changed =
      update(server, {"add:ball=" + ball + "@0,1,0.9,1,0,0,0,2", "add:ball2=like:ball@0,1,0.5",
                      "remove:MusicStand", "move:ball@0,1.1,0.9",
                      "deform:ball2=" + ball + "@0,1,0.6", "deform:ball2@0,1,0.5,1,0,0,0,2"});
  EXPECT_EQ(changed.status, 0) << changed.err;
  EXPECT_NE(changed.out.find("hall: version 1, 10 objects"), std::string::npos) << changed.out;
  const Json after = contacts();
  EXPECT_NE(after["hash"], before["hash"]);
  EXPECT_GT(after["contacts"], 0);
  std::size_t confirmed = 0;
  for (const auto& entry : fs::directory_iterator(folder.full("records"))) {
    if (entry.path().extension() != ".jsonl") continue;
    const CommandResult verified = run_tocsin({"verify", entry.path().string()});
    EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
    if (verified.out.find(after["hash"].get<std::string>()) == std::string::npos) continue;
    ++confirmed;
    expect_shown_without_room(folder, entry.path().string());
  }
  EXPECT_EQ(confirmed, 1U);
  EXPECT_EQ(update(server, {"--unload"}).out, "hall: unloaded; 0 sessions in it\n");
  EXPECT_NE(server.log().find("room_changed"), std::string::npos) << server.log();
}

/// It is loaded before the change, and no trace of that is left.
TEST(Update, AMeshThatIsTooLargeForAChangeIsLoadedBefore) {
  const TemporaryFolder folder;
  const std::string ball = folder.write("ball.obj", ball_text(100));
  const ServeProcess server({"--env", kRoom, "--log", "json"}, folder.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  ASSERT_EQ(update(server, {"--upload", kRoom}).status, 0);
  const CommandResult changed =
      update(server, {"add:ball=" + ball, "deform:ball=" + ball + "@1,0,0", "remove:MusicStand"});
  EXPECT_EQ(changed.status, 0) << changed.err;
  EXPECT_NE(changed.out.find("hall: version 1, 9 objects"), std::string::npos) << changed.out;
  EXPECT_NE(server.log().find("3 edits"), std::string::npos) << server.log();
  EXPECT_EQ(server.log().find("1 edits"), std::string::npos) << server.log();
  EXPECT_EQ(update(server, {"add:more=" + ball, "--unload"}).status, 0);
  EXPECT_NE(server.log().find("1 edit"), std::string::npos) << server.log();
}

TEST(Update, WhatCannotBeDoneIsSaid) {
  const TemporaryFolder folder;
  const ServeProcess server({"--env", kRoom}, folder.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  ASSERT_EQ(update(server, {"--upload", kRoom}).status, 0);
  const std::vector<std::pair<std::vector<std::string>, std::string>> refused{
      {{"remove:Nothing"}, "edit 0 (remove \"Nothing\"): there is no object"},
      {{"move:MusicStand@1,0,0", "--expect", "7"}, "the room has version 0"},
      {{"add:x=" + folder.full("none.obj")}, "none.obj"},
      {{"choose:a=b"}, "there is no switch"}};
  for (const auto& [arguments, message] : refused) {
    const CommandResult result = update(server, arguments);
    EXPECT_EQ(result.status, 3) << message;
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
  }
  const std::vector<std::pair<std::string, std::string>> usage{
      {"fly:door", "the verb one of add, remove"},
      {"move:door", "move:NAME@x,y,z"},
      {"move:door@1,2", "x,y,z[,qw,qx,qy,qz] behind the @"},
      {"place:door@1,2,x", "EDIT"},
      {"add:x", "add:NAME=FILE"},
      {"add:=x.obj", "add:NAME=FILE"},
      {"remove:", "VERB:..."},
      {"deform:door", "deform:NAME=FILE[@PLACE] or deform:NAME@PLACE"},
      {"deform:@1,2,3", "deform:NAME=FILE[@PLACE] or deform:NAME@PLACE"},
      {"deform:door@1,2", "x,y,z"},
      {"door", "VERB:..."},
      {"activate_pair:a", "A=B"}};
  for (const auto& [edit, message] : usage) {
    const CommandResult result = update(server, {edit});
    EXPECT_EQ(result.status, 2) << edit;
    EXPECT_NE(result.err.find(message), std::string::npos) << result.err;
  }
  EXPECT_EQ(update(server, {}).status, 2);
}

}  // namespace
}  // namespace tocsin::test
