#include "app/check_arguments.h"

#include <limits>
#include <tuple>

#include "app/parse_parts.h"

namespace tocsin::app {
namespace {

constexpr double kMost = std::numeric_limits<double>::max();
constexpr int kMostDevices = 1000;  // more is a slip of the finger
constexpr const char* kRunning = "How it runs";
constexpr double kLeast = std::numeric_limits<double>::min();

}  // namespace

void CheckArguments::add_inputs(CLI::App& app) {
  CheckOptions& o = options_;
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
      app, "--scale-radii", scale_radii_, "none|auto|F",
      "Multiply the model's radii by F, or by how much longer the skeleton's bones are than the "
      "model's (none)",
      kGroup);
  motion_.add(app, kGroup);
  room_.add(app, kGroup);
}

void CheckArguments::add_question(CLI::App& app) {
  CheckOptions& o = options_;
  constexpr const char* kGroup = "What is checked";
  add_text(
      app, "--place", place_, "X,Y,Z[,YAW]",
      "Move the avatar by X,Y,Z metres after turning it by YAW degrees about the up axis (0,0,0,0)",
      kGroup);
  add_text(app, "--frames", frames_, "[A]:[B][:STRIDE]",
           "Frames A to B, from 0, both included; a step joins frames f and f+STRIDE (all, 1)",
           kGroup);
  add_text(app, "--in-between", in_between_, "HOW",
           "How joints move between two frames: screw or translate_rotate (screw)", kGroup);
  add_text(app, "--margin", margin_, "D", "Grow every link's radius by D metres (0)", kGroup);
  add_texts(app, "--ignore", o.ignore, "LINK:OBJECT",
            "Do not look at these pairs; shell globs, repeatable: --ignore '*foot:Floor*'", kGroup);
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

void CheckArguments::add_backend(CLI::App& app) {
  add_text(app, "--backend", backend_, "auto|cpu|gl|cuda",
           "Who culls; every one finds the same contacts (auto)", kRunning);
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

void CheckArguments::add_report(CLI::App& app) {
  add_text(app, "--out", out_, "FILE",
           "Write a report, JSON lines, to FILE; - for standard output (a table for people)",
           kRunning);
  app.add_flag("--fail-on-contact", options_.fail_on_contact, "Exit with 1 if anything was touched")
      ->group(kRunning);
}

CheckOptions CheckArguments::resolve(const CLI::App& app) const {
  refuse_empty(
      app, {"MOTION", "--env", "--avatar", "--threads", "--tree-cache", "--out", "--gl-device"});
  CheckOptions o = options_;
  o.reading = motion_.options(app);
  o.room = room_.options();
  o.radii = parse_radius_scale("--scale-radii", scale_radii_);
  o.place = parse_placement("--place", place_);
  o.frames = parse_frames("--frames", frames_);
  o.in_between = parse_name<InBetween>("--in-between", in_between_);
  o.margin = parse_number_in("--margin", margin_, 0.0, kMost, "of 0 or more (metres)");
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
  if (!gl_device_.empty()) {
    o.gl.device = static_cast<int>(parse_whole("--gl-device", gl_device_, 0, kMostDevices));
  }
  std::tie(o.gl.width, o.gl.height) =
      parse_size("--gl-size", gl_size_, kLeastViewSize, kMostViewSize);
  o.gl.method = parse_name<GlMethod>("--gl-method", gl_method_);
  if (!out_.empty()) o.out = out_;
  return o;
}

}  // namespace tocsin::app
