// The arguments of `tocsin make-room`, `tocsin make-motion` and `tocsin make-robot`.
#include "app/cli/parse_command.h"
#include "app/cli/parse_parts.h"

namespace tocsin::app {
namespace {

constexpr const char* kRoomExamples = R"(Examples:
  tocsin make-room house.glb                          100,000 triangles, to look at
  tocsin make-room house.ply --triangles 10M          the same house, finer shapes, fuller shelves
  tocsin make-room other.obj --triangles 1M --seed 7  another house

The same seed and size give the same bytes on every machine.

Exit status: 0 done; 2 wrong usage; 4 could not finish (disk full, memory, interrupted).
)";

constexpr const char* kMotionExamples = R"(Examples:
  tocsin make-motion walk.bvh --kind walk
  tocsin make-motion kick.glb --kind kick --seconds 20 --rate 60 --seed 3
  tocsin make-motion swing.bvh --kind swing --mesh tool.obj
  tocsin make-motion door.bvh --kind door --mesh leaf.obj --mesh-motion leaf.poses

The last two are for: tocsin check swing.bvh --env ROOM --hold RightHand=tool.obj
                      tocsin check door.bvh --env ROOM --body leaf=leaf.obj:leaf.poses

The same options give the same bytes on every machine.

Exit status: 0 done; 2 wrong usage; 4 could not finish (disk full, memory, interrupted).
)";

class MakeRoomParser final : public CommandParser {
 public:
  explicit MakeRoomParser(CLI::App& tocsin)
      : CommandParser(tocsin, "make-room", "Make a furnished house of any size", kRoomExamples) {
    CLI::App& a = app();
    a.add_option("OUT", options_.output, "The file to write: .obj, .ply, .glb")
        ->type_name("FILE")
        ->required();
    add_text(a, "--triangles", triangles_, "N",
             "How many, to within 2 %: 10k to 10M; k and M may be used (100k)");
    add_seed(a, seed_, "which house it is");
  }
  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {"OUT"});
    MakeRoomOptions o = options_;
    o.recipe.triangles = parse_amount("--triangles", triangles_);
    o.recipe.seed = parse_seed("--seed", seed_);
    return o;
  }

 private:
  MakeRoomOptions options_;
  std::string triangles_ = "100k";
  std::string seed_ = "1";
};

class MakeMotionParser final : public CommandParser {
 public:
  explicit MakeMotionParser(CLI::App& tocsin)
      : CommandParser(tocsin, "make-motion",
                      "Make a take of a walk, reach, kick, cartwheel, swing or door",
                      kMotionExamples) {
    CLI::App& a = app();
    a.add_option("OUT", options_.output, "The file to write: .bvh, .glb, .poses")
        ->type_name("FILE")
        ->required();
    add_text(
        a, "--kind", kind_, "KIND",
        "walk, reach, kick, cartwheel, swing (of a tool in the right hand) or door (it closes on "
        "the right hand) (walk)");
    add_text(a, "--seconds", seconds_, "S", "How long (10)");
    add_text(a, "--rate", rate_, "HZ", "Frames a second (120)");
    add_seed(a, seed_, "pace, reach, height and side");
    add_text(a, "--mesh", options_.mesh, "FILE",
             "Also write the tool that is swung or the door's leaf: .obj, .ply, .glb");
    add_text(a, "--mesh-motion", options_.mesh_motion, "FILE",
             "Also write the motion of the door's leaf: .bvh, .glb, .poses");
  }
  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {"OUT", "--mesh", "--mesh-motion"});
    MakeMotionOptions o = options_;
    o.recipe.kind = parse_performance("--kind", kind_);
    o.recipe.seconds = parse_number("--seconds", seconds_);
    o.recipe.rate = parse_number("--rate", rate_);
    o.recipe.seed = parse_seed("--seed", seed_);
    return o;
  }

 private:
  MakeMotionOptions options_;
  std::string kind_ = "walk";
  std::string seconds_ = "10";
  std::string rate_ = "120";
  std::string seed_ = "1";
};

constexpr const char* kRobotExamples = R"(Examples:
  tocsin make-robot robot
  tocsin check robot/free.csv --avatar robot/arm.urdf --env robot/cell.obj --self
  tocsin check robot/hits.csv --avatar robot/arm.urdf --env robot/cell.obj --self

It writes arm.urdf, arm.srdf, upper_arm.obj, cell.obj and two plans, free.csv and hits.csv: the same bytes on
every machine.

Exit status: 0 done; 2 wrong usage; 4 could not finish (disk full, memory, interrupted).
)";

class MakeRobotParser final : public CommandParser {
 public:
  explicit MakeRobotParser(CLI::App& tocsin)
      : CommandParser(tocsin, "make-robot", "Make a robot arm, its cell and two plans",
                      kRobotExamples) {
    app()
        .add_option("DIR", options_.folder, "The folder to write to; it is made if it is not there")
        ->type_name("DIR")
        ->required();
  }
  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {"DIR"});
    return options_;
  }

 private:
  MakeRobotOptions options_;
};

}  // namespace

std::unique_ptr<CommandParser> make_robot_parser(CLI::App& tocsin) {
  return std::make_unique<MakeRobotParser>(tocsin);
}

std::unique_ptr<CommandParser> make_room_parser(CLI::App& tocsin) {
  return std::make_unique<MakeRoomParser>(tocsin);
}

std::unique_ptr<CommandParser> make_motion_parser(CLI::App& tocsin) {
  return std::make_unique<MakeMotionParser>(tocsin);
}

}  // namespace tocsin::app
