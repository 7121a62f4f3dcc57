// `tocsin send` against `tocsin serve`: what is sent live is what is checked from a file.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <regex>

#include "cli/scenes.h"
#include "cli/send/sent.h"
#include "soak/serve_process.h"
#include "support/places.h"

namespace tocsin::test {
namespace {

namespace fs = std::filesystem;

/// The only file with this extension.
std::string only_file(const fs::path& folder, const std::string& extension) {
  std::vector<std::string> out;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == extension) out.push_back(entry.path().string());
  }
  EXPECT_EQ(out.size(), 1U);
  return out.empty() ? std::string() : out.front();
}

TEST(Send, TheHashIsThatOfACheck) {
  const TemporaryFolder folder;
  // A busy machine may stop for the time of some frames: none is skipped for that.
  const ServeProcess server({"--env", kRoom, "--max-pending", "200"}, folder.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  struct Case {
    std::vector<std::string> question;
    std::vector<std::string> pace;
  };
  const std::vector<Case> cases{
      {{}, {"--rate", "max"}},
      {{"--margin", "0.05", "--place", "0.1,0,0.2,20"}, {"--rate", "max"}},
      {{"--in-between", "translate_rotate", "--ignore", "*foot:*"}, {"--rate", "1000"}},
      {{"--avatar", "humanoid16", "--contacts", "first", "--scale-radii", "auto"},
       {"--rate", "max"}},
      {{"--avatar", kSource + "/avatar_models/humanoid16.json", "--scale-radii", "1.1"},
       {"--rate", "max", "--connections", "3"}},
  };
  for (const Case& c : cases) {
    std::vector<std::string> check{"check", kTake, "--env", kRoom, "--out", "-"};
    check.insert(check.end(), c.question.begin(), c.question.end());
    const CommandResult checked = run_tocsin(check);
    const Json expected = summary_of(checked);
    const Json asked = Json::parse(lines_of_type(checked.out, "run").at(0))["options"];
    std::vector<std::string> more = c.question;
    more.insert(more.end(), c.pace.begin(), c.pace.end());
    const Json object = sent(server, kTake, more);
    expect_no_gap(object);
    EXPECT_GT(object["found"]["contacts"], 0);
    EXPECT_EQ(object["found"]["hash"], expected["hash"]);
    EXPECT_EQ(object["found"]["contacts"], expected["contacts"]);
    EXPECT_EQ(object["found"]["episodes"], expected["episodes"]);
    EXPECT_EQ(object["steps"], expected["steps"]);
    EXPECT_EQ(object["frames"]["skipped"], 0);
    for (const char* const option : {"avatar", "scale_radii", "margin", "place", "ignore",
                                     "fail_on_contact", "in_between", "contacts"}) {
      EXPECT_EQ(object["options"][option], asked[option]) << option;
    }
    EXPECT_EQ(object["options"]["environment"], "music_room");
  }
}

/// Two joints, 0.02 s from frame to frame; the root is at these places along x, metres.
std::string take_along_x(const std::vector<double>& places) {
  std::string out =
      "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
      "Xrotation Yrotation\nJOINT Head\n{\nOFFSET 0 1.5 0\nCHANNELS 3 Zrotation Xrotation "
      "Yrotation\nEnd Site\n{\nOFFSET 0 0.2 0\n}\n}\n}\nMOTION\nFrames: " +
      std::to_string(places.size()) + "\nFrame Time: 0.02\n";
  for (const double x : places) out += std::to_string(x) + " 0 0 0 0 0 0 0 0\n";
  return out;
}

// A file's poses are sound; but there, they lie beyond 1000 km.
TEST(Send, BadFramesArePassedOverAndSaid) {
  const TemporaryFolder folder;
  folder.write("take.bvh", take_along_x({0, 0.1, 0.2, 9, 9, 0.5, 0.6, 9, 0.8, 0.9}));
  const ServeProcess server({"--env", kRoom}, folder.full("log"));
  const std::vector<std::string> options{"--motion-unit", "m",      "--place",
                                         "999995,0,0",    "--rate", "max"};
  const Json object = sent(server, folder.full("take.bvh"), options);
  expect_no_gap(object);
  EXPECT_EQ(object["frames"]["bad"], 3);
  EXPECT_EQ(object["steps"], 6);
  const std::string first = object["frames"]["first_bad"];
  EXPECT_EQ(first.rfind("frame 3: joint \"Hips\": the translation (1000004, ", 0), 0U) << first;
  std::vector<std::string> table{"send", folder.full("take.bvh"), "--to", server.address()};
  table.insert(table.end(), options.begin(), options.end());
  const CommandResult shown = run_tocsin(table);
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_NE(shown.out.find("3 bad, and passed over. The first: " + first), std::string::npos)
      << shown.out;
}

TEST(Send, ManyAtOnceAreEqual) {
  const TemporaryFolder folder;
  const ServeProcess server({"--env", kRoom}, folder.full("log"));
  const Json object =
      sent(server, kTake, {"--avatars", "8", "--rate", "120", "--connections", "2"});
  expect_no_gap(object);
  EXPECT_EQ(object["format"], "tocsin.send.v1");
  EXPECT_EQ(object["sessions"]["opened"], 8);
  EXPECT_EQ(object["frames"]["sent"], 8 * 130);
  if (object["frames"]["skipped"] == 0) {  // a busy machine may fall behind
    EXPECT_EQ(object["steps"], 8 * 129);
    EXPECT_EQ(object["found"]["all_equal"], true);
  }
  EXPECT_EQ(object["microseconds"]["round_trip"]["count"], object["steps"]);
  EXPECT_LE(object["microseconds"]["server_checked"]["p50"],
            object["microseconds"]["round_trip"]["max"]);
  EXPECT_GT(object["client"]["cpu_seconds"], 0.0);
}

// A server lets a principal open 1,000 sessions a second.
TEST(Send, MoreAtOnceThanMayBeOpenedInASecond) {
  const TemporaryFolder folder;
  const ServeProcess server({"--env", kRoom}, folder.full("log"));
  const Json object = sent(
      server, kTake, {"--avatars", "1050", "--one-stream", "--rate", "10", "--seconds", "0.1"});
  EXPECT_EQ(object["sessions"]["opened"], 1050);
  expect_no_gap(object);
}

TEST(Send, LossJitterAndDuplicatesLeaveNoGap) {
  const PoleScene scene;
  const std::vector<std::string> bad{"--avatar",      scene.full("pole.json"),
                                     "--motion-unit", "m",
                                     "--seconds",     "1.5",
                                     "--rate",        "400",
                                     "--loss",        "0.2",
                                     "--jitter",      "15",
                                     "--duplicate",   "0.2",
                                     "--seed",        "5"};
  std::optional<ServeProcess> server;
  std::string records;
  Json object;
  // Where the machine stops for long, all comes at once, and is sorted before it is late: once
  // more.
  for (int i = 0; i < 20; ++i) {
    records = scene.full("records" + std::to_string(i));
    server.emplace(std::vector<std::string>{"--env", scene.full("room.obj"), "--record", records},
                   scene.full("log"));
    ASSERT_FALSE(server->address().empty()) << server->log();
    object = sent(*server, scene.full("take.bvh"), bad);
    expect_no_gap(object);
    if (object["frames"]["stale"] > 50 && object["found"]["contacts"] > 20) break;
  }
  EXPECT_NEAR(object["frames"]["lost"].get<double>(), 120.0, 50.0);  // five standard deviations
  EXPECT_GT(object["frames"]["sent_twice"], 40);
  EXPECT_GT(object["frames"]["overtaken"], 100);
  EXPECT_GT(object["frames"]["stale"], 50);
  EXPECT_GT(object["found"]["contacts"], 20);

  // What the server kept of it, checked as a file, has the very contacts; and the oracle agrees.
  const std::string motion = only_file(records, ".poses");
  const Json checked = summary_of(run_tocsin({"check", motion, "--env", scene.full("room.obj"),
                                              "--avatar", scene.full("pole.json"), "--out", "-"}));
  EXPECT_EQ(object["found"]["hash"], checked["hash"]);
  EXPECT_EQ(object["found"]["contacts"], checked["contacts"]);
  EXPECT_EQ(object["steps"], checked["steps"]);

  // And sent as a take of its own, again.
  const Json again = sent(*server, motion, {"--rate", "max", "--avatar", scene.full("pole.json")});
  expect_no_gap(again);
  EXPECT_EQ(again["found"]["hash"], checked["hash"]);
}

TEST(Send, ATableForPeople) {
  const TemporaryFolder folder;
  const ServeProcess server({"--env", "hall=" + kRoom}, folder.full("log"));
  const CommandResult result =
      run_tocsin({"send", kTake, "--to", server.address(), "--rate", "max", "--env", "hall"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* const part :
       {"hall: 9 objects, 4,656 triangles", "humanoid16, 16 links", "130 frames at 30 Hz",
        "129 steps", "1 session without a pace over 1 connection", "right_forearm and MusicStand",
        "from sending to report", "% of a core",
        "No gap: every report begins where the one before ended."}) {
    EXPECT_NE(result.out.find(part), std::string::npos) << part << '\n' << result.out;
  }
  EXPECT_EQ(result.err, "");
}

TEST(Send, ExitStatus) {
  const TemporaryFolder folder;
  const ServeProcess server({"--env", kRoom, "--max-sessions", "2"}, folder.full("log"));
  const std::string to = server.address();
  struct Case {
    std::vector<std::string> arguments;
    int status;
    const char* says;
  };
  const std::vector<Case> cases{
      {{kTake, "--to", to, "--rate", "max", "--fail-on-contact"}, 1, ""},
      {{kTake}, 2, "--to is required"},
      {{kTake, "--to", "nowhere"}, 2, "HOST:PORT"},
      {{kTake, "--to", to, "--rate", "0"}, 2, "--rate"},
      {{kTake, "--to", to, "--rate", "max", "--jitter", "3"}, 2, "--jitter"},
      {{kTake, "--to", to, "--loss", "1.5"}, 2, "--loss"},
      {{kTake, "--to", to, "--jitter", "1e9"}, 2, "from 0 to 1e6"},
      {{kTake, "--to", to, "--ignore", "foot"}, 2, "--ignore"},
      {{kTake, "--to", to, "--avatars", "0"}, 2, "--avatars"},
      {{kTake, "--to", to, "--stagger", "--avatars", "2"}, 2, "--stagger"},
      {{kTake, "--to", to, "--stagger", "--seconds", "1"}, 2, "--stagger"},
      {{kTake, "--to", to, "--frames", "3:2"}, 2, "--frames: frames 3 to 2 are not a range"},
      {{kTake, "--to", to, "--frames", "0:130"}, 2, "--frames: frames 0 to 130 are not a range"},
      {{kTake, "--to", to, "--frames", "::0"}, 2, "--frames: STRIDE"},
      {{kTake, "--to", to, "--out", kTake}, 2, "--out"},
      {{kTake, "--to", "example.com:1", "--token-file", folder.write("t", "0123456789abcdef\n")},
       2,
       "TLS"},
      {{kTake, "--to", to, "--tls-cert", "/no/such.pem"}, 2, "go together"},
      {{kTake, "--to", to, "--nearest", "2.1"}, 2, "--nearest"},
      {{kTake, "--to", to, "--nearest", "0"}, 2, "--nearest"},
      {{kTake, "--to", to, "--lookahead", "1.1"}, 2, "--lookahead"},
      {{kTake, "--to", to, "--lookahead", "0"}, 2, "--lookahead"},
      {{"/no/such.bvh", "--to", to}, 3, "/no/such.bvh"},
      {{kTake, "--to", to, "--token-file", folder.write("empty", "\n")}, 3, "no token"},
      {{kTake, "--to", to, "--env", "attic"}, 3, "there is no room \"attic\""},
      {{kTake, "--to", to, "--avatars", "3", "--rate", "max"}, 3, "session"},
      {{kTake, "--to", "127.0.0.1:1"}, 4, "127.0.0.1:1"},
  };
  for (const Case& c : cases) {
    std::vector<std::string> arguments{"send"};
    arguments.insert(arguments.end(), c.arguments.begin(), c.arguments.end());
    const CommandResult result = run_tocsin(arguments);
    EXPECT_EQ(result.status, c.status) << c.says << '\n' << result.err;
    EXPECT_NE(result.err.find(c.says), std::string::npos) << c.says << '\n' << result.err;
  }
}

// As `tocsin check` says it: per link, in the table and in the object.
/// The last table that begins with "Link": link, clearance and time of each row. Those of a check
/// go on with what is nearest, which a server does not tell.
std::vector<std::string> clearance_rows(const std::string& text) {
  const std::size_t first = text.rfind("\nLink ");
  if (first == std::string::npos) return {};
  std::vector<std::string> out;
  for (const std::string& line : lines_of(text.substr(first + 1))) {
    std::smatch cells;
    const std::regex row("(\\S+) +(Clearance of at least|touches|\\S+ m) +(Least at|\\S+ s)( .*)?");
    if (!std::regex_match(line, cells, row)) break;
    out.push_back(cells[1].str() + '|' + cells[2].str() + '|' + cells[3].str());
  }
  return out;
}

TEST(Send, TheLeastClearanceOfEveryLink) {
  const TemporaryFolder folder;
  const ServeProcess server({"--env", kRoom}, folder.full("log"));
  const CommandResult checked =
      run_tocsin({"check", kTake, "--env", kRoom, "--clearance", "--out", "-"});
  ASSERT_EQ(checked.status, 0) << checked.err;
  std::map<std::string, double> expected;
  for (const std::string& line : lines_of_type(checked.out, "clearance")) {
    const Json clearance = Json::parse(line);
    const double metres = clearance["metres"];
    const auto [at, is_new] = expected.emplace(clearance["link"], metres);
    if (!is_new) at->second = std::min(at->second, metres);
  }
  EXPECT_EQ(expected.size(), 16U);
  const Json object = sent(server, kTake, {"--clearance", "--rate", "max"});
  std::map<std::string, double> found;
  for (const Json& clearance : object["found"]["clearances"]) {
    found.emplace(clearance["link"], clearance["metres"]);
    EXPECT_GE(clearance["seconds"], 0.0);
    EXPECT_LT(clearance["seconds"], 4.3);
  }
  EXPECT_EQ(found, expected);

  const CommandResult table = run_tocsin({"check", kTake, "--env", kRoom, "--clearance"});
  const CommandResult result = run_tocsin(
      {"send", kTake, "--to", server.address(), "--clearance", "--rate", "max", "--avatars", "2"});
  EXPECT_EQ(result.status, 0) << result.err;
  const auto rows = clearance_rows(table.out);
  EXPECT_EQ(rows.size(), 17U) << table.out;
  EXPECT_EQ(clearance_rows(result.out), rows) << result.out;
  EXPECT_NE(result.out.find("those of the first session"), std::string::npos) << result.out;
  EXPECT_EQ(sent(server, kTake, {"--rate", "max"})["found"]["clearances"], Json::array());
}

TEST(Send, WhatIsNearEachLink) {
  const TemporaryFolder folder;
  const ServeProcess server({"--env", kRoom}, folder.full("log"));
  const CommandResult checked =
      run_tocsin({"check", kTake, "--env", kRoom, "--nearest", "0.4", "--out", "-"});
  ASSERT_EQ(checked.status, 0) << checked.err;
  using Pair = std::pair<std::string, std::string>;
  std::map<Pair, double> expected;
  for (const std::string& line : lines_of_type(checked.out, "distance")) {
    const Json one = Json::parse(line);
    if (one["frame"] == 0) continue;  // it has no report
    const double metres = one["metres"];
    const auto [at, is_new] = expected.emplace(Pair{one["link"], one["object"]}, metres);
    if (!is_new) at->second = std::min(at->second, metres);
  }
  EXPECT_GT(expected.size(), 16U);
  const Json found = sent(server, kTake, {"--nearest", "0.4", "--rate", "max"})["found"];
  EXPECT_EQ(found["distances"].size(), expected.size());
  EXPECT_EQ(found["more_distances"], 0);
  double last = -1.0;
  for (const Json& one : found["distances"]) {
    const auto want = expected.find({one["link"], one["object"]});
    ASSERT_NE(want, expected.end()) << one;
    EXPECT_NEAR(one["metres"], want->second, 1e-9) << one;
    EXPECT_GE(one["metres"], last);
    last = one["metres"];
    EXPECT_NEAR(one["seconds"], one["frame"].get<double>() / 30.0, 1e-4);
  }
  const CommandResult result =
      run_tocsin({"send", kTake, "--to", server.address(), "--nearest", "40cm", "--rate", "max"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("Within 0.4 m at a frame, each pair where it is nearest:"),
            std::string::npos)
      << result.out;
  EXPECT_EQ(sent(server, kTake, {"--rate", "max"})["found"]["distances"], Json::array());
}

/// Predictions are told beside the contacts, and change none of them.
TEST(Send, WhatWasForeseen) {
  const TemporaryFolder folder;
  const ServeProcess server({"--env", kRoom}, folder.full("log"));
  // The room is near everywhere.
  const Json plain = sent(server, kTake, {"--rate", "max", "--margin", "0.1"})["found"];
  EXPECT_EQ(plain["ahead"], nullptr);
  for (const std::vector<std::string>& how :
       {std::vector<std::string>{"--rate", "max"},
        {"--rate", "max", "--avatars", "2", "--one-stream"}}) {
    std::vector<std::string> asked{"--lookahead", "0.2", "--margin", "0.1"};
    asked.insert(asked.end(), how.begin(), how.end());
    const Json found = sent(server, kTake, asked)["found"];
    EXPECT_EQ(found["hash"], plain["hash"]);
    const int avatars = how.size() > 2 ? 2 : 1;
    EXPECT_EQ(found["contacts"], avatars * plain["contacts"].get<int>());
    const Json& ahead = found["ahead"];
    EXPECT_GT(ahead["told"], 10) << ahead;
    EXPECT_GT(ahead["begun"], 3) << ahead;
    EXPECT_GT(3 * ahead["foreseen"].get<int>(), ahead["begun"].get<int>()) << ahead;
    EXPECT_LE(ahead["foreseen"], ahead["begun"]);
    EXPECT_GT(ahead["lead_seconds"], 0.0);
    EXPECT_LE(ahead["lead_seconds"], 0.2);
  }
  const CommandResult result = run_tocsin({"send", kTake, "--to", server.address(), "--lookahead",
                                           "0.2", "--margin", "0.1", "--rate", "max"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("Ahead"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("that began were foreseen"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace tocsin::test
