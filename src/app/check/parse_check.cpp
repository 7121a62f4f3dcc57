// The arguments of `tocsin check`.
#include <algorithm>
#include <array>
#include <string_view>

#include "app/check/check_arguments.h"
#include "app/cli/parse_command.h"

namespace tocsin::app {
namespace {

constexpr const char* kCheckExamples = R"(Examples:
  A table of what is touched, when and where, all moments between the frames included:
    tocsin check take.bvh --env house.obj

  From frame 1 on (frame 0 is a reference pose), the performer moved into the kitchen:
    tocsin check take.bvh --env house.obj --frames 1: --place 5.4,0.03,-4

  In a script: a JSON report; feet may touch the floor; status 1 if anything else is touched:
    tocsin check take.bvh --env house.obj --ignore '*foot:Floor*' --out report.jsonl \
      --fail-on-contact

  A take of the CMU database: its skeleton 01.asf lies beside it:
    tocsin check 01_01.amc --env house.obj

  One of several animations, by a body of another size than the model's:
    tocsin check dancers.glb --clip Jump --scale-radii auto --env house.glb

  How far everything stays away, at least, with two centimetres added to every link:
    tocsin check take.bvh --env house.obj --margin 0.02 --clearance

  What comes within 5 cm of each other and never touches, with frame and distance:
    tocsin check take.bvh --env house.obj --near 5cm

  How far each link is from each object within half a metre, or how deep, at every frame:
    tocsin check take.bvh --env house.obj --nearest 0.5 --out report.jsonl

  A sword in the right hand, 4 cm below the wrist's origin and turned by 90 degrees about x:
    tocsin check take.bvh --env house.obj --hold RightHand=sword.obj@0,-0.04,0,0.7071,0.7071,0,0

  A ball that flies through the room, and a chair that stands in the performer's way:
    tocsin check take.bvh --env house.obj --body ball=ball.glb:ball.csv --body chair=chair.obj

  Two performers that were recorded together, both moved into the hall; what touches what:
    tocsin check 18_01.amc 19_01.amc --env hall.obj --place 5,0,-4

  Two takes of any rate and length, each on its own spot, the second half a second later:
    tocsin check a.bvh b.glb --env hall.obj --place 0,0,0 --place 0.8,0,0,180 --start 0 --start 0.5

  Two takes, of which only the second is read at 60 Hz; auto means: as if the option were not given:
    tocsin check a.bvh 02_01.amc --env hall.obj --rate auto --rate 60

  The avatar against itself as well; its hands may touch its thighs:
    tocsin check take.bvh --env house.obj --self --ignore '*hand:*thigh'

  The same without the links that overlap in the rest pose, as neighbouring fingers may:
    tocsin check take.bvh --env house.obj --self --ignore-rest

  A folder of takes, each alone in the room: one table, and a report each in the folder reports:
    tocsin check --each takes/*.bvh --env house.obj --out reports/

  What is touched longest, one row an object; the deepest first; all episodes for a spreadsheet:
    tocsin check take.bvh --env house.obj --group object --sort length
    tocsin check take.bvh --env house.obj --sort depth
    tocsin check take.bvh --env house.obj --csv episodes.csv

  What a live session covered, as it was checked then, up to its last whole pose:
    tocsin check --like records/20260301-120000-000001-5d0c7c.poses

  On a GPU with CUDA; and the same code on the CPU, where there is none:
    tocsin check take.bvh --env house.obj --backend cuda
    tocsin check take.bvh --env house.obj --backend cuda --emulate

  On two CUDA devices, which share the steps:
    tocsin check take.bvh --env house.obj --backend cuda --cuda-device 0,1

Exit status: 0 done; 1 contact found under --fail-on-contact; 2 wrong usage, or a backend that is not
available; 3 an input was refused; 4 could not finish (disk full, memory, interrupted).
)";

class CheckParser final : public CommandParser {
 public:
  explicit CheckParser(CLI::App& tocsin)
      : CommandParser(tocsin, "check", "Find what takes touch in a room, and each other",
                      kCheckExamples) {
    arguments_.add_inputs(app());
    // With --like none is; without it missing_inputs() asks for them.
    for (const char* const name : {option::kMotions.name, option::kEnv.name}) {
      app().get_option(name)->required(false);
    }
    add_text(app(), option::kLike, like_, "Inputs");
    arguments_.add_question(app());
    arguments_.add_near(app());
    arguments_.add_bodies(app());
    arguments_.add_meeting(app());
    arguments_.add_backend(app());
    arguments_.add_running(app());
    arguments_.add_cuda(app());
    arguments_.add_output(app(), "a report, JSON lines,", "a table for people");
    arguments_.add_fail_on_contact(app());
    add_table();
  }

  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {option::kCsv.name});
    refuse_empty(app(), {option::kLike.name});
    like_.empty() ? ask_for_inputs() : refuse_besides_like();
    CheckCommand o;
    o.like = like_;
    o.check = arguments_.resolve(app());
    o.each = arguments_.each();
    o.table.sort = parse_sort(sort_);
    o.table.group = parse_group(group_);
    o.table.all = all_;
    if (!csv_.empty()) o.csv = csv_;
    refuse_clashes(o);
    return o;
  }

 private:
  void add_table() {
    constexpr const char* kGroup = "How it is shown";
    arguments_.add_each(app(), kGroup);
    add_text(app(), option::kSort, sort_, kGroup);
    add_text(app(), option::kGroup, group_, kGroup);
    add_flag(app(), option::kAll, all_, kGroup);
    add_text(app(), option::kCsv, csv_, kGroup);
  }

  void ask_for_inputs() const {
    for (const char* const name : {option::kMotions.name, option::kEnv.name}) {
      if (app().count(name) == 0) throw UsageError{fmt::format("{} is required", name)};
    }
  }

  /// The other options say how a check runs and what is shown of it.
  void refuse_besides_like() const {
    constexpr std::array<std::string_view, 15> kBeside{
        "--help",      "--like",    "--backend",         "--threads", "--tree-cache",
        "--gl-device", "--gl-size", "--gl-method",       "--emulate", "--cuda-device",
        "--out",       "--csv",     "--fail-on-contact", "--sort",    "--group"};
    for (const CLI::Option* const option : app().get_options()) {
      const std::string name = option->get_name();
      const bool beside = std::find(kBeside.begin(), kBeside.end(), name) != kBeside.end();
      if (option->count() == 0 || beside || name == option::kAll.name) continue;
      throw UsageError{
          fmt::format("--like and {}: the report or record says what is checked", name)};
    }
  }

  static SortBy parse_sort(const std::string& text) {
    if (text == "time") return SortBy::kTime;
    if (text == "depth") return SortBy::kDepth;
    if (text == "length") return SortBy::kLength;
    throw UsageError{
        fmt::format("--sort: expected time, depth or length, found \"{}\"", base::printable(text))};
  }

  static GroupBy parse_group(const std::string& text) {
    if (text.empty()) return GroupBy::kNone;
    if (text == "object") return GroupBy::kObject;
    if (text == "link") return GroupBy::kLink;
    throw UsageError{
        fmt::format("--group: expected object or link, found \"{}\"", base::printable(text))};
  }

  static void refuse_clashes(const CheckCommand& o) {
    if (o.each && o.check.out == "-") {
      throw UsageError{"--out: with --each a folder, of a report a take"};
    }
    if (o.each && o.table.group != GroupBy::kNone) {
      throw UsageError{"--group and --each: the table has one row a take"};
    }
    if (o.check.out == "-" && o.csv == "-") {
      throw UsageError{"--out and --csv: only one of them can go to standard output"};
    }
  }

  CheckArguments arguments_{/*several=*/true};
  std::string sort_ = "time";
  std::string group_;
  bool all_ = false;
  std::string csv_;
  std::string like_;
};

}  // namespace

std::unique_ptr<CommandParser> check_parser(CLI::App& tocsin) {
  return std::make_unique<CheckParser>(tocsin);
}

}  // namespace tocsin::app
