// What validate says about answers that differ: made up, as no backend gives any.
#include "app/validate/validate_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "support/contains.h"
#include "support/scenes/random_scene.h"

namespace tocsin::app::validate_report_test {
namespace {

using test::contains;

using Json = nlohmann::json;

Contact contact_between(std::int32_t link, double lo, double hi) {
  Contact out;
  out.link = link;
  out.touched = RoomTriangle{1, 0};
  out.toc = {lo, hi};
  return out;
}

class ValidateReport : public testing::Test {
 protected:
  ValidateReport() {
    test::RandomLinks random(3);
    test::RandomTake take = test::random_take(random, 4, 6, 0.1, 0.1);
    job_.environment = test::random_room(random, 2, 3, 2.0);
    JobTake& only = job_.takes.emplace_back();
    only.file = "take.bvh";
    only.member.avatar = std::move(take.avatar);
    only.motion = std::move(take.motion);
    only.steps = only.motion.steps().value();
    job_.inputs = {{"motion", "take.bvh", ""}, {"environment", "room.obj", ""}};
    ExactRow cpu;
    cpu.run = run_of(Backend::kCpu, "one core");
    validation_.exact.push_back(cpu);
    ExactRow gl;
    gl.run = run_of(Backend::kGl, "llvmpipe");
    validation_.exact.push_back(gl);
    ImageRow image;
    image.run = run_of(Backend::kGl, "llvmpipe");
    image.size = {32, 16};
    image.differences.contacts = 5;
    image.differences.widths = {0.125, 0.25};
    validation_.image.push_back(image);
  }

  BackendRun run_of(Backend backend, const std::string& device) const {
    BackendRun out;
    out.backend = backend;
    out.device = device;
    out.check_ms = 10.0;
    out.counters.near_links = 12345;
    out.counters.box_pairs = 17;
    out.tally.steps = static_cast<std::int64_t>(job_.only().steps.size());
    out.tally.contacts = 5;
    out.hash = "0123456789abcdef";
    return out;
  }
  ExactRow& gl() { return validation_.exact[1]; }
  ImageDifferences& image() { return validation_.image[0].differences; }
  /// Long lines are broken at blanks: without that.
  std::string text() const {
    std::istringstream in(render_validation(job_, validation_));
    std::string out;
    for (std::string word; in >> word;) out += word + ' ';
    return out;
  }
  Json json() const { return Json::parse(validation_json(job_, validation_, "{}")); }
  std::string link(std::size_t i) const { return job_.only().member.avatar.links()[i].name; }

  Job job_;
  Validation validation_;
};

TEST_F(ValidateReport, AllIsWell) {
  EXPECT_TRUE(holds(validation_));
  EXPECT_TRUE(contains(text(), "gl and cpu agree bit for bit: 5 contacts in 5 steps.")) << text();
  EXPECT_TRUE(contains(text(), "32x16")) << text();
  EXPECT_FALSE(contains(text(), "DIFFERS")) << text();
  EXPECT_EQ(json()["holds"], true);
  EXPECT_EQ(json()["backends"][0]["left"]["box_pairs"], nullptr);
  EXPECT_EQ(json()["backends"][1]["left"]["box_pairs"], 17);
  EXPECT_EQ(json()["backends"][1]["milliseconds"]["per_step"], 2.0);
  EXPECT_EQ(json()["image_space"][0]["bracket_width"], Json({{"median", 0.1875}, {"max", 0.25}}));
  EXPECT_EQ(json()["image_space"][0]["early"], nullptr);
}

TEST_F(ValidateReport, ABackendThatDiffers) {
  gl().equal = false;
  gl().differences.missed = 12;
  gl().differences.extra = 1;
  gl().differences.findings = {
      {Fault::kMissed, 3, contact_between(0, 0.25, 0.5), std::nullopt},
      {Fault::kDifferent, 4, contact_between(2, 0.25, 0.5), contact_between(2, 0.25, 0.75)},
      {Fault::kDifferent, 5, std::nullopt, std::nullopt}};
  EXPECT_FALSE(holds(validation_));
  EXPECT_TRUE(contains(text(), "gl DIFFERS from cpu: 12 missed, 1 extra, 0 otherwise")) << text();
  EXPECT_TRUE(
      contains(text(), "step 3: " + link(0) + " and object1: cpu hit [0.25, 0.5], here free"))
      << text();
  EXPECT_TRUE(contains(text(), "here hit [0.25, 0.75]")) << text();
  EXPECT_TRUE(contains(text(), "step 5: other bounds")) << text();
  EXPECT_TRUE(contains(text(), "... and 10 more")) << text();
  const Json row = json()["backends"][1];
  EXPECT_EQ(json()["holds"], false);
  EXPECT_EQ(row["equal"], false);
  EXPECT_EQ(row["missed"], 12);
  EXPECT_EQ(row["findings"][0], Json({{"fault", "missed"},
                                      {"step", 3},
                                      {"avatar", 0},
                                      {"link", link(0)},
                                      {"object", "object1"},
                                      {"other", nullptr},
                                      {"reference", {0.25, 0.5}},
                                      {"found", nullptr}}));
  EXPECT_EQ(row["findings"][2]["link"], nullptr);
}

TEST_F(ValidateReport, AnotherPointIsADifferenceThatIsNamed) {
  gl().equal = false;
  gl().differences.different = 1;
  gl().differences.findings = {
      {Fault::kDifferent, 4, contact_between(2, 0.25, 0.5), contact_between(2, 0.25, 0.5)}};
  EXPECT_TRUE(contains(text(), "another triangle, point or normal")) << text();
}

TEST_F(ValidateReport, LinksThatTouchAreNamed) {
  EXPECT_FALSE(contains(text(), "Pairs of links")) << text();
  job_.takes.push_back(job_.takes.front());
  job_.takes[0].name = "ann";
  job_.takes[1].name = "bob";
  job_.options.takes.emplace_back();
  job_.instants = {0.0, 1.0};
  gl().equal = false;
  gl().differences.missed = 2;
  Contact met = contact_between(0, 0.25, 0.5);
  met.touched = OtherLink{1, 2};
  Contact own = contact_between(1, 0.25, 0.5);
  own.touched = OtherLink{1, 0};
  gl().differences.findings = {{Fault::kMissed, 3, met, std::nullopt},
                               {Fault::kMissed, 3, own, std::nullopt, 1},
                               {Fault::kDifferent, 3, std::nullopt, std::nullopt, 1}};
  EXPECT_TRUE(contains(
      text(), "step 3: " + link(0) + " of ann and " + link(2) + " of bob: cpu hit [0.25, 0.5]"))
      << text();
  EXPECT_TRUE(contains(text(), "step 3: " + link(1) + " of bob and its own " + link(0) + ": cpu"))
      << text();
  EXPECT_TRUE(contains(text(), "step 3: other bounds of bob")) << text();
  EXPECT_TRUE(contains(text(), "Pairs of links 0 0 ")) << text();
  const Json findings = json()["backends"][1]["findings"];
  EXPECT_EQ(findings[0]["avatar"], 0);
  EXPECT_EQ(findings[0]["object"], nullptr);
  EXPECT_EQ(findings[0]["other"], Json({{"avatar", 1}, {"link", link(2)}}));
  EXPECT_EQ(findings[1]["avatar"], 1);
  EXPECT_EQ(findings[1]["other"], Json({{"avatar", 1}, {"link", link(0)}}));
}

TEST_F(ValidateReport, OtherBytesOfTheSameContacts) {
  gl().equal = false;
  gl().run.hash = "fedcba9876543210";
  EXPECT_FALSE(holds(validation_));
  EXPECT_TRUE(contains(text(), "hash is fedcba9876543210 instead of 0123456789abcdef")) << text();
}

TEST_F(ValidateReport, ImageSpaceThatIsWrong) {
  image().missed = 1;
  EXPECT_FALSE(holds(validation_));
  EXPECT_TRUE(contains(text(), "gl in image space at 32x16 is WRONG: 1 of 5 contacts missed"));
  EXPECT_EQ(json()["image_space"][0]["wrong"], true);
  image().missed = 0;
  image().late = image().refuted = 1;
  EXPECT_FALSE(holds(validation_));
  EXPECT_TRUE(contains(text(), "0 of 5 contacts missed, 1 later than proved")) << text();
}

TEST_F(ValidateReport, WithinTheExactBracketBothAreRight) {
  image().late = 2;
  EXPECT_TRUE(holds(validation_));
  EXPECT_TRUE(contains(text(), "2 later than the exact lo, within the exact bracket")) << text();
  EXPECT_EQ(json()["image_space"][0]["late"], 2);
  EXPECT_EQ(json()["image_space"][0]["refuted"], 0);
}

TEST_F(ValidateReport, WhatThePapersSurfaceMissesIsAFinding) {
  validation_.surface = GlSurface::kPaper;
  image().missed = 3;
  image().late = image().refuted = 1;
  image().findings = {{Fault::kMissed, 3, contact_between(0, 0.25, 0.5), std::nullopt}};
  EXPECT_TRUE(holds(validation_));
  EXPECT_TRUE(contains(text(), "misses 3 of 5 contacts, and 1 it sees too late")) << text();
  EXPECT_FALSE(contains(text(), "WRONG")) << text();
  EXPECT_FALSE(contains(text(), "step 3: ")) << text();  // counted, no faults
  EXPECT_EQ(json()["surface"], "paper");
  EXPECT_EQ(json()["image_space"][0]["wrong"], false);
  // The exact answer next to it still has to be exact.
  gl().equal = false;
  EXPECT_FALSE(holds(validation_));
}

TEST_F(ValidateReport, ABackendThatDidNotRun) {
  validation_.exact.pop_back();
  validation_.image.clear();
  validation_.absent = {{Backend::kGl, "there is no \x1b[2J EGL"}};
  EXPECT_TRUE(holds(validation_));
  EXPECT_TRUE(contains(text(), "not run: there is no ?[2J EGL")) << text();
  EXPECT_TRUE(contains(text(), "Nothing was compared")) << text();
  EXPECT_EQ(json()["absent"][0]["backend"], "gl");
  EXPECT_EQ(json()["image_space"], Json::array());
}

TEST_F(ValidateReport, ManySizesFitATerminal) {
  validation_.image.resize(16, validation_.image[0]);
  for (ImageRow& row : validation_.image) row.size = {8192, 8192};
  gl().equal = false;
  gl().differences.different = 1;
  gl().differences.findings = {{Fault::kDifferent, 4, contact_between(2, 1.0 / 3.0, 2.0 / 3.0),
                                contact_between(2, 1.0 / 7.0, 3.0 / 7.0)}};
  validation_.absent = {{Backend::kCuda, std::string(40, 'x') + " " + std::string(60, 'y')}};
  std::istringstream in(render_validation(job_, validation_));
  for (std::string line; std::getline(in, line);) EXPECT_LE(line.size(), 100U) << line;
}

}  // namespace
}  // namespace tocsin::app::validate_report_test
