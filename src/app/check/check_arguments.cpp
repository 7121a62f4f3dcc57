#include "app/check/check_arguments.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <tuple>

#include "app/cli/file_kind.h"
#include "app/cli/parse_parts.h"
#include "base/text_file.h"
#include "io/report/report_reader.h"
#include "io/robot/urdf.h"

namespace tocsin::app {
namespace {

constexpr const char* kSeveralAvatars = "Several avatars";  // a group of options

constexpr double kFarthest = 1e3;     // metres; --near and --nearest of more ask for everything
constexpr double kLatestStart = 1e6;  // seconds; TakePart::start

bool can_be_opened(const std::filesystem::path& file) {
  return std::unique_ptr<std::FILE, base::CloseFile>(std::fopen(file.c_str(), "rb")) != nullptr;
}

/// A plan's robot is its skeleton and its avatar: either option names both.
void name_robot(Take& take) {
  if (!has_extension(take.motion, {".csv"})) return;
  if (!take.reading.skeleton && io::is_urdf(take.avatar.model)) {
    take.reading.skeleton = take.avatar.model;
  }
  if (take.reading.skeleton && io::is_urdf(*take.reading.skeleton) && take.avatar.model == "auto") {
    take.avatar.model = take.reading.skeleton->string();
  }
}

}  // namespace

void CheckArguments::add_inputs(CLI::App& app) {
  constexpr const char* kGroup = "Inputs";
  const OptionText& text = several_ ? option::kMotions : option::kMotion;
  CLI::Option* const motion =
      several_ ? app.add_option(text.name, motions_, text.text)
               : app.add_option(text.name, options_.takes.front().motion, text.text);
  motion->type_name(text.type)->required();
  add_texts(app, option::kEnv, options_.environments, kGroup);
  app.get_option(option::kEnv.name)->required();
  avatar_.add(app, option::kAvatar, kGroup, several_);
  scale_radii_.add(app, option::kScaleRadii, kGroup, several_);
  motion_.add(app, kGroup, several_);
  room_.add(app, kGroup);
}

void CheckArguments::add_question(CLI::App& app, const OptionText& surface) {
  constexpr const char* kGroup = "What is checked";
  place_.add(app, option::kPlace, kGroup, several_);
  frames_.add(app, option::kFrames, kGroup, several_);
  add_flag(app, option::kSkipRest, skip_rest_, kGroup);
  add_text(app, option::kInBetween, in_between_, kGroup);
  add_text(app, option::kMargin, margin_, kGroup);
  add_texts(app, option::kIgnore, options_.spec.ignore, kGroup);
  add_texts(app, surface, options_.spec.surfaces, kGroup);
  add_text(app, option::kContacts, contacts_, kGroup);
  add_flag(app, option::kClearance, options_.spec.clearance, kGroup);
  add_flag(app, option::kSampled, options_.sampled, kGroup);
}

void CheckArguments::add_bodies(CLI::App& app) {
  add_texts(app, option::kHold, hold_, "What is checked");
  add_texts(app, option::kBody, bodies_, "What is checked");
}

void CheckArguments::add_near(CLI::App& app) {
  add_text(app, option::kNear, near_, "What is checked");
  add_text(app, option::kNearest, nearest_, "What is checked");
}

void CheckArguments::add_own_links(CLI::App& app, const char* group) {
  add_flag(app, option::kSelf, options_.spec.self, group);
  add_flag(app, option::kIgnoreRest, options_.ignore_rest, group);
}

void CheckArguments::add_meeting(CLI::App& app) {
  constexpr const char* kGroup = kSeveralAvatars;
  add_own_links(app, kGroup);
  srdf_.add(app, option::kSrdf, kGroup, several_);
  start_.add(app, option::kStart, kGroup, several_);
  add_text(app, option::kAbsent, absent_, kGroup);
}

void CheckArguments::add_each(CLI::App& app, const char* group) {
  add_flag(app, option::kEach, each_, group);
}

void CheckArguments::add_backend(CLI::App& app) {
  add_text(app, "--backend", backend_, "auto|cpu|gl|cuda",
           "What checks; every backend finds the same contacts (auto)", kRunning);
  app.add_flag("--no-certify", no_certify_,
               "The image-space answer of --backend gl: freedom before a contact's first time is "
               "proved, its second time is an estimate, and some contacts may be none")
      ->group(kRunning);
}

void CheckArguments::add_running(CLI::App& app) {
  add_text(app, option::kTolerance, tolerance_, kRunning);
  add_text(app, option::kThreads, threads_, kRunning);
  add_text(app, option::kTreeCache, options_.tree_cache, kRunning);
  add_text(app, option::kGlDevice, gl_device_, kRunning);
  add_text(app, option::kGlSize, gl_size_, kRunning);
  add_text(app, option::kGlMethod, gl_method_, kRunning);
}

void CheckArguments::add_cuda(CLI::App& app) {
  add_text(app, option::kCudaDevice, cuda_device_, kRunning);
  add_flag(app, option::kEmulate, options_.experiments.emulate, kRunning);
}

void CheckArguments::add_output(CLI::App& app, const char* what, const char* otherwise) {
  add_out(app, out_, what, otherwise);
}

void CheckArguments::add_fail_on_contact(CLI::App& app) {
  add_flag(app, option::kFailOnContact, options_.fail_on_contact, kRunning);
}

Take CheckArguments::take(const CLI::App& app, std::size_t i) const {
  const std::size_t n = take_count();
  Take o;
  o.motion = several_ ? motions_[i] : options_.takes.front().motion;
  o.reading = motion_.options(app, i, n);
  o.avatar.model = avatar_.of(i, n);
  o.avatar.radii = parse_radius_scale("--scale-radii", scale_radii_.of(i, n));
  o.avatar.place = parse_placement("--place", place_.of(i, n));
  name_robot(o);
  o.srdf = srdf_.of(i, n);
  o.frames = parse_frames("--frames", frames_.of(i, n));
  o.skip_rest = skip_rest_;
  o.start =
      parse_number_in("--start", start_.of(i, n), 0.0, kLatestStart, "from 0 to 1e6 (seconds)");
  return o;
}

void CheckArguments::resolve_bodies(CheckOptions& o) const {
  for (const std::string& text : hold_) {
    const HeldMesh held = parse_held("--hold", text);
    for (Take& take : o.takes) take.avatar.hold.push_back(held);
  }
  std::set<std::string> names;
  for (const std::string& text : bodies_) {
    o.spec.bodies.push_back(parse_body("--body", text));
    const std::string& name = o.spec.bodies.back().name;
    if (!names.insert(name).second) {
      throw UsageError{fmt::format("--body: \"{}\" is the name of two", base::printable(name))};
    }
  }
  if ((!hold_.empty() || !bodies_.empty()) && !o.experiments.certify) {
    throw UsageError{"--no-certify: image space knows no meshes that move (--hold, --body)"};
  }
}

void CheckArguments::resolve_near(CheckOptions& o) const {
  if (!nearest_.empty()) {
    o.nearest =
        parse_length_in("--nearest", nearest_, kLeast, kFarthest, "above 0, at most 1000 (metres)");
  }
  if (near_.empty()) return;
  o.near = parse_length_in("--near", near_, kLeast, kFarthest, "above 0, at most 1000 (metres)");
  if (o.spec.contacts == Contacts::kFirst) {
    throw UsageError{"--near: needs every contact, to know what never touches (--contacts pairs)"};
  }
  if (no_certify_) throw UsageError{"--no-certify: excludes --near, which certify proves"};
}

void CheckArguments::resolve_meeting(const CLI::App& app, CheckOptions& o) const {
  o.absent = parse_name<Absence>("--absent", absent_);
  for (const Take& take : o.takes) {
    if (take.srdf == "auto" || take.srdf == "none") continue;
    if (!o.spec.self) {
      throw UsageError{"--srdf: is about pairs of links, which are looked at with --self"};
    }
    if (io::is_urdf(take.avatar.model)) continue;
    throw UsageError{
        fmt::format("--srdf: {} is no robot (.urdf)", base::printable(take.avatar.model))};
  }
  const bool several = each_ ? !o.spec.bodies.empty() : o.several();
  if (o.ignore_rest && !o.spec.self) {
    throw UsageError{"--ignore-rest: is about pairs of links, which are looked at with --self"};
  }
  for (const char* const name : {"--start", "--absent"}) {
    if (!several && app.get_option_no_throw(name) != nullptr && app.count(name) > 0) {
      throw UsageError{
          fmt::format("{}: is for several takes{}", name,
                      each_ ? " that meet; --each checks each alone" : "; there is one")};
    }
  }
  if (several && o.sampled) {
    throw UsageError{
        "--sampled: looks at the frames of one take; several, and bodies, have none in common"};
  }
  if ((several || o.spec.self) && !o.experiments.certify) {
    throw UsageError{fmt::format("--no-certify: image space knows no pairs of links ({})",
                                 o.spec.self ? "--self" : "several takes")};
  }
}

void CheckArguments::resolve_devices(const CLI::App& app, CheckOptions& o) const {
  if (!gl_device_.empty()) {
    o.gl.device = static_cast<int>(parse_whole("--gl-device", gl_device_, 0, kMostDevices));
  }
  std::tie(o.gl.width, o.gl.height) =
      parse_size("--gl-size", gl_size_, kLeastViewSize, kMostViewSize);
  o.gl.method = parse_name<GlMethod>("--gl-method", gl_method_);
  o.cuda.devices = parse_cuda_devices(cuda_device_);
  const bool chooses = app.get_option_no_throw("--backend") != nullptr;
  if (!chooses || o.backend == Backend::kCuda) return;
  if (o.experiments.emulate) throw UsageError{"--emulate: needs --backend cuda"};
  if (!o.cuda.devices.empty()) throw UsageError{"--cuda-device: needs --backend cuda"};
}

CheckOptions CheckArguments::resolve(const CLI::App& app) const {
  refuse_empty(app, {"MOTION", "--env", "--avatar", "--threads", "--tree-cache", "--out", "--near",
                     "--nearest", "--gl-device", "--cuda-device"});
  CheckOptions o = options_;
  o.takes.clear();
  for (std::size_t i = 0; i < take_count(); ++i) o.takes.push_back(take(app, i));
  o.room = room_.options();
  o.spec.in_between = parse_name<InBetween>("--in-between", in_between_);
  o.spec.margin = parse_length_in("--margin", margin_, 0.0, kGreatest, "of 0 or more (metres)");
  o.spec.contacts = parse_name<Contacts>("--contacts", contacts_);
  o.spec.tolerance = parse_number_in("--tolerance", tolerance_, kLeast, 1.0, "above 0, at most 1");
  o.backend = parse_name<Backend>("--backend", backend_);
  o.experiments.certify = !no_certify_;
  if (no_certify_ && o.backend != Backend::kGl && o.backend != Backend::kAuto) {
    throw UsageError{"--no-certify: needs the gl backend (--backend gl)"};
  }
  if (no_certify_ && o.spec.clearance) {
    throw UsageError{"--no-certify: excludes --clearance, which is proved by certify"};
  }
  if (no_certify_) o.spec.surfaces = {"*"};  // image space sees surfaces only
  o.threads = parse_threads(threads_);
  resolve_devices(app, o);
  if (!out_.empty()) o.out = out_;
  resolve_bodies(o);
  resolve_meeting(app, o);
  resolve_near(o);
  return o;
}

void refuse_check_options(const CLI::App& app, const std::vector<std::string>& but,
                          const std::string& why) {
  const auto refuse = [&](const std::string& option) {
    if (std::find(but.begin(), but.end(), option) != but.end()) return;
    throw UsageError{fmt::format("{}: {}", option, why)};
  };
  for (const char* const group : {"Inputs", "What is checked", kSeveralAvatars}) {
    for (const CLI::Option* const option :
         app.get_options([group](const CLI::Option* one) { return one->get_group() == group; })) {
      if (option->count() > 0 && !option->get_positional()) refuse(option->get_name());
    }
  }
  if (app.count("--tolerance") > 0) refuse("--tolerance");
}

bool names_report(const CLI::App& app, const CheckOptions& options) {
  const auto is_report = [](const Take& take) { return io::is_report(take.motion); };
  if (std::none_of(options.takes.begin(), options.takes.end(), is_report)) {
    if (app.count("--env") > 0) return false;
    // What cannot be opened may be a report: reading it says which file, and why.
    if (options.several() || can_be_opened(options.takes.front().motion)) {
      throw UsageError{"--env is required, but for a report"};
    }
    return true;
  }
  if (options.several()) throw UsageError{"MOTION: a report goes alone"};
  refuse_check_options(app, {}, "goes with takes; a report has its own");
  return true;
}

}  // namespace tocsin::app
