// A report that was written reads back as what it was; what is none is refused with its line.
// tests/cli/verify/verify_test.cpp has the refusals that a user sees.
#include "io/report/report_reader.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

namespace tocsin::io::report_reader_test {
namespace {

class ReportReader : public testing::Test {
 protected:
  ReportReader()
      : file_(std::filesystem::temp_directory_path() /
              ("tocsin-report-" + std::to_string(getpid()) + ".jsonl")) {}
  ~ReportReader() override {
    std::error_code ignored;
    std::filesystem::remove(file_, ignored);
  }
  Result<ReadReport> read(const std::string& text) const {
    std::ofstream(file_, std::ios::binary) << text;
    return read_report(file_);
  }
  std::filesystem::path file_;
};

RunRecord sample_run() {
  RunRecord run;
  run.backend = "cpu";
  run.device = "two \"cores\"";
  run.choice = "there is no GPU";
  run.inputs = {{"motion", "a.bvh", std::string(64, 'a')},
                {"environment", "b.obj", std::string(64, 'b')}};
  Take& take = run.options.takes.front();
  take.avatar = {"humanoid16", {}, {{1.5, -2.0, 1e-9}, 33.0}};
  take.reading.unit_metres = 0.0254 / 0.45;
  take.reading.up = UpAxis::kZ;
  take.reading.rate = 120.0;
  take.reading.skeleton = "a.asf";
  take.frames = {1, 99, 4};
  run.options.room = {0.01, UpAxis::kX};
  CheckSpec& spec = run.options.spec;
  spec.ignore = {"*:Floor", "a:b"};
  spec.contacts = Contacts::kFirst;
  spec.in_between = InBetween::kTranslateRotate;
  spec.margin = 0.125;
  spec.clearance = true;
  spec.tolerance = 1e-7;
  run.options.backend = Backend::kCpu;
  run.options.threads = 3;
  run.options.out = "r.jsonl";
  run.options.fail_on_contact = true;
  run.frames = 100;
  run.frame_time = 1.0 / 120.0;
  run.unit_metres = 0.0254 / 0.45;
  run.links = {"l0", "l1"};
  run.objects = 2;
  run.triangles = 20;
  return run;
}

/// A whole report of one step with two contacts.
std::string sample_report() {
  std::string text;
  ReportWriter writer({"l0", "l1"}, {"o0", "o1"}, [&text](std::string_view line) {
    text += line;
    return true;
  });
  const auto skeleton = Skeleton::create({Joint{"a", -1, {}}});
  const auto steps = Motion::create(*skeleton, 0.25, std::vector<Transform>(2))->steps();
  StepReport report;
  Contact contact;
  contact.toc = {0.25, 0.5};
  report.contacts = {contact, contact};
  report.contacts[1].link = 1;
  report.clearances = {0.0, 0.0};
  writer.run(sample_run());
  writer.step(steps->at(0), report);
  writer.summary({});
  return text;
}

TEST_F(ReportReader, DepthsAndNearPairsAreChecked) {
  const std::string whole = sample_report();
  const std::string near =
      R"({"type":"near","avatar":0,"link":"l0","object":"o0","frame":7,"seconds":1,"metres":0.5})";
  const auto with = [&](const std::string& line) {
    std::string text = whole;
    return text.insert(text.find("{\"type\":\"summary\""), line + '\n');
  };
  const auto report = read(with(near));
  ASSERT_TRUE(report.ok()) << report.error().message;
  ASSERT_EQ(report->near_lines.size(), 1U);
  EXPECT_EQ(report->near_lines[0].step, 7);
  EXPECT_EQ(report->near_lines[0].text, near);
  const std::string nearest =
      R"({"type":"nearest","avatar":0,"link":"l0","step":3,"seconds":1,"clearance":null})";
  const auto with_nearest = read(with(nearest));
  ASSERT_TRUE(with_nearest.ok()) << with_nearest.error().message;
  ASSERT_EQ(with_nearest->nearest_lines.size(), 1U);
  EXPECT_EQ(with_nearest->nearest_lines[0].step, 3);
  EXPECT_EQ(with_nearest->nearest_lines[0].text, nearest);
  EXPECT_TRUE(with_nearest->warnings.empty());
  EXPECT_FALSE(read(with(R"({"type":"nearest","clearance":1})")).ok());
  const std::string episode = R"({"type":"episode","frames":[0,1],"deepest":)";
  EXPECT_TRUE(read(with(episode + R"({"frame":0,"seconds":0,"depth":-0.5}})")).ok());
  for (const std::string deepest :
       {"3", "{}", R"({"frame":-1,"seconds":0,"depth":1})",
        R"({"frame":1,"seconds":0,"depth":"1"})", R"({"frame":1,"seconds":null,"depth":1})"}) {
    EXPECT_FALSE(read(with(episode + deepest + "}")).ok()) << deepest;
  }
  EXPECT_FALSE(read(with(R"({"type":"near","frame":7})")).ok());
  EXPECT_FALSE(read(with(R"({"type":"near","metres":7})")).ok());
}

TEST_F(ReportReader, ReadsWhatTheWriterWrote) {
  const auto report = read(sample_report());
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(run_line(report->run), run_line(sample_run()));
  ASSERT_EQ(report->contacts.size(), 2U);
  EXPECT_EQ(report->contacts[0].number, 2);
  EXPECT_EQ(report->contacts[0].step, 0);
  EXPECT_EQ(report->clearances.size(), 2U);
  EXPECT_EQ(report->tally.contacts, 2);
  EXPECT_EQ(report->tally.hit, 2);
  EXPECT_EQ(report->episodes, 2);
  EXPECT_EQ(report->hash, report->hash_of_lines);
  EXPECT_TRUE(same_record(report->first, report->contacts[0].text));
  EXPECT_TRUE(report->warnings.empty());
}

/// A run of two takes that meet each other and themselves.
RunRecord meeting_run() {
  RunRecord run = sample_run();
  run.options.spec.self = true;
  run.options.absent = Absence::kStays;
  run.options.takes.front().reading.clip = "Jump";
  Take& other = run.options.takes.emplace_back();
  other.avatar = {"auto", {false, 1.25}, {{0.0, 3.0, 0.0}, -90.0}};
  other.reading.rate = 60.0;
  other.reading.skin = "Dancer";
  other.reading.up = UpAxis::kX;
  other.frames = {2, 8, 3};
  other.start = 1.5;
  run.avatars = {{"a.bvh", "humanoid16", {"l0", "l1"}, 100, 1.0 / 120.0, 0.0254 / 0.45},
                 {"c.bvh", "bones", {"m0"}, 9, 0.5, 1.0}};
  run.time_line = {107, 0.25, 17.5};
  return run;
}

TEST_F(ReportReader, ReadsWhatTheWriterWroteOfSeveralTakes) {
  const std::string sample = sample_report();
  const std::string rest = sample.substr(sample.find('\n'));
  const std::string line = run_line(meeting_run());
  const auto report = read(line + rest);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(run_line(report->run), line);
  EXPECT_EQ(report->run.options.takes.at(1).start, 1.5);
  EXPECT_EQ(report->run.options.takes.at(1).reading.clip, "");
  EXPECT_EQ(report->run.avatars.at(1).links, (std::vector<std::string>{"m0"}));
  // One take writes none of it.
  const std::string one = run_line(sample_run());
  for (const char* const field : {"avatars", "time_line", "self", "start", "absent"}) {
    EXPECT_EQ(one.find(field), std::string::npos) << field;
  }
}

TEST_F(ReportReader, ReadsHeldMeshesAndBodies) {
  const std::string sample = sample_report();
  const std::string rest = sample.substr(sample.find('\n'));
  const HeldMesh held{"Hand", "s.obj", {{0.6, 0.8, 0.0, 0.0}, {0.1, 0.2, 0.3}}};
  for (RunRecord run : {sample_run(), meeting_run()}) {
    run.options.takes.back().avatar.hold = {held, {"Foot", "t.obj", {}}};
    const std::string line = run_line(run);
    const auto report = read(line + rest);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(run_line(report->run), line);
    const auto& read_back = report->run.options.takes.back().avatar.hold;
    ASSERT_EQ(read_back.size(), 2U);
    EXPECT_EQ(read_back[0].joint, "Hand");
    EXPECT_EQ(read_back[0].mesh, "s.obj");
    EXPECT_EQ(read_back[0].place, held.place);
  }
  RunRecord run = meeting_run();
  run.options.takes.resize(1);  // and a body
  run.options.takes[0].start = 1.5;
  run.options.spec.bodies = {{"ball", "b.obj", "b.csv"}};
  const std::string line = run_line(run);
  const auto report = read(line + rest);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(run_line(report->run), line);
  EXPECT_EQ(report->run.options.takes[0].start, 1.5);
  ASSERT_EQ(report->run.options.spec.bodies.size(), 1U);
  EXPECT_EQ(report->run.options.spec.bodies[0].motion, "b.csv");
  EXPECT_EQ(report->run.avatars.size(), 2U);
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {R"("bodies":[{)", R"("bodies":[0,{)"},
           {R"("name":"ball")", R"("name":0)"},
           {R"("motion":"b.csv"}])", R"("motion":0}])"}}) {
    std::string text = line;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    EXPECT_FALSE(read(text.replace(at, from.size(), to) + rest).ok()) << to;
  }
}

TEST_F(ReportReader, EveryChangedTakeIsRefused) {
  const std::string sample = sample_report();
  const std::string rest = sample.substr(sample.find('\n'));
  const std::string line = run_line(meeting_run());
  struct Change {
    std::string from;
    std::string to;
    std::string part;
  };
  for (const auto& [from, to, part] : std::vector<Change>{
           {R"("start":[0,1.5])", R"("start":[0])", "\"start\" is not an array of 2"},
           {R"("start":[0,1.5])", R"("start":[0,"1.5"])", "\"start\" is not a number"},
           {R"("absent":"stays")", R"("absent":"late")", "gone, stays"},
           {R"("self":true)", R"("self":1)", "\"self\" is not true or false"},
           {R"("skin":[null,"Dancer"])", R"("skin":null)", "\"skin\" is not an array"},
           {R"("frames":[[1,99,4],[2,8,3]])", R"("frames":[[1,99,4],[2,8]])", "an array of 3"},
           {R"("frames":[[1,99,4],[2,8,3]])", R"("frames":[[1,99,4],[2,8,3,4]])", "an array of 3"},
           {R"("avatar":["humanoid16","auto"])", R"("avatar":["humanoid16"])", "several"},
           {R"("avatars":[{)", R"("avatars":[0,{)", "an array of objects"},
           {R"("avatars":)", R"("people":)", "\"avatars\" is missing"},
           {R"("time_line":)", R"("times":)", "\"time_line\" is missing"},
           {R"("instants":107)", R"("instants":-1)", "\"instants\""},
           {R"("instants":107)", R"("instants":107.5)", "\"instants\""}}) {
    std::string text = line;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from << " in " << line;
    const auto report = read(text.replace(at, from.size(), to) + rest);
    ASSERT_FALSE(report.ok()) << to;
    EXPECT_NE(report.error().message.find(part), std::string::npos) << report.error().message;
    EXPECT_NE(report.error().message.find(":1: "), std::string::npos) << report.error().message;
  }
}

TEST_F(ReportReader, LinesInTheWrongPlaceAreRefused) {
  const std::string text = sample_report();
  const std::string run = text.substr(0, text.find('\n') + 1);
  const auto message = [this](const std::string& broken) {
    const auto report = read(broken);
    return report.ok() ? std::string("it is read") : report.error().message;
  };
  EXPECT_NE(message(run + text).find(":2: the first line, and no other"), std::string::npos);
  EXPECT_NE(message(text.substr(run.size())).find(":1: the first line"), std::string::npos);
  EXPECT_NE(message(text + run).find("after the summary"), std::string::npos);
  const std::string deep = R"({"type":"contact","x":)" + std::string(16, '[') + "\n";
  EXPECT_NE(message(run + deep).find(":2: nested deeper than 16"), std::string::npos);
}

TEST_F(ReportReader, BracketsInNamesAreNoNesting) {
  RunRecord run = sample_run();
  run.device = '"' + std::string(20, '[') + "\\\"{";
  const std::string sample = sample_report();
  const auto report = read(run_line(run) + sample.substr(sample.find('\n')));
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(run_line(report->run), run_line(run));
}

TEST_F(ReportReader, EveryPrefixIsRefusedAndNothingCrashes) {
  const std::string text = sample_report();
  for (std::size_t size = 0; size + 1 < text.size(); size += 23) {
    EXPECT_FALSE(read(text.substr(0, size)).ok()) << size;
  }
}

TEST_F(ReportReader, EveryMissingFieldIsNamed) {
  const std::string text = sample_report();
  const std::size_t end = text.find('\n');
  int later = 0;
  for (std::size_t at = 0; (at = text.find("\":", at)) < end; ++at) {
    std::string broken = text;
    // Fields that the first reports did not have may be missing.
    const std::string name = text.substr(text.rfind('"', at - 1) + 1);
    if (name.starts_with("choice\"") || name.starts_with("clip\"") || name.starts_with("skin\"") ||
        name.starts_with("scale_radii\"") || name.starts_with("tree_cache\"") ||
        name.starts_with("certify\"") || name.starts_with("surface\"") || name.starts_with("gl_")) {
      ++later;
      EXPECT_TRUE(read(broken.insert(at, 1, '_')).ok());
      continue;
    }
    broken.insert(at, 1, '_');
    const auto report = read(broken);
    EXPECT_FALSE(report.ok());
    EXPECT_NE(report.error().message.find(".jsonl:1: "), std::string::npos)
        << report.error().message;
  }
  EXPECT_EQ(later, 10);
}

TEST_F(ReportReader, DamagedBytesNeverCrash) {
  const std::string text = sample_report();
  std::mt19937 random(5);
  for (int i = 0; i < 500; ++i) {
    std::string broken = text;
    for (int k = 0; k < 3; ++k)
      broken[random() % broken.size()] = static_cast<char>(random() % 256);
    const auto report = read(broken);
    if (!report.ok()) {
      EXPECT_EQ(report.error().code, ErrorCode::kInput);
    }
  }
}

TEST_F(ReportReader, SameRecordComparesValues) {
  EXPECT_TRUE(same_record(R"({"a":1e-9,"b":[0.5]})", R"({"a":1e-09,"b":[5e-1]})"));
  EXPECT_FALSE(same_record(R"({"a":1})", R"({"a":2})"));
  EXPECT_FALSE(same_record("{", "{"));
}

}  // namespace
}  // namespace tocsin::io::report_reader_test
