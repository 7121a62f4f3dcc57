// `tocsin send --frames`: contacts are those of `tocsin check --frames`.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/send/sent.h"

namespace tocsin::test::send_frames_test {
namespace {

/// The take with uneven frames, as a .poses file: every third tick has none, and every other frame
/// is late by so much of a tick.
std::string uneven_take(const TemporaryFolder& folder, const std::string& name, double late) {
  EXPECT_EQ(run_tocsin({"convert", kTake, folder.full("even.poses")}).status, 0);
  std::string out;
  int frame = 0;
  for (const std::string& line : lines_of(folder.read("even.poses"))) {
    Json json = Json::parse(line);
    if (json["type"] == "pose") {
      json["tick"] = frame + frame / 2 + (frame % 2) * late;
      ++frame;
    }
    out += json.dump() + '\n';
  }
  EXPECT_EQ(frame, 130);
  return folder.write(name, out);
}

/// The take as --float sends it: rotations, and the root's place, as the nearest floats.
std::string take_of_floats(const TemporaryFolder& folder) {
  EXPECT_EQ(run_tocsin({"convert", kTake, folder.full("even.poses")}).status, 0);
  std::string out;
  for (const std::string& line : lines_of(folder.read("even.poses"))) {
    Json json = Json::parse(line);
    for (std::size_t i = 0; json["type"] == "pose" && i < json["local"].size(); ++i) {
      if (i >= 7 && i % 7 >= 4) continue;  // as in the rest pose: not sent
      json["local"][i] = static_cast<double>(static_cast<float>(json["local"][i].get<double>()));
    }
    out += json.dump() + '\n';
  }
  return folder.write("floats.poses", out);
}

TEST(SendFrames, FloatsAreCheckedAndRecordedAsTheyAre) {
  const TemporaryFolder folder;
  const std::string records = folder.full("records");
  const std::string take = take_of_floats(folder);
  const Json expected =
      summary_of(run_tocsin({"check", take, "--env", kRoom, "--margin", "0.1", "--out", "-"}));
  const Json exact =
      summary_of(run_tocsin({"check", kTake, "--env", kRoom, "--margin", "0.1", "--out", "-"}));
  EXPECT_NE(expected["hash"], exact["hash"]);
  {
    const ServeProcess server({"--env", kRoom, "--record", records, "--max-pending", "200"},
                              folder.full("log"));
    ASSERT_FALSE(server.address().empty()) << server.log();
    for (const std::vector<std::string>& how :
         {std::vector<std::string>{"--float"}, {"--float", "--linked-joints", "--one-stream"}}) {
      std::vector<std::string> more{"--margin", "0.1", "--rate", "max"};
      more.insert(more.end(), how.begin(), how.end());
      EXPECT_EQ(sent(server, kTake, more)["found"]["hash"], expected["hash"]);
    }
    EXPECT_EQ(sent(server, kTake,
                   {"--margin", "0.1", "--rate", "max", "--linked-joints"})["found"]["hash"],
              exact["hash"]);
  }
  std::size_t floats = 0;
  for (const auto& entry : std::filesystem::directory_iterator(records)) {
    if (entry.path().extension() != ".jsonl") continue;
    const CommandResult verified = run_tocsin({"verify", entry.path().string()});
    EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
    auto poses = entry.path();
    const std::string text =
        folder.read("records/" + poses.replace_extension(".poses").filename().string());
    floats += text.find("\"floats\":true") != std::string::npos ? 1 : 0;
  }
  EXPECT_EQ(floats, 2U);
}

/// The lines of poses of a file's text.
std::vector<Json> poses_of(const std::string& text) {
  std::vector<Json> out;
  for (const std::string& line : lines_of_type(text, "pose")) out.push_back(Json::parse(line));
  return out;
}

/// The only record in `folder`/records.
std::string only_record(const TemporaryFolder& folder) {
  std::string out;
  for (const auto& entry : std::filesystem::directory_iterator(folder.full("records"))) {
    if (entry.path().extension() != ".poses") continue;
    EXPECT_EQ(out, "");
    out = folder.read("records/" + entry.path().filename().string());
  }
  return out;
}

TEST(SendFrames, StaggeredAvatarsBeginElsewhereInTheTake) {
  const TemporaryFolder folder;
  const std::string records = folder.full("records");
  {
    // The first poses are those that were sent first, also where the machine stops meanwhile.
    const ServeProcess server({"--env", kRoom, "--max-pending", "200", "--record", records},
                              folder.full("log"));
    const Json object =
        sent(server, kTake,
             {"--avatars", "3", "--one-stream", "--rate", "100", "--seconds", "0.3", "--stagger"});
    expect_no_gap(object);
    EXPECT_EQ(object["frames"]["sent"], 3 * 31);
    EXPECT_EQ(object["found"]["all_equal"], false);
    EXPECT_EQ(object["options"]["stagger"], true);
  }
  // To its end and back there are 258 frames.
  std::map<int, Json> begins;
  for (const auto& entry : std::filesystem::directory_iterator(records)) {
    if (entry.path().extension() != ".poses") continue;
    const auto poses = poses_of(folder.read("records/" + entry.path().filename().string()));
    ASSERT_FALSE(poses.empty());
    begins[poses.front()["tick"]] = poses.front()["local"];
  }
  ASSERT_EQ(begins.size(), 3U);
  ASSERT_TRUE(begins.contains(0) && begins.contains(86) && begins.contains(172));
  EXPECT_EQ(begins[86], begins[172]);  // the one on its way there, the other on its way back
  EXPECT_NE(begins[0], begins[86]);
}

/// How far two poses of a joint are from each other, of numbers w, x, y, z and a place.
double apart(const Json& a, const Json& b, std::size_t joint) {
  double dot = 0.0;
  double out = 0.0;
  for (std::size_t i = 7 * joint; i < 7 * joint + 4; ++i)
    dot += a[i].get<double>() * b[i].get<double>();
  for (std::size_t i = 7 * joint + 4; i < 7 * joint + 7; ++i) {
    out = std::max(out, std::abs(a[i].get<double>() - b[i].get<double>()));
  }
  return std::max(out, 1.0 - std::abs(dot));
}

TEST(SendFrames, OnATrackersAxesContactsAreThoseOfTheTake) {
  const TemporaryFolder folder;
  const Json exact =
      summary_of(run_tocsin({"check", kTake, "--env", kRoom, "--margin", "0.1", "--out", "-"}));
  const ServeProcess server({"--env", kRoom, "--max-pending", "200"}, folder.full("log"));
  for (const std::string axes : {"unity", "z-up", "-z,x,y"}) {
    const Json object = sent(server, kTake, {"--margin", "0.1", "--rate", "max", "--axes", axes});
    expect_no_gap(object);
    EXPECT_EQ(object["found"]["hash"], exact["hash"]) << axes;
    EXPECT_EQ(object["options"]["axes"], axes);
  }
}

TEST(SendFrames, PlacesInTheWorldBecomeTheTakesPoses) {
  const TemporaryFolder folder;
  EXPECT_EQ(run_tocsin({"convert", kTake, folder.full("take.poses")}).status, 0);
  const std::vector<Json> take = poses_of(folder.read("take.poses"));
  {
    const ServeProcess server(
        {"--env", kRoom, "--max-pending", "200", "--record", folder.full("records")},
        folder.full("log"));
    expect_no_gap(sent(server, kTake, {"--rate", "max", "--world", "--axes", "unreal"}));
  }
  const std::vector<Json> covered = poses_of(only_record(folder));
  ASSERT_EQ(covered.size(), take.size());
  for (std::size_t k = 0; k < take.size(); ++k) {
    ASSERT_EQ(covered[k]["local"].size(), take[k]["local"].size());
    for (std::size_t j = 0; 7 * j < take[k]["local"].size(); ++j) {
      EXPECT_LT(apart(covered[k]["local"], take[k]["local"], j), 1e-9) << k << ' ' << j;
    }
  }
}

/// Of the joints that a frame lacks the record has the poses before; of the others the take's.
TEST(SendFrames, MissingJointsAreHeldOrTheirFramesBad) {
  const TemporaryFolder folder;
  EXPECT_EQ(run_tocsin({"convert", kTake, folder.full("take.poses")}).status, 0);
  const std::vector<Json> take = poses_of(folder.read("take.poses"));
  Json object;
  {
    const ServeProcess server(
        {"--env", kRoom, "--max-pending", "200", "--record", folder.full("records")},
        folder.full("log"));
    object = sent(server, kTake, {"--rate", "max", "--missing", "0.05", "--seed", "3"});
    expect_no_gap(object);
  }
  const std::vector<Json> covered = poses_of(only_record(folder));
  ASSERT_EQ(covered.size(), take.size());
  std::size_t held = 0;
  for (std::size_t k = 1; k < take.size(); ++k) {
    const Json missing = covered[k].value("held", Json::array());
    held += missing.size();
    for (std::size_t j = 0; 7 * j < take[k]["local"].size(); ++j) {
      const bool is_held = std::find(missing.begin(), missing.end(), j) != missing.end();
      const Json& wanted = is_held ? covered[k - 1]["local"] : take[k]["local"];
      EXPECT_LT(apart(covered[k]["local"], wanted, j), 1e-12) << k << ' ' << j;
    }
  }
  EXPECT_EQ(object["frames"]["held_joints"], held);
  EXPECT_GT(held, 129U * 38 / 40);  // of 0.05 of all
  EXPECT_LT(held, 129U * 38 / 10);

  const ServeProcess server({"--env", kRoom, "--max-pending", "200"}, folder.full("bad_log"));
  object = sent(server, kTake, {"--rate", "max", "--missing", "0.002,bad"});
  expect_no_gap(object);
  EXPECT_GT(object["frames"]["bad"], 0);
  EXPECT_EQ(object["frames"]["held_joints"], 0);
  EXPECT_NE(object["frames"]["first_bad"].get<std::string>().find("length 0, not 1"),
            std::string::npos);
}

TEST(SendFrames, RefusesFormsThatNoTrackerHas) {
  for (const auto& [arguments, words] :
       std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"--axes", "x,-x,z"}, "each along another axis"},
           {{"--axes", "x,y"}, "expected unity, unreal, z-up, or X,Y,Z"},
           {{"--axes", "x,y,z,0"}, "from 1e-6 to 1e6"},
           {{"--missing", "1.5"}, "from 0 to 1"},
           {{"--missing", "0.5,lost"}, "expected P, P,held or P,bad"},
           {{"--world", "--linked-joints"}, "--world and --linked-joints"},
           {{"--protocol", "vmc", "--world"}, "--world: is the server's to say"}}) {
    std::vector<std::string> all{"send", kTake, "--to", "localhost:1"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const CommandResult result = run_tocsin(all);
    EXPECT_EQ(result.status, 2) << result.err;
    EXPECT_NE(result.err.find(words), std::string::npos) << result.err;
  }
}

// Of ranges and strides, of even frames, of whole ticks and of any times.
TEST(SendFrames, TheHashIsThatOfACheck) {
  const TemporaryFolder folder;
  // A busy machine may stop for the time of some frames: none is skipped for that.
  const ServeProcess server({"--env", kRoom, "--max-pending", "200"}, folder.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  const std::string ticks = uneven_take(folder, "ticks.poses", 0.0);
  const std::string times = uneven_take(folder, "times.poses", 0.25);
  struct Case {
    std::string take;
    std::string frames;
    std::vector<std::string> pace;
  };
  const std::vector<Case> cases{
      {kTake, "90:", {"--rate", "max"}},   {kTake, ":120:5", {"--rate", "500"}},
      {kTake, "1::7", {"--avatars", "2"}}, {kTake, ":", {"--rate", "max"}},
      {ticks, "10::4", {"--rate", "max"}}, {times, "10::4", {"--rate", "max"}}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.take + " " + c.frames);
    // The room is near everywhere, so that steps of all lengths touch it.
    const std::vector<std::string> question{"--margin", "0.1", "--frames", c.frames};
    std::vector<std::string> check{"check", c.take, "--env", kRoom, "--out", "-"};
    check.insert(check.end(), question.begin(), question.end());
    const CommandResult checked = run_tocsin(check);
    const Json expected = summary_of(checked);
    const Json asked = Json::parse(lines_of_type(checked.out, "run").at(0))["options"];
    std::vector<std::string> more = question;
    more.insert(more.end(), c.pace.begin(), c.pace.end());
    const Json object = sent(server, c.take, more);
    expect_no_gap(object);
    EXPECT_GT(object["found"]["contacts"], 0);
    EXPECT_EQ(object["frames"]["skipped"], 0);
    EXPECT_EQ(object["found"]["hash"], expected["hash"]);
    EXPECT_EQ(object["found"]["episodes"], expected["episodes"]);
    EXPECT_EQ(object["options"]["frames"], asked["frames"]);
    const auto sessions = object["sessions"]["opened"].get<std::int64_t>();
    EXPECT_EQ(object["steps"], sessions * expected["steps"].get<std::int64_t>());
    EXPECT_EQ(object["microseconds"]["round_trip"]["count"], object["steps"]);
  }
}

TEST(SendFrames, WhatOverlapsAtRestIsLeftOutAsInACheck) {
  const TemporaryFolder folder;
  const ServeProcess server(
      {"--env", kRoom, "--max-pending", "200", "--record", folder.full("records")},
      folder.full("log"));
  ASSERT_FALSE(server.address().empty()) << server.log();
  for (const std::vector<std::string>& question :
       std::vector<std::vector<std::string>>{{"--self"},
                                             {"--self", "--ignore-rest"},
                                             {"--self", "--ignore-rest", "--margin", "0.04"},
                                             {"--self", "--ignore-rest", "--ignore", "*:head"}}) {
    std::vector<std::string> check{"check", kTake, "--env", kRoom, "--out", "-"};
    check.insert(check.end(), question.begin(), question.end());
    const Json expected = summary_of(run_tocsin(check));
    std::vector<std::string> more = question;
    more.insert(more.end(), {"--rate", "max"});
    const Json object = sent(server, kTake, more);
    EXPECT_GT(expected["contacts"], 10);
    EXPECT_EQ(object["found"]["hash"], expected["hash"]);
    EXPECT_EQ(object["found"]["contacts"], expected["contacts"]);
    EXPECT_EQ(object["options"]["ignore_rest"], question.size() > 1);
  }
  const CommandResult shown = run_tocsin(
      {"send", kTake, "--to", server.address(), "--rate", "max", "--self", "--ignore-rest"});
  EXPECT_NE(shown.err.find("ignore_rest: 3 pairs of links left out that overlap in the rest pose: "
                           "torso:head"),
            std::string::npos)
      << shown.err;
  const CommandResult refused =
      run_tocsin({"send", kTake, "--to", server.address(), "--ignore-rest"});
  EXPECT_EQ(refused.status, 2) << refused.err;
  // The records hold the pairs, so that they are confirmed.
  std::vector<std::string> records{"verify", "--fraction", "0.1"};
  for (const auto& entry : std::filesystem::directory_iterator(folder.full("records"))) {
    if (entry.path().extension() == ".jsonl") records.push_back(entry.path().string());
  }
  EXPECT_EQ(records.size(), 3U + 5U);
  const CommandResult verified = run_tocsin(records);
  EXPECT_EQ(verified.status, 0) << verified.out << verified.err;
}

// Such frames get no report, so nothing would make room for what comes after them.
TEST(SendFrames, MoreBadOnesInARowThanTheServerHoldsDoNotStop) {
  const TemporaryFolder folder;
  std::string take =
      "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation "
      "Xrotation Yrotation\nJOINT Head\n{\nOFFSET 0 1.5 0\nCHANNELS 3 Zrotation Xrotation "
      "Yrotation\nEnd Site\n{\nOFFSET 0 0.2 0\n}\n}\n}\nMOTION\nFrames: 100\nFrame Time: 0.02\n";
  // Placed at 999,995 m, frames 20 to 79 lie beyond 1000 km.
  for (int f = 0; f < 100; ++f) {
    take += std::to_string(f >= 20 && f < 80 ? 9.0 : 0.01 * f) + " 0 0 0 0 0 0 0 0\n";
  }
  folder.write("take.bvh", take);
  const ServeProcess server({"--env", kRoom, "--max-pending", "8"}, folder.full("log"));
  const Json object = sent(server, folder.full("take.bvh"),
                           {"--motion-unit", "m", "--place", "999995,0,0", "--rate", "max"});
  expect_no_gap(object);
  EXPECT_EQ(object["frames"]["bad"], 60);
  EXPECT_EQ(object["frames"]["skipped"], 0);
  EXPECT_EQ(object["steps"], 39);
}

TEST(SendFrames, SayHowFarTheyAreApart) {
  const TemporaryFolder folder;
  const ServeProcess server({"--env", kRoom}, folder.full("log"));
  const auto table = [&](const std::string& frames) {
    return run_tocsin({"send", kTake, "--to", server.address(), "--frames", frames}).out;
  };
  // 130 frames at 30 Hz; at the take's own pace 60 frames last 2 s, whatever the stride.
  const std::string even = table("0:60:15");
  EXPECT_TRUE(matches(even, "Frames +frames 0 to 60, stride 15: 5 frames, 0.5 s apart in the take"))
      << even;
  // In 2 s, or more, where the machine stops meanwhile.
  EXPECT_TRUE(matches(even, "Sent +5 frames in ([2-9]|[0-9]{2,})[.].* at 2 Hz")) << even;
  const std::string uneven = table("0:40:15");
  EXPECT_TRUE(matches(uneven, "stride 15: 4 frames, 0.3333 to 0.5 s apart in the take")) << uneven;
  const Json object = sent(server, kTake, {"--frames", "100:129:29", "--rate", "max"});
  EXPECT_EQ(object["frames"]["sent"], 2);
  EXPECT_NEAR(object["frames"]["seconds_apart"][0].get<double>(), 29.0 / 30.0, 1e-6);
  const CommandResult one =
      run_tocsin({"send", kTake, "--to", server.address(), "--frames", "5:5"});
  EXPECT_TRUE(matches(one.out, "Frames +frames 5 to 5: 1 frame\n")) << one.out;
}

}  // namespace
}  // namespace tocsin::test::send_frames_test
