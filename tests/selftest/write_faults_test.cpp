// What the oracle refutes, and what differs while OpenGL is measured: status 1, and the smallest
// case runs alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "app/selftest/selftest.h"
#include "cli/command.h"
#include "gpu/gl/gl_test.h"
#include "selftest/compare/case_list.h"
#include "selftest/compare/write_case.h"
#include "selftest/faults.h"
#include "selftest/measure/gl_faults.h"
#include "support/places.h"

namespace tocsin::test::write_faults_test {
namespace {

using Json = nlohmann::json;
using selftest::CarriedGl;
using selftest::Case;
using selftest::Way;

/// A command that fails with 1 for one subcommand and is the real one for all others.
std::string faulty_command(const TemporaryFolder& folder, const std::string& subcommand) {
  folder.write("faulty",
               fmt::format("#!/bin/sh\n[ \"$1\" != {} ] || exit 1\nexec '{}/bin/tocsin' \"$@\"\n",
                           subcommand, binary_dir()));
  std::filesystem::permissions(folder.full("faulty"), std::filesystem::perms::owner_all);
  return folder.full("faulty");
}

/// An object that is touched in one of the 16 reports, spread evenly, that the oracle looks at.
std::string touched_where_the_oracle_looks(const Case& question) {
  const auto reports = selftest::ask(question, {"cpu", {.backend = Backend::kCpu}}, {}).value();
  for (std::size_t i = 0; i < reports.size(); i += reports.size() / 16) {
    if (reports[i].contacts.empty()) continue;
    return question.rooms.front().objects()[reports[i].contacts.front().room()->object].name;
  }
  ADD_FAILURE() << "it looks at no contact";
  return {};
}

TEST(WriteFaults, WhatTheOracleRefutesIsStatus1AndTheSmallestCaseRunsAlone) {
  const TemporaryFolder folder;
  app::SelftestOptions options;
  options.backend = Backend::kCpu;
  options.only = 2;
  options.json = folder.full("found.json");
  options.failed = folder.full("failed");
  const std::string object = touched_where_the_oracle_looks(selftest::make_case(2).value());
  // The oracle sees reports that have lost contacts, and refutes them.
  const auto oracle = [&](const Case& question, std::vector<StepReport> reports) {
    lose(question, object, reports);
    return selftest::ask_oracle(question, reports, selftest::kNoDeadline);
  };
  testing::internal::CaptureStdout();
  EXPECT_EQ(app::run_selftest(options, {}, {.askers = {.oracle = oracle}}), app::kFound);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("the oracle refutes it"), std::string::npos) << text;
  EXPECT_NE(text.find("sh " + folder.full("failed/1") + "/run.sh (oracle, 1 avatar"),
            std::string::npos)
      << text;
  const Json found = Json::parse(folder.read("found.json"));
  ASSERT_EQ(found.at("written").size(), 1U);
  EXPECT_EQ(found.at("written").at(0).at("way"), "oracle");
  EXPECT_LE(found.at("written").at(0).at("triangles").get<int>(), 2);

  // Alone it is asked of the real CPU, which finds the contact, and the oracle confirms it.
  EXPECT_EQ(status_of_run_sh(folder, "failed/1"), 0) << folder.read("said");
  EXPECT_NE(folder.read("failed/1/report.jsonl").find(object), std::string::npos);
  // What it refutes, and what cannot be asked, shows in the status.
  EXPECT_EQ(status_of_run_sh(folder, "failed/1", faulty_command(folder, "verify")), 1);
  EXPECT_EQ(status_of_run_sh(folder, "failed/1", faulty_command(folder, "check")), 1);
}

TEST(WriteFaults, TheFirstReportThatTheOracleRefutesIsNamed) {
  const Case whole = selftest::make_case(2).value();
  const auto reports = selftest::ask(whole, {"cpu", {.backend = Backend::kCpu}}, {}).value();
  const std::string object = touched_where_the_oracle_looks(whole);
  auto lost = reports;
  lose(whole, object, lost);
  const selftest::OracleSample sample = selftest::ask_oracle(whole, lost, selftest::kNoDeadline);
  ASSERT_TRUE(sample.first);
  EXPECT_NE(lost[*sample.first].contacts.size(), reports[*sample.first].contacts.size());
  for (std::size_t i = 0; i < *sample.first; ++i) lost[i] = reports[i];
  EXPECT_EQ(selftest::ask_oracle(whole, lost, selftest::kNoDeadline).first, sample.first);
  EXPECT_FALSE(selftest::ask_oracle(whole, reports, selftest::kNoDeadline).first);
}

TEST(WriteFaults, AMeshIsWrittenAndAskedAboutAlone) {
  Case one;
  for (std::size_t i = 0; one.kind != "meshes in a room"; ++i) {
    ASSERT_LT(i, selftest::kinds_of_cases());
    one = selftest::make_case(i).value();
  }
  const auto reports = selftest::ask(one, {"cpu", {.backend = Backend::kCpu}}, {}).value();
  std::size_t touching = 0;
  while (reports[touching].contacts.empty()) ++touching;
  ASSERT_LT(touching, one.members.size());
  one.members = {one.members[touching]};
  one.instants = {{one.instants[0][touching]}};
  const TemporaryFolder folder;
  const Status written = selftest::write_case(
      one, {selftest::AskAlone::kBackends, 0, "cuda", "--emulate"}, folder.full("failed/1"));
  ASSERT_TRUE(written.ok()) << written.error().message;
  EXPECT_EQ(status_of_run_sh(folder, "failed/1"), 0) << folder.read("said");
  const std::size_t contacts = reports[touching].contacts.size();
  EXPECT_NE(folder.read("said").find(fmt::format("agree bit for bit: {} contact", contacts)),
            std::string::npos)
      << folder.read("said");
}

/// The result of a measurement in which nothing differs and no time was taken.
CarriedGl measured() {
  const selftest::GlScene scene = selftest::made_gl_scene(10'000, 3.0).value();
  CarriedGl out;
  out.room = scene.environment;
  out.avatar = out.crowd_avatar = scene.avatar;
  out.table.ways.resize(2);
  out.table.ways[1].way.method = GlMethod::kQuery;
  out.frames.ways.resize(2);
  out.frames.ways[1].way = out.table.ways[1].way;
  out.crowd.resize(1);
  out.crowd[0].avatars = 64;
  return out;
}

/// A step of the scene in which something is touched.
Step touching(const CarriedGl& carried) {
  const selftest::GlScene scene = selftest::made_gl_scene(10'000, 3.0).value();
  const Detector cpu =
      Detector::make(carried.room, {.backend = Backend::kCpu, .surfaces = {"*"}}).value();
  for (const Step& step : scene.near) {
    if (!cpu.check(carried.avatar, step).contacts.empty()) return step;
  }
  ADD_FAILURE() << "nothing is touched";
  return scene.near.front();
}

/// A row that differs, and the fault that OpenGL then has.
struct GlCase {
  const char* name;
  const char* way;
  std::function<void(CarriedGl&, const Step&)> differ;
  std::function<bool(const Way&)> errs;
};

bool is_gl(const Way& way, bool certify, GlMethod method) {
  return way.options.backend == Backend::kGl && way.options.gl.method == method &&
         way.options.experiments.certify == certify;
}

class WriteGlFaults : public testing::TestWithParam<GlCase> {};

TEST_P(WriteGlFaults, AreStatus1AndTheSmallestCaseRunsAlone) {
  if (const auto gl = Detector::make(Environment{}, {.backend = Backend::kGl}); !gl) {
    return skip_without_gl(gl.error());
  }
  const TemporaryFolder folder;
  app::SelftestOptions options;
  options.backend = Backend::kGl;
  options.seconds = 1.0;
  options.json = folder.full("found.json");
  options.failed = folder.full("failed");
  bool wrong = false;
  const auto carry = [&](const auto&, double, const std::stop_token&) {
    CarriedGl out = measured();
    GetParam().differ(out, touching(out));
    wrong = true;
    return Result<CarriedGl>(std::move(out));
  };
  // From then on OpenGL loses all contacts, and keeps fewer pairs.
  const auto errs = [&](const Case& c, const Way& way, const std::stop_token& stop,
                        std::string* fallback) {
    auto out = selftest::ask(c, way, stop, fallback);
    if (!out || !wrong || !GetParam().errs(way)) return out;
    for (StepReport& report : *out) {
      if (report.contacts.empty()) continue;
      report.contacts.clear();
      --report.counters.seen_pairs;
    }
    return out;
  };
  testing::internal::CaptureStdout();
  EXPECT_EQ(app::run_selftest(options, {}, {.askers = {.way = errs}, .gl = carry}), app::kFound);
  const std::string text = testing::internal::GetCapturedStdout();
  const Json found = Json::parse(folder.read("found.json"));
  ASSERT_EQ(found.at("written").size(), 1U) << text;
  EXPECT_EQ(found.at("written").at(0).at("way"), GetParam().way);
  EXPECT_EQ(found.at("written").at(0).at("avatars"), 1);
  EXPECT_LE(found.at("written").at(0).at("triangles").get<int>(), 12) << text;
  EXPECT_FALSE(found.at("gl").at("equal").get<bool>());
  // Alone it is asked of the real OpenGL, which is right.
  EXPECT_EQ(status_of_run_sh(folder, "failed/1"), 0) << folder.read("said");
  EXPECT_EQ(status_of_run_sh(folder, "failed/1", faulty_command(folder, "validate")), 1);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, WriteGlFaults,
    testing::Values(GlCase{"Frame", "gl 64 x 64, query",
                           [](CarriedGl& c, const Step& s) {
                             c.frames.ways[1].equal = false;
                             c.frames.ways[1].differing = s;
                           },
                           [](const Way& way) { return is_gl(way, true, GlMethod::kQuery); }},
                    GlCase{"ImageSpace", "gl 64 x 64, flags",
                           [](CarriedGl& c, const Step& s) {
                             c.frames.ways[0].covered = false;
                             c.frames.ways[0].uncovered = s;
                           },
                           [](const Way& way) { return is_gl(way, false, GlMethod::kFlags); }},
                    GlCase{"Crowd", "gl 64 x 64, flags",
                           [](CarriedGl& c, const Step& s) {
                             c.crowd[0].equal = false;
                             c.crowd[0].differing = s;
                           },
                           [](const Way& way) { return is_gl(way, true, GlMethod::kFlags); }},
                    GlCase{"Methods", "gl 64 x 64, query",
                           [](CarriedGl& c, const Step& s) {
                             c.table.ways[1].same_as_other_method = false;
                             c.table.ways[1].differing = s;
                           },
                           [](const Way& way) { return is_gl(way, true, GlMethod::kQuery); }}),
    [](const auto& tested) { return tested.param.name; });

TEST(MeasuredOnGl, TheTableStandsWhereFramesFail) {
  if (const auto gl = Detector::make(Environment{}, {.backend = Backend::kGl}); !gl) {
    return skip_without_gl(gl.error());
  }
  const TemporaryFolder folder;
  app::SelftestOptions options;
  options.backend = Backend::kGl;
  options.seconds = 1.0;
  options.json = folder.full("found.json");
  const auto fails = [](const auto&, double, const std::stop_token&) {
    CarriedGl out = measured();
    out.table.ways[0].interference.us = {7.0};
    out.frames.ways.clear();
    out.crowd.clear();
    out.ended = Error{ErrorCode::kResource, "the context is lost"};
    return Result<CarriedGl>(std::move(out));
  };
  testing::internal::CaptureStdout();
  EXPECT_EQ(app::run_selftest(options, {}, {.askers = {}, .gl = fails}), app::kUnfinished);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("not measured: gl, after Table 1: the context is lost"), std::string::npos)
      << text;
  EXPECT_NE(text.find("7.0 us"), std::string::npos) << text;
  const Json ways = Json::parse(folder.read("found.json")).at("gl").at("ways");
  ASSERT_EQ(ways.size(), 2U);
  EXPECT_EQ(ways[0].at("interference_us"), 7.0);
  EXPECT_TRUE(ways[0].at("frame_certified_us").is_null());
}

TEST(WriteFaults, PairsThatTheMethodsKeepAreCountedAlone) {
  if (const auto gl = Detector::make(Environment{}, {.backend = Backend::kGl}); !gl) {
    return skip_without_gl(gl.error());
  }
  CarriedGl carried = measured();
  carried.table.ways[1].differing = touching(carried);
  const auto faults = selftest::gl_faults(carried);
  ASSERT_EQ(faults.size(), 1U);
  const TemporaryFolder folder;
  ASSERT_TRUE(selftest::write_case(faults.front().question, selftest::how_to_ask(faults.front()),
                                   folder.full("case")));
  EXPECT_EQ(status_of_run_sh(folder, "case"), 0) << folder.read("said");
  EXPECT_NE(folder.read("said").find("\"seen_pairs\":"), std::string::npos) << folder.read("said");
  // A command by which flags keep ten times as many pairs.
  folder.write(
      "other",
      fmt::format("#!/bin/sh\n'{}/bin/tocsin' \"$@\" || exit\ncase \"$*\" in *flags.json)\n"
                  "sed -i 's/\"seen_pairs\":/&1/' flags.json ;; esac\n",
                  binary_dir()));
  std::filesystem::permissions(folder.full("other"), std::filesystem::perms::owner_all);
  EXPECT_EQ(status_of_run_sh(folder, "case", folder.full("other")), 1) << folder.read("said");
  EXPECT_FALSE(selftest::shows(faults.front(), faults.front().question, selftest::ask));
}

TEST(Note, KeepsTheFirst) {
  const CarriedGl carried = measured();
  const Step step = touching(carried);
  bool so_far = true;
  std::optional<Step> first;
  selftest::note(true, step, so_far, first);
  EXPECT_TRUE(so_far);
  EXPECT_FALSE(first);
  selftest::note(false, step, so_far, first);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->index(), step.index());
  const selftest::GlScene scene = selftest::made_gl_scene(10'000, 3.0).value();
  selftest::note(false, scene.steps.back(), so_far, first);
  selftest::note(true, scene.steps.back(), so_far, first);
  EXPECT_FALSE(so_far);
  EXPECT_EQ(first->index(), step.index());
}

}  // namespace
}  // namespace tocsin::test::write_faults_test
