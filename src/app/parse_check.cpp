// The arguments of `tocsin check`.
#include <limits>

#include "app/parse_command.h"
#include "app/parse_parts.h"

namespace tocsin::app {
namespace {

constexpr double kMost = std::numeric_limits<double>::max();
constexpr double kLeast = std::numeric_limits<double>::min();

constexpr const char* kExamples = R"(Examples:
  A table of what is touched, when and where, all moments between the frames included:
    tocsin check take.bvh --env house.obj

  From frame 1 on (frame 0 is a reference pose), the performer moved into the kitchen:
    tocsin check take.bvh --env house.obj --frames 1: --place 5.4,0.03,-4

  In a script: a report for programs, feet on the floor are fine, status 1 if anything else is touched:
    tocsin check take.bvh --env house.obj --ignore '*foot:Floor*' --out report.jsonl --fail-on-contact

  A take of the CMU database: its skeleton 01.asf lies beside it:
    tocsin check 01_01.amc --env house.obj

  One of several animations, by a body of another size than the model's:
    tocsin check dancers.glb --clip Jump --scale-radii auto --env house.glb

  How far everything stays away, at least, with two centimetres added to every link:
    tocsin check take.bvh --env house.obj --margin 0.02 --clearance

Exit status: 0 done; 1 contact found under --fail-on-contact; 2 wrong usage, or a backend that is not
available; 3 an input was refused; 4 could not finish (disk full, memory, interrupted).
)";

/// What the options said, as text; read by our own functions, whose messages name option and cause.
struct RawCheck {
  CheckOptions options;
  MotionArguments motion;
  RoomArguments room;
  std::string scale_radii = "none";
  std::string place = "0,0,0,0";
  std::string frames = ":";
  std::string in_between = "screw";
  std::string margin = "0";
  std::string contacts = "pairs";
  std::string tolerance = "1e-9";
  std::string backend = "auto";
  std::string threads;
  std::string out;
};

void add_inputs(CLI::App& app, RawCheck& raw) {
  CheckOptions& o = raw.options;
  constexpr const char* kGroup = "Inputs";
  app.add_option("MOTION", o.motion, "The take: .bvh, .amc (with its .asf), .glb/.gltf, .fbx")
      ->type_name("FILE")
      ->required();
  add_texts(app, "--env", o.environments, "FILE",
            "A room: .obj, .ply, .stl, .glb/.gltf, .dae, .x3d, .fbx, .wrl; repeatable", kGroup);
  app.get_option("--env")->required();
  add_text(app, "--avatar", o.avatar, "NAME|FILE|auto",
           "The links: a model that comes with Tocsin, a model file, or auto: the model that binds "
           "the most links by joint names, else one link per bone (auto)",
           kGroup);
  add_text(
      app, "--scale-radii", raw.scale_radii, "none|auto|F",
      "Multiply the model's radii by F, or by how much longer the skeleton's bones are than the "
      "model's (none)",
      kGroup);
  raw.motion.add(app, kGroup);
  raw.room.add(app, kGroup);
}

void add_question(CLI::App& app, RawCheck& raw) {
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

void add_running(CLI::App& app, RawCheck& raw) {
  constexpr const char* kGroup = "How it runs";
  add_text(app, "--tolerance", raw.tolerance, "T",
           "Wanted width of the bracket around a time of contact, in steps (1e-9)", kGroup);
  add_text(app, "--backend", raw.backend, "auto|cpu|gl|cuda",
           "Who culls; every one finds the same contacts (auto)", kGroup);
  add_text(app, "--threads", raw.threads, "N", "Threads (all)", kGroup);
  add_text(
      app, "--tree-cache", raw.options.tree_cache, "DIR",
      "Keep the rooms' trees in this folder: large rooms are ready sooner the next time (none)",
      kGroup);
  add_text(app, "--out", raw.out, "FILE",
           "Write a report, JSON lines, to FILE; - for standard output (a table for people)",
           kGroup);
  app.add_flag("--fail-on-contact", raw.options.fail_on_contact,
               "Exit with 1 if anything was touched")
      ->group(kGroup);
}

CheckOptions resolve(const CLI::App& app, const RawCheck& raw) {
  refuse_empty(app, {"MOTION", "--env", "--avatar", "--threads", "--tree-cache", "--out"});
  CheckOptions o = raw.options;
  o.reading = raw.motion.options(app);
  o.room = raw.room.options();
  o.radii = parse_radius_scale("--scale-radii", raw.scale_radii);
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

class CheckParser final : public CommandParser {
 public:
  explicit CheckParser(CLI::App& tocsin)
      : CommandParser(tocsin, "check", "Find what a take touches in a room", kExamples) {
    add_inputs(app(), raw_);
    add_question(app(), raw_);
    add_running(app(), raw_);
  }
  [[nodiscard]] Command command() const override { return resolve(app(), raw_); }

 private:
  RawCheck raw_;
};

}  // namespace

std::unique_ptr<CommandParser> check_parser(CLI::App& tocsin) {
  return std::make_unique<CheckParser>(tocsin);
}

}  // namespace tocsin::app
