#include "app/check_arguments.h"

#include <tuple>

#include "app/parse_parts.h"

namespace tocsin::app {
namespace {

constexpr int kMostDevices = 1000;    // more is a slip of the finger
constexpr double kLatestStart = 1e6;  // seconds; TakePart::start

}  // namespace

void CheckArguments::add_inputs(CLI::App& app) {
  CheckOptions& o = options_;
  constexpr const char* kGroup = "Inputs";
  CLI::Option* const motion =
      several_ ? app.add_option("MOTION", motions_,
                                "The take: .bvh, .amc (with its .asf), .glb/.gltf, .fbx, .poses; "
                                "several are checked together, on one time line")
               : app.add_option("MOTION", o.motion,
                                "The take: .bvh, .amc (with its .asf), .glb/.gltf, .fbx, .poses");
  motion->type_name("FILE")->required();
  add_texts(app, "--env", o.environments, "FILE",
            "A room: .obj, .ply, .stl, .glb/.gltf, .dae, .x3d, .fbx, .wrl; repeatable", kGroup);
  app.get_option("--env")->required();
  avatar_.add(app, "--avatar", "NAME|FILE|auto",
              "The links: a model that comes with Tocsin, a model file, or auto: the model that "
              "binds the most links by joint names, else one link per bone (auto)",
              kGroup, several_);
  scale_radii_.add(app, "--scale-radii", "none|auto|F",
                   "Multiply the model's radii by F, or by how much longer the skeleton's bones "
                   "are than the model's (none)",
                   kGroup, several_);
  motion_.add(app, kGroup, several_);
  room_.add(app, kGroup);
}

void CheckArguments::add_question(CLI::App& app) {
  CheckOptions& o = options_;
  constexpr const char* kGroup = "What is checked";
  place_.add(
      app, "--place", "X,Y,Z[,YAW]",
      "Move the avatar by X,Y,Z metres after turning it by YAW degrees about the up axis (0,0,0,0)",
      kGroup, several_);
  frames_.add(app, "--frames", "[A]:[B][:STRIDE]",
              "Frames A to B, from 0, both included; a step joins frames f and f+STRIDE (all, 1)",
              kGroup, several_);
  add_text(app, "--in-between", in_between_, "HOW",
           "How joints move between two frames: screw or translate_rotate (screw)", kGroup);
  add_text(app, "--margin", margin_, "D", "Grow every link's radius by D metres (0)", kGroup);
  add_texts(
      app, "--ignore", o.ignore, "LINK:OBJECT",
      several_
          ? "Do not look at these pairs; shell globs, repeatable: --ignore '*foot:Floor*'; under "
            "--self also LINK:LINK"
          : "Do not look at these pairs; shell globs, repeatable: --ignore '*foot:Floor*'",
      kGroup);
  add_text(
      app, "--contacts", contacts_, "pairs|first",
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

void CheckArguments::add_meeting(CLI::App& app) {
  constexpr const char* kGroup = "Who meets whom";
  app.add_flag("--self", options_.self,
               "Look at pairs of links of one avatar, too, but those next to each other in its "
               "skeleton; --ignore LINK:LINK leaves out more")
      ->group(kGroup);
  app.add_flag("--ignore-rest", options_.ignore_rest,
               "With --self: not at links that overlap already in the skeleton's rest pose")
      ->group(kGroup);
  start_.add(app, "--start", "SECONDS",
             "Of several takes, which meet on one time line: when frame 0 of a take is (0)", kGroup,
             several_);
  add_text(app, "--absent", absent_, "gone|stays",
           "Of several takes: what an avatar is before its take begins and after it ends: not "
           "there, or still in its first and its last pose (gone)",
           kGroup);
}

void CheckArguments::add_backend(CLI::App& app) {
  add_text(app, "--backend", backend_, "auto|cpu|gl|cuda",
           "Who checks; every one finds the same contacts (auto)", kRunning);
  app.add_flag("--no-certify", no_certify_,
               "The image-space answer of --backend gl: times are proved free before their first "
               "end, their second is an estimate, and some contacts may be none")
      ->group(kRunning);
}

void CheckArguments::add_running(CLI::App& app) {
  add_text(app, "--tolerance", tolerance_, "T",
           "Wanted width of the bracket around a time of contact, in steps (1e-9)", kRunning);
  add_text(app, "--threads", threads_, "N", "Threads (all)", kRunning);
  add_text(
      app, "--tree-cache", options_.tree_cache, "DIR",
      "Keep the rooms' trees in this folder: large rooms are ready sooner the next time (none)",
      kRunning);
  add_text(
      app, "--gl-device", gl_device_, "N",
      "The OpenGL device, as `tocsin devices` counts (TOCSIN_GL_DEVICE, else the first usable)",
      kRunning);
  add_text(app, "--gl-size", gl_size_, "WxH",
           "Pixels of the view of one link over one stretch of time; each 8 to 8192 (64x64)",
           kRunning);
  add_text(app, "--gl-method", gl_method_, "flags|query",
           "How OpenGL's answers are gathered: bits set by fragments, or occlusion queries (flags)",
           kRunning);
}

void CheckArguments::add_cuda(CLI::App& app) {
  add_text(app, "--cuda-device", cuda_device_, "N",
           "The CUDA device, as `tocsin devices` counts (TOCSIN_CUDA_DEVICE, else the first)",
           kRunning);
  app.add_flag(
         "--emulate", options_.cuda.emulate,
         "Without a CUDA device: what one would do, on all cores; the same answer, more slowly "
         "than by the CPU itself")
      ->group(kRunning);
}

void CheckArguments::add_report(CLI::App& app) {
  add_text(app, "--out", out_, "FILE",
           "Write a report, JSON lines, to FILE; - for standard output (a table for people)",
           kRunning);
  app.add_flag("--fail-on-contact", options_.fail_on_contact, "Exit with 1 if anything was touched")
      ->group(kRunning);
}

TakeOptions CheckArguments::take(const CLI::App& app, std::size_t i) const {
  const std::size_t n = several_ ? motions_.size() : 1;
  TakeOptions o;
  o.motion = several_ ? motions_[i] : options_.motion;
  o.reading = motion_.options(app, i, n);
  o.avatar = avatar_.of(i, n);
  o.radii = parse_radius_scale("--scale-radii", scale_radii_.of(i, n));
  o.place = parse_placement("--place", place_.of(i, n));
  o.frames = parse_frames("--frames", frames_.of(i, n));
  o.start =
      parse_number_in("--start", start_.of(i, n), 0.0, kLatestStart, "from 0 to 1e6 (seconds)");
  return o;
}

void CheckArguments::resolve_meeting(const CLI::App& app, CheckOptions& o) const {
  o.absent = parse_name<Absence>("--absent", absent_);
  const bool several = !o.others.empty();
  if (o.ignore_rest && !o.self) {
    throw UsageError{"--ignore-rest: is about pairs of links, which are looked at with --self"};
  }
  for (const char* const name : {"--start", "--absent"}) {
    if (!several && app.get_option_no_throw(name) != nullptr && app.count(name) > 0) {
      throw UsageError{fmt::format("{}: is for several takes; there is one", name)};
    }
  }
  if (several && o.sampled) {
    throw UsageError{"--sampled: looks at the frames of one take; several have none in common"};
  }
  if ((several || o.self) && !o.certify) {
    throw UsageError{fmt::format("--no-certify: image space knows no pairs of links ({})",
                                 o.self ? "--self" : "several takes")};
  }
}

void CheckArguments::resolve_devices(const CLI::App& app, CheckOptions& o) const {
  if (!gl_device_.empty()) {
    o.gl.device = static_cast<int>(parse_whole("--gl-device", gl_device_, 0, kMostDevices));
  }
  std::tie(o.gl.width, o.gl.height) =
      parse_size("--gl-size", gl_size_, kLeastViewSize, kMostViewSize);
  o.gl.method = parse_name<GlMethod>("--gl-method", gl_method_);
  if (!cuda_device_.empty()) {
    o.cuda.device = static_cast<int>(parse_whole("--cuda-device", cuda_device_, 0, kMostDevices));
  }
  if (o.cuda.emulate && o.cuda.device) {
    throw UsageError{"--emulate: is for where there is no device; excludes --cuda-device"};
  }
  const bool chooses = app.get_option_no_throw("--backend") != nullptr;
  if (!chooses || o.backend == Backend::kCuda) return;
  if (o.cuda.emulate) throw UsageError{"--emulate: needs --backend cuda"};
  if (o.cuda.device) throw UsageError{"--cuda-device: needs --backend cuda"};
}

CheckOptions CheckArguments::resolve(const CLI::App& app) const {
  refuse_empty(app, {"MOTION", "--env", "--avatar", "--threads", "--tree-cache", "--out",
                     "--gl-device", "--cuda-device"});
  CheckOptions o = options_;
  static_cast<TakeOptions&>(o) = take(app, 0);
  for (std::size_t i = 1; i < motions_.size(); ++i) o.others.push_back(take(app, i));
  o.room = room_.options();
  o.in_between = parse_name<InBetween>("--in-between", in_between_);
  o.margin = parse_number_in("--margin", margin_, 0.0, kGreatest, "of 0 or more (metres)");
  o.contacts = parse_name<Contacts>("--contacts", contacts_);
  o.tolerance = parse_number_in("--tolerance", tolerance_, kLeast, 1.0, "above 0, at most 1");
  o.backend = parse_name<Backend>("--backend", backend_);
  o.certify = !no_certify_;
  if (no_certify_ && o.backend != Backend::kGl && o.backend != Backend::kAuto) {
    throw UsageError{"--no-certify: needs the gl backend (--backend gl)"};
  }
  if (no_certify_ && o.clearance) {
    throw UsageError{"--no-certify: excludes --clearance, which is proved by certify"};
  }
  o.threads = parse_threads(threads_);
  resolve_devices(app, o);
  if (!out_.empty()) o.out = out_;
  resolve_meeting(app, o);
  return o;
}

}  // namespace tocsin::app
