// Where a report goes, and that nothing half-written is ever left.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cstdlib>

#include "cli/scenes.h"
#include "support/places.h"

namespace tocsin::test::output_test {
namespace {

const std::vector<std::string> kInputs{"pole.json", "room.obj", "take.bvh"};

/// Runs a shell line; its exit status.
int shell(const PoleScene& scene, const std::string& line) {
  const std::string all = "cd '" + scene.path().string() + "' && { " + line + "; }";
  const int status = std::system(all.c_str());  // NOLINT(concurrency-mt-unsafe)
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string check_line(const std::string& more) {
  return std::string("'") + command_file() + "' check take.bvh --env room.obj --avatar pole.json " +
         more;
}

TEST(Output, AFileAndStandardOutputHoldTheSame) {
  const PoleScene scene;
  const CommandResult result = scene.check({"--out", "report.jsonl"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(lines_of_type(scene.read("report.jsonl"), "contact"),
            lines_of_type(scene.report(), "contact"));
  EXPECT_EQ(scene.files().size(), 4U);
}

TEST(Output, AnOlderReportIsReplacedAndKeepsItsMode) {
  const PoleScene scene;
  scene.write("report.jsonl", "older");
  chmod(scene.full("report.jsonl").c_str(), 0640);
  EXPECT_EQ(scene.check({"--out", "report.jsonl"}).status, 0);
  EXPECT_EQ(lines_of_type(scene.read("report.jsonl"), "summary").size(), 1U);
  struct stat info {};
  ASSERT_EQ(stat(scene.full("report.jsonl").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777U, 0640U);
}

TEST(Output, AnOlderReportSurvivesAnError) {
  const PoleScene scene;
  scene.write("report.jsonl", "older");
  scene.write("room.obj", "f 1 2 3\n");
  EXPECT_EQ(scene.check({"--out", "report.jsonl"}).status, 3);
  EXPECT_EQ(scene.read("report.jsonl"), "older");
}

TEST(Output, ALinkStaysALink) {
  const PoleScene scene;
  std::filesystem::create_directory(scene.full("store"));
  std::filesystem::create_symlink("store/real.jsonl", scene.full("report.jsonl"));
  EXPECT_EQ(scene.check({"--out", "report.jsonl"}).status, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(scene.full("report.jsonl")));
  EXPECT_TRUE(std::filesystem::is_regular_file(scene.full("store/real.jsonl")));
}

TEST(Output, WhatCannotBeWrittenIsStatus4) {
  const PoleScene scene;
  for (const std::string file : {"/dev/full", "no/such/folder/report.jsonl", "."}) {
    const CommandResult result = scene.check({"--out", file});
    EXPECT_EQ(result.status, 4) << result.err;
    EXPECT_NE(result.err.find(file), std::string::npos) << result.err;
  }
  EXPECT_EQ(scene.files(), kInputs);
  // The table and the report on a full disk.
  EXPECT_EQ(shell(scene, check_line("> /dev/full 2> err")), 4);
  EXPECT_EQ(shell(scene, check_line("--out - > /dev/full 2> err")), 4);
  EXPECT_NE(scene.read("err").find("standard output"), std::string::npos);
}

TEST(Output, AClosedPipeIsStatus4) {
  const PoleScene scene;
  // The reader ends at once; the writer tries when that is over, which a loop of its own sees.
  const std::string until_over = "{ (trap '' PIPE; while echo; do :; done) 2> /dev/null; ";
  EXPECT_EQ(
      shell(scene, until_over + check_line("--out - 2> err; echo $? > status") + "; } | true"), 0);
  EXPECT_EQ(scene.read("status"), "4\n");
}

TEST(Output, AnInputIsNeverOverwritten) {
  const PoleScene scene;
  std::filesystem::create_symlink("room.obj", scene.full("alias"));
  for (const std::string file : {"take.bvh", "room.obj", "pole.json", "./take.bvh", "alias"}) {
    const CommandResult result = scene.check({"--out", file});
    EXPECT_EQ(result.status, 2) << file;
    EXPECT_NE(result.err.find("--out"), std::string::npos) << result.err;
  }
  EXPECT_EQ(scene.read("take.bvh"), pole_take());
  EXPECT_EQ(scene.read("room.obj"), pole_room());
}

/// Runs a line by bash, which has >(...); its exit status.
int bash(const PoleScene& scene, const std::string& line) {
  scene.write("line.sh", line);
  return shell(scene, "bash line.sh");
}

TEST(Output, DescriptorsByTheirNames) {
  const PoleScene scene;
  const auto contacts = lines_of_type(scene.report(), "contact");
  ASSERT_EQ(contacts.size(), 8U);
  const auto written = [&](const std::string& name) {
    return lines_of_type(scene.read(name), "contact");
  };
  // A file, a pipe, and a file that has something in it already.
  EXPECT_EQ(shell(scene, check_line("--out /dev/stdout > file 2> err")), 0) << scene.read("err");
  EXPECT_EQ(written("file"), contacts);
  EXPECT_EQ(shell(scene, check_line("--out /dev/stdout 2> err | cat > piped")), 0);
  EXPECT_EQ(written("piped"), contacts) << scene.read("err");
  scene.write("log", "before\n");
  EXPECT_EQ(shell(scene, check_line("--out /dev/stdout >> log 2> err")), 0) << scene.read("err");
  EXPECT_EQ(scene.read("log").substr(0, 8), "before\n{");
  EXPECT_EQ(shell(scene, check_line("--out /dev/fd/3 3> third 2> err")), 0) << scene.read("err");
  EXPECT_EQ(written("third"), contacts);
  EXPECT_EQ(shell(scene, check_line("--out /proc/self/fd/3 3> fourth 2> err")), 0);
  EXPECT_EQ(written("fourth"), contacts) << scene.read("err");
  EXPECT_EQ(bash(scene, check_line("--out >(cat > substituted; echo > done) 2> err\n"
                                   "while [ ! -e done ]; do sleep 0.01; done")),
            0)
      << scene.read("err");
  EXPECT_EQ(written("substituted"), contacts);
  scene.write("other", "");
  // A descriptor that is not there, or cannot be written to.
  EXPECT_EQ(shell(scene, check_line("--out /dev/fd/77 2> err")), 4);
  EXPECT_NE(scene.read("err").find("cannot write /dev/fd/77"), std::string::npos);
  EXPECT_EQ(shell(scene, check_line("--out /dev/fd/3 3< other 2> err")), 4);
  EXPECT_NE(scene.read("err").find("for reading only"), std::string::npos) << scene.read("err");
  // An input by another name.
  EXPECT_EQ(shell(scene, check_line("--out /dev/fd/3 3< take.bvh 2> err")), 2);
  EXPECT_EQ(scene.read("take.bvh"), pole_take());
}

TEST(Output, InputsOfAnyNameAreFoundAgain) {
  const PoleScene scene;
  const std::string odd = "t\xff a\n\"k\xc3\xa9.bvh";
  scene.write(odd, pole_take());
  scene.write("p\xfe.json", pole_model());
  const CommandResult made = run_tocsin(
      {"check", odd, "--env", "room.obj", "--avatar", "p\xfe.json", "--out", "report.jsonl"},
      scene.path());
  ASSERT_EQ(made.status, 0) << made.err;
  EXPECT_EQ(lines_of_type(scene.read("report.jsonl"), "contact").size(), 8U);
  const CommandResult verified = run_tocsin({"verify", "report.jsonl"}, scene.path());
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
}

TEST(Output, ADeviceIsWrittenTo) { EXPECT_EQ(PoleScene().check({"--out", "/dev/null"}).status, 0); }

}  // namespace
}  // namespace tocsin::test::output_test
