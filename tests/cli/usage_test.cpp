// Help, version, and what is said about a command line that makes no sense: exit status 2, the
// option named.
#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <set>

#include "cli/scenes.h"
#include "tocsin/version.h"

namespace tocsin::test::usage_test {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Usage, HelpShowsExamples) {
  for (const std::string command :
       {"check", "info", "verify", "serve", "send", "convert", "make-room", "make-motion"}) {
    const CommandResult result = run_tocsin({command, "--help"});
    EXPECT_EQ(result.status, 0);
    EXPECT_TRUE(contains(result.out, "Examples:")) << result.out;
    EXPECT_TRUE(contains(result.out, "tocsin " + command + " ")) << result.out;
    EXPECT_EQ(result.err, "");
  }
  const CommandResult all = run_tocsin({"--help"});
  EXPECT_EQ(all.status, 0);
  for (const std::string part :
       {"check", "info", "verify", "validate", "render", "report", "export", "devices", "convert",
        "make-room", "make-motion", "Examples:"}) {
    EXPECT_TRUE(contains(all.out, part)) << all.out;
  }
}

TEST(Usage, HelpNamesEveryOptionAndNoLineIsTooLong) {
  const std::string help = run_tocsin({"check", "--help"}).out;
  for (const std::string option : {"--env",         "--avatar",     "--skeleton",
                                   "--motion-unit", "--rate",       "--motion-up",
                                   "--env-up",      "--env-scale",  "--place",
                                   "--frames",      "--in-between", "--margin",
                                   "--ignore",      "--contacts",   "--clearance",
                                   "--sampled",     "--tolerance",  "--backend",
                                   "--threads",     "--out",        "--fail-on-contact",
                                   "--clip",        "--skin",       "--scale-radii",
                                   "--no-certify",  "--gl-device",  "--gl-size",
                                   "--gl-method",   "--self",       "--start",
                                   "--absent",      "--ignore-rest"}) {
    EXPECT_TRUE(contains(help, "  " + option)) << option;
  }
  for (const std::string& line : lines_of(help)) EXPECT_LE(line.size(), 100U) << line;
}

/// What help says of every option of a command: its name, and its text in one line.
std::map<std::string, std::string> option_texts(const std::string& command) {
  constexpr std::size_t kColumn = 30;  // where texts begin
  std::map<std::string, std::string> out;
  std::string* text = nullptr;
  for (const std::string& line : lines_of(run_tocsin({command, "--help"}).out)) {
    const bool goes_on = line.rfind(std::string(kColumn, ' '), 0) == 0;
    if (!goes_on) text = nullptr;
    if (line.rfind("  -", 0) == 0) text = &out[line.substr(2, line.find(' ', 2) - 2)];
    const bool has_text =
        goes_on || (line.size() > kColumn && line.compare(kColumn - 2, 2, "  ") == 0);
    if (text == nullptr || !has_text) continue;
    *text += (text->empty() ? "" : " ") + line.substr(kColumn);
  }
  // Where there may be several takes, and where there is --self.
  for (auto& [name, of] : out) {
    for (const std::string more :
         {"; once for all takes or once for each", "; under --self also LINK:LINK"}) {
      if (const std::size_t at = of.find(more); at != std::string::npos) of.erase(at, more.size());
    }
  }
  return out;
}

TEST(Usage, AnOptionOfSeveralCommandsHasOneText) {
  // These mean something else in each command.
  const std::set<std::string> different{"--as",      "--backend", "--env",     "--out",
                                        "--rate",    "--seed",    "--seconds", "--threads",
                                        "--surface", "--tls-key", "--tls-cert"};
  std::map<std::string, std::string> known;
  std::size_t same = 0;
  for (const std::string command : {"check", "info", "verify", "validate", "render", "serve",
                                    "send", "convert", "make-room", "make-motion"}) {
    for (const auto& [name, text] : option_texts(command)) {
      EXPECT_FALSE(text.empty()) << command << ' ' << name;
      if (different.count(name) > 0) continue;
      const auto [before, is_new] = known.emplace(name, text);
      same += is_new ? 0 : 1;
      EXPECT_EQ(text, before->second) << command << ' ' << name;
    }
  }
  EXPECT_GT(same, 60U);
  EXPECT_NE(known.at("--frames").find("a step joins frames f and f+STRIDE"), std::string::npos);
}

TEST(Usage, Version) {
  const CommandResult result = run_tocsin({"--version"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out, std::string("tocsin ") + kVersion + "\n");
}

TEST(Usage, NoCommandShowsHelp) {
  const CommandResult result = run_tocsin({});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(contains(result.err, "Examples:")) << result.err;
}

TEST(Usage, UnknownCommand) {
  const CommandResult result = run_tocsin({"chekc", "a.bvh"});
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(contains(result.err, "\"chekc\"")) << result.err;
}

TEST(Usage, MissingArguments) {
  EXPECT_TRUE(contains(run_tocsin({"check"}).err, "MOTION"));
  EXPECT_TRUE(contains(run_tocsin({"check", "take.bvh"}).err, "--env"));
  EXPECT_TRUE(contains(run_tocsin({"info"}).err, "FILE"));
  EXPECT_TRUE(contains(run_tocsin({"verify"}).err, "REPORT"));
  EXPECT_EQ(run_tocsin({"check", "take.bvh"}).status, 2);
}

struct BadOption {
  std::vector<std::string> arguments;
  std::string part;  ///< of the message, beside the option's name
};

TEST(Usage, EveryBadValueIsRefusedByName) {
  const PoleScene scene;
  const std::vector<BadOption> cases{
      {{"--margin", "-1"}, "0 or more"},
      {{"--margin", "nan"}, "finite"},
      {{"--margin", "inf"}, "finite"},
      {{"--margin", "1e999"}, "number"},
      {{"--margin", "2 ell"}, "\"2 ell\""},
      {{"--margin", "cm"}, "number"},
      {{"--margin", "1ecm"}, "number"},
      {{"--margin", "-2cm"}, "0 or more"},
      {{"--margin", "1e999cm"}, "number"},
      {{"--place", "1,2kg,3"}, "\"2kg\""},
      {{"--place", "1,2,3,4rad"}, "number"},
      {{"--margin", ""}, "number"},
      {{"--margin"}, "required"},
      {{"--margin", "1", "--margin", "2"}, "2"},
      {{"--tolerance", "0"}, "above 0"},
      {{"--tolerance", "2"}, "at most 1"},
      {{"--env-scale", "0"}, "above 0"},
      {{"--env-scale", "-1"}, "above 0"},
      {{"--rate", "0"}, "above 0"},
      {{"--rate", ""}, "empty"},
      {{"--place", "1,2"}, "X,Y,Z"},
      {{"--place", "1,2,3,4,5"}, "X,Y,Z"},
      {{"--place", "1,,3"}, "number"},
      {{"--place", "1,nan,3"}, "finite"},
      {{"--place", "1e300,0,0"}, "beyond"},
      {{"--frames", "1"}, "[A]:[B]"},
      {{"--frames", "1:2:3:4"}, "[A]:[B]"},
      {{"--frames", "-1:2"}, "whole number"},
      {{"--frames", "1.5:"}, "whole number"},
      {{"--frames", "::0"}, "STRIDE: expected a whole number"},
      {{"--frames", "3:2"}, "3 to 2"},
      {{"--frames", "0:9"}, "9 frames"},
      {{"--frames", "99999999999999999999:"}, "whole number"},
      {{"--motion-unit", "ell"}, "cmu"},
      {{"--motion-unit", "0"}, "greater than 0"},
      {{"--motion-unit", "nan"}, "unit"},
      {{"--motion-up", "w"}, "y, z, x"},
      {{"--env-up", "Y"}, "y, z, x"},
      {{"--in-between", "linear"}, "screw, translate_rotate"},
      {{"--contacts", "all"}, "pairs, first"},
      {{"--backend", "vulkan"}, "auto, cpu, gl, cuda"},
      {{"--threads", "0"}, "whole number"},
      {{"--threads", "many"}, "whole number"},
      {{"--ignore", "Floor"}, "':'"},
      {{"--out", ""}, "empty"},
      {{"--skeleton", "x.asf"}, ".amc"},
      {{"--skeleton", ""}, "empty"},
      {{"--clip", "Jump"}, ".glb"},
      {{"--clip", ""}, "empty"},
      {{"--skin", "Dancer"}, ".glb"},
      {{"--scale-radii", "big"}, "none, auto or a factor"},
      {{"--scale-radii", "0"}, "above 0"},
      {{"--scale-radii", "inf"}, "above 0"},
      {{"--rate", "120"}, "says its own"},
  };
  for (const BadOption& bad : cases) {
    const CommandResult result = scene.check(bad.arguments);
    EXPECT_EQ(result.status, 2) << testing::PrintToString(bad.arguments) << result.err;
    EXPECT_TRUE(contains(result.err, bad.arguments[0])) << result.err;
    EXPECT_TRUE(contains(result.err, bad.part)) << bad.part << " in: " << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(lines_of(result.err).size(), 1U) << result.err;
  }
}

TEST(Usage, UnknownOption) {
  const CommandResult result = PoleScene().check({"--fast"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "tocsin check: there is no option --fast (try: tocsin check --help)\n");
}

TEST(Usage, AMistypedWordIsAnsweredWithTheOneThatWasMeant) {
  for (const auto& [typed, meant] :
       std::map<std::string, std::string>{{"--margn", "--margin"},
                                          {"--ignroe", "--ignore"},
                                          {"--threds=2", "--threads"},
                                          {"--fps", ""},
                                          {"--frame", "--frames"},
                                          {"--clearence", "--clearance"},
                                          {"--self-check", ""},
                                          {"--env_up", "--env-up"}}) {
    const CommandResult result = PoleScene().check({typed, "1"});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(contains(result.err, "no option " + typed.substr(0, typed.find('='))))
        << result.err;
    EXPECT_EQ(contains(result.err, "did you mean"), !meant.empty()) << result.err;
    EXPECT_TRUE(contains(result.err, meant.empty() ? "" : "did you mean " + meant + "?"))
        << result.err;
  }
  // Before what else is missing then.
  EXPECT_TRUE(contains(run_tocsin({"check", "a.bvh", "--evn", "r.obj"}).err, "mean --env?"));
  EXPECT_TRUE(contains(run_tocsin({"chekc"}).err, "did you mean check?"));
  EXPECT_TRUE(contains(run_tocsin({"help", "chekc"}).err, "did you mean check?"));
  EXPECT_FALSE(contains(run_tocsin({"dance"}).err, "did you mean"));
}

TEST(Usage, ErrorsOfUsageBeginWithTheCommand) {
  const PoleScene scene;
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--margin", "x"},
                                             {"--margin"},
                                             {"--nothing"},
                                             {"--frames", "9:"},
                                             {"--out", "take.bvh"}}) {
    const std::string message = scene.check(more).err;
    EXPECT_TRUE(message.starts_with("tocsin check: ")) << message;
  }
  EXPECT_TRUE(run_tocsin({"verify"}).err.starts_with("tocsin verify: "));
  EXPECT_TRUE(run_tocsin({"nothing"}).err.starts_with("tocsin: "));
}

TEST(Usage, HelpAndVersionInTheirOtherSpellings) {
  EXPECT_EQ(run_tocsin({"help"}).out, run_tocsin({"--help"}).out);
  EXPECT_EQ(run_tocsin({"help", "check"}).out, run_tocsin({"check", "--help"}).out);
  EXPECT_EQ(run_tocsin({"help", "check"}).status, 0);
  EXPECT_EQ(run_tocsin({"-V"}).out, run_tocsin({"--version"}).out);
  EXPECT_EQ(run_tocsin({"help", "check", "info"}).status, 2);
}

TEST(Usage, EveryHelpFitsATerminalAndNamesItsExitStatuses) {
  for (const std::string command :
       {"check", "info", "verify", "validate", "render", "report", "export", "serve", "send",
        "devices", "selftest", "convert", "make-room", "make-motion"}) {
    const CommandResult result = run_tocsin({command, "--help"});
    EXPECT_TRUE(contains(result.out, "\nExit status: 0 ")) << command;
    for (const std::string& line : lines_of(result.out)) EXPECT_LE(line.size(), 100U) << line;
  }
  for (const std::string& line : lines_of(run_tocsin({"--help"}).out)) EXPECT_LE(line.size(), 100U);
}

TEST(Usage, LengthsWithTheirUnit) {
  const PoleScene scene;
  const auto hash = [&scene](const std::vector<std::string>& more) {
    return hash_of_contacts(scene.report(more));
  };
  const std::string margin = hash({"--margin", "0.02"});
  EXPECT_NE(margin, hash({}));
  for (const std::string text : {"2cm", "20mm", "0.02m", "2 cm", "+2cm", "0.2e1cm"}) {
    EXPECT_EQ(hash({"--margin", text}), margin) << text;
  }
  EXPECT_EQ(hash({"--place", "10cm,0,-50mm,90deg"}), hash({"--place", "0.1,0,-0.05,90"}));
  EXPECT_EQ(hash({"--place", "1in,1ft,0"}), hash({"--place", "0.0254,0.3048,0"}));
}

TEST(Usage, ABackendThatIsNotThereSaysWhy) {
  const PoleScene scene;
  const CommandResult far = scene.check({"--backend", "gl", "--gl-device", "999"});
  EXPECT_EQ(far.status, 2);
  EXPECT_TRUE(contains(far.err, "999")) << far.err;
  EXPECT_EQ(scene.check({"--backend", "cpu"}).status, 0);
}

TEST(Usage, EnvTakesOneFileEachTime) {
  // A greedy --env would swallow the motion behind it.
  const PoleScene scene;
  const CommandResult result = run_tocsin(
      {"check", "--env", "room.obj", "--ignore", "*:Floor", "take.bvh", "--avatar", "pole.json"},
      scene.path());
  EXPECT_EQ(result.status, 0) << result.err;
}

TEST(Usage, NegativeNumbersAreValues) {
  EXPECT_EQ(PoleScene().check({"--place", "-1,0,-1,-90"}).status, 0);
}

TEST(Usage, FailOnContact) {
  const PoleScene scene;
  EXPECT_EQ(scene.check({"--fail-on-contact"}).status, 1);
  EXPECT_EQ(scene.check({"--fail-on-contact", "--frames", ":2"}).status, 0);
  EXPECT_EQ(scene.check({"--fail-on-contact", "--out", "report.jsonl"}).status, 1);
  EXPECT_EQ(lines_of_type(scene.read("report.jsonl"), "summary").size(), 1U);
}

TEST(Usage, VerifyOptions) {
  for (const std::string fraction : {"0", "1.5", "nan", "half"}) {
    const CommandResult result = run_tocsin({"verify", "r.jsonl", "--fraction", fraction});
    EXPECT_EQ(result.status, 2);
    EXPECT_TRUE(contains(result.err, "--fraction")) << result.err;
  }
  EXPECT_EQ(run_tocsin({"verify", "r.jsonl", "--seed", "-1"}).status, 2);
  // Not among the reports, and not behind them.
  EXPECT_EQ(run_tocsin({"verify", "--fraction", "0.5"}).status, 2);
  EXPECT_EQ(run_tocsin({"verify", "r.jsonl", ""}).status, 2);
}

}  // namespace
}  // namespace tocsin::test::usage_test
