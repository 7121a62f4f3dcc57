// A check that takes long: progress on a terminal, and Ctrl-C.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>

#include "cli/scenes.h"
#include "support/eventually.h"
#include "support/places.h"

namespace tocsin::test::interrupt_test {
namespace {

const std::vector<std::string> kLong{"check",     "take.bvh",    "--env", "room.obj",    "--avatar",
                                     "pole.json", "--clearance", "--out", "report.jsonl"};

TEST(Interrupt, CtrlCStopsCleanly) {
  const LongScene scene;
  scene.write("report.jsonl", "older");
  RunningCommand command(kLong, scene.path());
  ASSERT_TRUE(command.wait_for("checking", 120.0)) << command.terminal();
  EXPECT_TRUE(command.wait_for("steps/s", 60.0)) << command.terminal();
  EXPECT_TRUE(command.wait_for(" left", 60.0)) << command.terminal();
  EXPECT_EQ(scene.files().size(), 5U);  // something is being written
  command.send(SIGINT);
  EXPECT_EQ(command.finish(), 4);
  EXPECT_NE(command.terminal().find("interrupted; no result was written"), std::string::npos)
      << command.terminal();
  EXPECT_EQ(scene.files(),
            (std::vector<std::string>{"pole.json", "report.jsonl", "room.obj", "take.bvh"}));
  EXPECT_EQ(scene.read("report.jsonl"), "older");
  // The progress line is cleared before anything else is said.
  EXPECT_NE(command.terminal().find("\r\033[Ktocsin check: interrupted"), std::string::npos)
      << command.terminal();
}

TEST(Interrupt, SoDoesSigterm) {
  const LongScene scene;
  RunningCommand command(kLong, scene.path());
  ASSERT_TRUE(command.wait_for("checking", 120.0)) << command.terminal();
  command.send(SIGTERM);
  EXPECT_EQ(command.finish(), 4);
  EXPECT_EQ(scene.files().size(), 3U);
}

// GNU timeout signals the process, and then its group.
TEST(Interrupt, TwoSignalsAtOnceAreOneRequest) {
  const LongScene scene;
  RunningCommand command(kLong, scene.path());
  ASSERT_TRUE(command.wait_for("checking", 120.0)) << command.terminal();
  command.send(SIGTERM);
  command.send(SIGINT);
  EXPECT_EQ(command.finish(), 4);
  // The command's own word, not that of whom a second signal ends.
  EXPECT_NE(command.terminal().find("tocsin check: interrupted"), std::string::npos)
      << command.terminal();
  EXPECT_EQ(scene.files().size(), 3U);
}

TEST(Interrupt, WhatIsMadeIsNotLeftHalfWritten) {
  const TemporaryFolder folder;
  folder.write("house.obj", "older");
  RunningCommand command({"make-room", "house.obj", "--triangles", "10M"}, folder.path());
  // Once the partial file is there, half a gigabyte of text is still to be written.
  ASSERT_TRUE(eventually([&] { return folder.files().size() == 2; }));
  command.send(SIGINT);
  EXPECT_EQ(command.finish(), 4);
  EXPECT_EQ(folder.files(), std::vector<std::string>{"house.obj"});
  EXPECT_EQ(folder.read("house.obj"), "older");
}

// A limit on files' sizes ends the write, not the process.
TEST(Interrupt, AFileSizeLimitIsAnErrorOfWriting) {
  const TemporaryFolder folder;
  const std::string command = "ulimit -f 8; cd " + folder.path().string() + " && " +
                              command_file() + " make-room big.obj --triangles 100k 2>/dev/null";
  const int status = std::system(command.c_str());  // NOLINT
  ASSERT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 4);
  EXPECT_TRUE(folder.files().empty());
}

}  // namespace
}  // namespace tocsin::test::interrupt_test
