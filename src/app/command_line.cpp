#include "app/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "app/help_format.h"
#include "io/json_text.h"
#include "io/option_names.h"
#include "tocsin/version.h"

namespace tocsin::app {
namespace {

constexpr int kMostThreads = 1024;

constexpr std::string_view kExamples = R"(Examples:
  tocsin check take.bvh --env house.obj
  tocsin info house.obj
  tocsin verify report.jsonl

`tocsin COMMAND --help` tells more about each.
)";

constexpr std::string_view kCheckExamples = R"(Examples:
  A table of what is touched, when and where, all moments between the frames included:
    tocsin check take.bvh --env house.obj

  From frame 1 on (frame 0 is a reference pose), the performer moved into the kitchen:
    tocsin check take.bvh --env house.obj --frames 1: --place 5.4,0.03,-4

  In a script: a report for programs, feet on the floor are fine, status 1 if anything else is touched:
    tocsin check take.bvh --env house.obj --ignore '*foot:Floor*' --out report.jsonl --fail-on-contact

  How far everything stays away, at least, with two centimetres added to every link:
    tocsin check take.bvh --env house.obj --margin 0.02 --clearance

Exit status: 0 done; 1 contact found under --fail-on-contact; 2 wrong usage, or a backend that is not
available; 3 an input was refused; 4 could not finish (disk full, memory, interrupted).
)";

constexpr std::string_view kInfoExamples = R"(Examples:
  tocsin info take.bvh             joints, frames, rate, the unit guessed and why, height
  tocsin info take.bvh --tree      the same and the tree of joints
  tocsin info house.obj --all      objects, triangles, bounds, open and non-manifold edges
  tocsin info humanoid16           an avatar model's links
  tocsin info house.obj --json     for programs
)";

constexpr std::string_view kVerifyExamples = R"(Examples:
  tocsin verify report.jsonl                     every step: slow, and thorough
  tocsin verify report.jsonl --fraction 0.01     one step in a hundred

Exit status: 0 confirmed; 1 a difference was found; 2 wrong usage; 3 the report or an input was refused (a
file that is not the one the report was made from); 4 could not finish.
)";

/// What the options said, as text; read by our own functions, whose messages name option and cause.
struct RawCheck {
  CheckOptions options;
  std::string motion_unit = "auto";
  std::string rate;
  std::string motion_up = "y";
  std::string env_up = "y";
  std::string env_scale = "1";
  std::string place = "0,0,0,0";
  std::string frames = ":";
  std::string in_between = "screw";
  std::string margin = "0";
  std::string contacts = "pairs";
  std::string tolerance = "1e-9";
  std::string backend = "auto";
  std::string threads;
  std::string skeleton;
  std::string out;
};

struct RawVerify {
  VerifyOptions options;
  std::string fraction = "1";
  std::string seed = "1";
  std::string threads;
};

template <class Enum>
Enum parse_name(std::string_view option, const std::string& text) {
  if (const auto value = io::value_named<Enum>(text)) return *value;
  throw UsageError{fmt::format("{}: expected one of {}, found \"{}\"", option,
                               io::all_names<Enum>(), io::printable(text))};
}

int parse_threads(const std::string& text) {
  return text.empty() ? 0 : static_cast<int>(parse_whole("--threads", text, 1, kMostThreads));
}

/// An option that was given an empty text, as by "$UNSET" in a script, is not one that was left
/// out.
void refuse_empty(const CLI::App& app, std::initializer_list<const char*> options) {
  for (const char* const option : options) {
    for (const std::string& value : app.get_option(option)->results()) {
      if (value.empty()) throw UsageError{fmt::format("{}: the value is empty", option)};
    }
  }
}

CheckOptions resolve(const RawCheck& raw) {
  constexpr double kMost = std::numeric_limits<double>::max();
  constexpr double kLeast = std::numeric_limits<double>::min();
  CheckOptions o = raw.options;
  o.motion_unit = parse_unit("--motion-unit", raw.motion_unit);
  if (!raw.rate.empty()) o.rate = parse_number_in("--rate", raw.rate, kLeast, kMost, "above 0");
  if (!raw.skeleton.empty()) o.skeleton = raw.skeleton;
  o.motion_up = parse_name<UpAxis>("--motion-up", raw.motion_up);
  o.env_up = parse_name<UpAxis>("--env-up", raw.env_up);
  o.env_scale = parse_number_in("--env-scale", raw.env_scale, kLeast, kMost, "above 0");
  o.place = parse_placement("--place", raw.place);
  o.frames = parse_frames("--frames", raw.frames);
  o.in_between = parse_name<InBetween>("--in-between", raw.in_between);
  o.margin = parse_number_in("--margin", raw.margin, 0.0, kMost, "of 0 or more (metres)");
  o.contacts = parse_name<Contacts>("--contacts", raw.contacts);
  o.tolerance = parse_number_in("--tolerance", raw.tolerance, kLeast, 1.0, "above 0, at most 1");
  o.backend = parse_name<Backend>("--backend", raw.backend);
  o.threads = parse_threads(raw.threads);
  if (!raw.out.empty()) o.out = raw.out;
  return o;
}

VerifyOptions resolve(const RawVerify& raw) {
  VerifyOptions o = raw.options;
  o.fraction = parse_number_in("--fraction", raw.fraction, std::numeric_limits<double>::min(), 1.0,
                               "above 0, at most 1");
  o.seed = static_cast<std::uint64_t>(
      parse_whole("--seed", raw.seed, 0, std::numeric_limits<std::int64_t>::max()));
  o.threads = parse_threads(raw.threads);
  return o;
}

CLI::Option* add_text(CLI::App& app, const char* name, std::string& value, const char* type,
                      const char* description, const char* group) {
  return app.add_option(name, value, description)->type_name(type)->group(group);
}

/// An option that may be given many times, with one value each time.
void add_texts(CLI::App& app, const char* name, std::vector<std::string>& values, const char* type,
               const char* description, const char* group) {
  app.add_option(name, values, description)->type_name(type)->group(group)->allow_extra_args(false);
}

void add_check_inputs(CLI::App& app, RawCheck& raw) {
  CheckOptions& o = raw.options;
  constexpr const char* kGroup = "Inputs";
  app.add_option("MOTION", o.motion, "The take: a .bvh file")->type_name("FILE")->required();
  add_texts(app, "--env", o.environments, "FILE",
            "A room: .obj, .ply, .stl, .glb/.gltf, .dae, .x3d, .fbx; repeatable", kGroup);
  app.get_option("--env")->required();
  add_text(app, "--avatar", o.avatar, "NAME|FILE|auto",
           "The links: a model that comes with Tocsin, a model file, or auto: the model that binds "
           "the most "
           "links by joint names, else one link per bone (auto)",
           kGroup);
  add_text(app, "--skeleton", raw.skeleton, "FILE", "The .asf skeleton of an .amc take", kGroup);
  add_text(app, "--motion-unit", raw.motion_unit, "U",
           "One unit of MOTION: m, cm, mm, in, cmu (0.0254/0.45 m), a number of metres, or auto: "
           "from the "
           "file, else the one that makes the rest skeleton 1.2 to 2.2 m tall (auto)",
           kGroup);
  add_text(app, "--rate", raw.rate, "HZ", "Frame rate, where the file has none", kGroup);
  add_text(app, "--motion-up", raw.motion_up, "y|z|x", "Axis of MOTION that points up (y)", kGroup);
  add_text(app, "--env-up", raw.env_up, "y|z|x", "Axis of the rooms that points up (y)", kGroup);
  add_text(app, "--env-scale", raw.env_scale, "S", "One unit of the rooms in metres (1)", kGroup);
}

void add_check_question(CLI::App& app, RawCheck& raw) {
  CheckOptions& o = raw.options;
  constexpr const char* kGroup = "What is checked";
  add_text(
      app, "--place", raw.place, "X,Y,Z[,YAW]",
      "Move the avatar by X,Y,Z metres after turning it by YAW degrees about the up axis (0,0,0,0)",
      kGroup);
  add_text(app, "--frames", raw.frames, "[A]:[B][:STRIDE]",
           "Frames A to B, from 0, both included; a step joins frames f and f+STRIDE (all, 1)",
           kGroup);
  add_text(app, "--in-between", raw.in_between, "HOW",
           "How joints move between two frames: screw or translate_rotate (screw)", kGroup);
  add_text(app, "--margin", raw.margin, "D", "Grow every link's radius by D metres (0)", kGroup);
  add_texts(app, "--ignore", o.ignore, "LINK:OBJECT",
            "Do not look at these pairs; shell globs, repeatable: --ignore '*foot:Floor*'", kGroup);
  add_text(
      app, "--contacts", raw.contacts, "pairs|first",
      "The first contact of every link and object in every step, or the earliest of each step only "
      "(pairs)",
      kGroup);
  app.add_flag("--clearance", o.clearance,
               "Add, per step and link, a proved lower bound of the least distance to anything")
      ->group(kGroup);
  app.add_flag("--sampled", o.sampled,
               "Look at the sampled poses only, as a frame-by-frame checker would: for comparison, "
               "no proof")
      ->group(kGroup);
}

void add_check_running(CLI::App& app, RawCheck& raw) {
  constexpr const char* kGroup = "How it runs";
  add_text(app, "--tolerance", raw.tolerance, "T",
           "Wanted width of the bracket around a time of contact, in steps (1e-9)", kGroup);
  add_text(app, "--backend", raw.backend, "auto|cpu|gl|cuda",
           "Who culls; every one finds the same contacts (auto)", kGroup);
  add_text(app, "--threads", raw.threads, "N", "Threads (all)", kGroup);
  add_text(app, "--out", raw.out, "FILE",
           "Write a report, JSON lines, to FILE; - for standard output (a table for people)",
           kGroup);
  app.add_flag("--fail-on-contact", raw.options.fail_on_contact,
               "Exit with 1 if anything was touched")
      ->group(kGroup);
}

void add_info(CLI::App& app, InfoOptions& o, std::string& unit, std::string& motion_up,
              std::string& env_up, std::string& env_scale) {
  app.add_option("FILE", o.file, "A take, a room, or an avatar model (file or name)")
      ->type_name("FILE")
      ->required();
  app.add_flag("--tree", o.tree, "Show the tree of joints");
  app.add_flag("--all", o.all, "Show every object");
  app.add_flag("--json", o.json, "One JSON object, for programs");
  app.add_option("--motion-unit", unit, "As for check (auto)")->type_name("U");
  app.add_option("--motion-up", motion_up, "As for check (y)")->type_name("y|z|x");
  app.add_option("--env-up", env_up, "As for check (y)")->type_name("y|z|x");
  app.add_option("--env-scale", env_scale, "As for check (1)")->type_name("S");
}

void add_verify(CLI::App& app, RawVerify& raw) {
  app.add_option("REPORT", raw.options.report, "A report that `tocsin check --out` wrote")
      ->type_name("FILE")
      ->required();
  app.add_option("--fraction", raw.fraction,
                 "Share of the steps that the second implementation confirms (1)")
      ->type_name("F");
  app.add_option("--seed", raw.seed, "Chooses the steps, if not all (1)")->type_name("S");
  app.add_option("--threads", raw.threads, "Threads (all)")->type_name("N");
}

/// The name of the command whose arguments are read, for messages: "tocsin check".
std::string command_name(const CLI::App& app) {
  for (const CLI::App* sub : app.get_subcommands()) return "tocsin " + sub->get_name();
  return "tocsin";
}

[[noreturn]] void refuse(const CLI::App& app, int argc, const char* const* argv,
                         const CLI::ParseError& error) {
  const std::string command = command_name(app);
  const bool names_unknown_command = command == "tocsin" && argc > 1 && argv[1][0] != '-';
  if (names_unknown_command) {
    throw UsageError{
        fmt::format("there is no command \"{}\"; the commands are check, info and verify",
                    io::printable(argv[1]))};
  }
  throw UsageError{fmt::format("{} (try: {} --help)", io::printable(error.what()), command)};
}

}  // namespace

Command parse_command_line(int argc, const char* const* argv) {
  CLI::App app(
      "Tocsin tells when, where and with what a motion-captured avatar first touches a room: with "
      "proof, and at every moment, not only at the recorded frames.",
      "tocsin");
  app.formatter(std::make_shared<HelpFormat>());
  app.set_version_flag("--version", fmt::format("tocsin {}", kVersion), "Show the version");
  app.footer(std::string(kExamples));
  app.require_subcommand(0, 1);

  RawCheck raw_check;
  CLI::App* check = app.add_subcommand("check", "Find what a take touches in a room");
  add_check_inputs(*check, raw_check);
  add_check_question(*check, raw_check);
  add_check_running(*check, raw_check);
  check->footer(std::string(kCheckExamples));

  InfoOptions info_options;
  std::string unit = "auto";
  std::string motion_up = "y";
  std::string env_up = "y";
  std::string env_scale = "1";
  CLI::App* info = app.add_subcommand("info", "Describe a take, a room or an avatar model");
  add_info(*info, info_options, unit, motion_up, env_up, env_scale);
  info->footer(std::string(kInfoExamples));

  RawVerify raw_verify;
  CLI::App* verify = app.add_subcommand(
      "verify", "Check a report again, and confirm it by a second implementation");
  add_verify(*verify, raw_verify);
  verify->footer(std::string(kVerifyExamples));

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked) {  // help or version
    std::ostringstream text;
    app.exit(asked, text, text);
    return ShowText{text.str(), false};
  } catch (const CLI::ParseError& error) {
    refuse(app, argc, argv, error);
  }
  if (check->parsed()) {
    refuse_empty(*check,
                 {"MOTION", "--env", "--avatar", "--skeleton", "--rate", "--threads", "--out"});
    return resolve(raw_check);
  }
  if (verify->parsed()) {
    refuse_empty(*verify, {"REPORT", "--threads"});
    return resolve(raw_verify);
  }
  if (!info->parsed()) return ShowText{app.help(), true};
  info_options.motion_unit = parse_unit("--motion-unit", unit);
  info_options.motion_up = parse_name<UpAxis>("--motion-up", motion_up);
  info_options.env_up = parse_name<UpAxis>("--env-up", env_up);
  info_options.env_scale =
      parse_number_in("--env-scale", env_scale, std::numeric_limits<double>::min(),
                      std::numeric_limits<double>::max(), "above 0");
  return info_options;
}

}  // namespace tocsin::app
