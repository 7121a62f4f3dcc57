// The arguments of `tocsin render`.
#include <tuple>

#include "app/check/check_arguments.h"
#include "app/cli/file_kind.h"
#include "app/cli/parse_command.h"
#include "app/cli/parse_parts.h"
#include "app/render/render.h"
#include "view/renderer.h"
#include "view/sheet.h"

namespace tocsin::app {
namespace {

constexpr const char* kRenderExamples = R"(Examples:
  The first step in which anything is touched, from the best camera position:
    tocsin render take.bvh --env house.obj -o contact.png

  A step of ten frames from frame 240 on, nearer to the contact, without feet on the floor:
    tocsin render take.bvh --env house.obj --frame 240 --stride 10 --zoom 2 \
      --ignore '*foot:*' -o k.png

  The way there, a body every 20 frames, and where it ends:
    tocsin render take.bvh --env house.obj --frame 240 --trail 0:240:20 \
      --show stop,contacts,legend -o way.png

  From a camera position that you choose:
    tocsin render take.bvh --env house.obj --camera 2,1.6,4 --look-at 0,1,0 --fov 50 -o view.png

  The third episode of a report of tocsin check, and all of its episodes as small pictures:
    tocsin render report.jsonl --episode 3 -o third.png
    tocsin render report.jsonl --sheet -o all.png

  Two takes that meet, where they first touch anything, each other or themselves:
    tocsin render a.bvh b.bvh --env hall.obj --place 0,0,0 --place 0.8,0,0,180 --self -o meet.png

Exit status: 0 done; 2 wrong usage, or no OpenGL (tocsin devices says why); 3 an input was refused;
4 could not finish (disk full, memory, interrupted).
)";

constexpr int kLeastPixels = 16;
constexpr std::int64_t kMostFrames = 1'000'000'000'000'000;

Vec3 parse_point(std::string_view option, const std::string& text) {
  const auto parts = split(text, ',');
  if (parts.size() != 3) {
    throw UsageError{
        fmt::format("{}: expected X,Y,Z (metres), found \"{}\"", option, base::printable(text))};
  }
  return {parse_length(option, parts[0]), parse_length(option, parts[1]),
          parse_length(option, parts[2])};
}

class RenderParser final : public CommandParser {
 public:
  explicit RenderParser(CLI::App& tocsin)
      : CommandParser(tocsin, "render",
                      "Draw a step and what is touched in it, or all episodes of contact",
                      kRenderExamples) {
    CLI::App& a = app();
    check_.add_inputs(a);
    a.get_option("MOTION")->description(
        "The take, or several on one time line, as of tocsin check; or a report of it, which names "
        "its inputs and options");
    a.get_option("--env")->required(false);
    check_.add_question(a);
    check_.add_meeting(a);
    check_.add_running(a);
    // Of these a picture shows nothing, or they do not go with it.
    for (const char* option :
         {"--contacts", "--clearance", "--sampled", "--gl-size", "--gl-method"}) {
      a.remove_option(a.get_option(option));
    }
    add_picture(a);
    add_camera(a);
  }

  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {"--out", "--frame", "--stride", "--contact", "--episode", "--page",
                         "--trail", "--camera", "--look-at", "--show"});
    RenderOptions o;
    o.check = check_.resolve(app());
    o.check.backend = Backend::kCpu;  // the same answer; OpenGL is for the picture
    o.check.out = out_;
    if (out_ != "-" && !has_extension(out_, {".png"})) {
      throw UsageError{
          fmt::format("--out: pictures are written to .png, not to {}", base::printable(out_))};
    }
    o.report = names_report(app(), o.check);
    resolve_step(o);
    resolve_show(o);
    resolve_camera(o.camera);
    if (sheet_) resolve_sheet(o);
    return o;
  }

 private:
  void add_picture(CLI::App& a) {
    constexpr const char* kGroup = "The picture";
    add_text(a, "-o,--out", out_, "FILE", "The picture, a .png; - for standard output", kGroup)
        ->required();
    add_text(a, "--frame", frame_, "K",
             "The step that begins at frame K (the first of --frames in which anything is touched)",
             kGroup);
    add_text(a, "--stride", stride_, "N", "The step joins frames K and K+N (1)", kGroup);
    add_text(a, "--episode", episode_, "N",
             "The beginning of the Nth episode of contact, in order of first touch", kGroup);
    add_text(a, "--contact", contact_, "N", "The Nth contact, as a report's lines count", kGroup);
    a.add_flag("--sheet", sheet_, "All episodes of contact as small pictures with captions")
        ->group(kGroup);
    add_text(a, "--page", page_, "N",
             "Which page of the sheet, where one does not hold all; a larger --size holds more (1)",
             kGroup);
    add_text(
        a, "--show", show_, "LIST",
        "Any of poses (both ends of the step), sweep (what the links sweep, coloured by time), "
        "stop (where they are proved free until), contacts, legend; or none (all of them)",
        kGroup);
    add_text(a, "--trail", trail_, "[A]:[B][:N]",
             "The avatar at every Nth of frames A to B as well", kGroup);
    add_text(a, "--size", size_, "WxH", "Pixels, each 16 to 4096 (1600x1000)", kGroup);
  }

  void add_camera(CLI::App& a) {
    constexpr const char* kGroup = "The camera";
    add_text(a, "--camera", camera_, "X,Y,Z", "Where it stands, metres (where most is seen)",
             kGroup);
    add_text(a, "--look-at", look_at_, "X,Y,Z", "What it looks at, metres (avatar and contact)",
             kGroup);
    add_text(a, "--fov", fov_, "DEG",
             "Field of view from the lower to the upper edge, 1 to 150 (36)", kGroup);
    add_text(a, "--zoom", zoom_, "F",
             "So much nearer to the contact, without --camera; 0.01 to 1000 (1)", kGroup);
    a.add_flag("--uncut", uncut_, "Do not open walls and other things that stand in front")
        ->group(kGroup);
  }

  void resolve_sheet(RenderOptions& o) const {
    o.sheet = true;
    if (!page_.empty()) o.page = parse_whole("--page", page_, 1, kMostFrames);
    for (const char* const name :
         {"--frame", "--stride", "--episode", "--contact", "--trail", "--camera", "--look-at"}) {
      if (app().count(name) > 0) {
        throw UsageError{fmt::format("{} and --sheet: one picture, or one of every episode", name)};
      }
    }
    if (o.camera.width < view::kLeastSheet || o.camera.height < view::kLeastSheet) {
      throw UsageError{
          fmt::format("--size: a sheet has at least {0} x {0} pixels", view::kLeastSheet)};
    }
    if (show_.empty()) {
      o.show = {false, false, true, true};
    } else if (o.legend) {
      throw UsageError{"--show: a sheet has captions, no legend"};
    }
  }

  void resolve_step(RenderOptions& o) const {
    if (!page_.empty() && !sheet_) throw UsageError{"--page: needs --sheet"};
    const int chosen = static_cast<int>(!frame_.empty()) + static_cast<int>(!contact_.empty()) +
                       static_cast<int>(!episode_.empty());
    if (chosen > 1) throw UsageError{"--frame, --contact, --episode: one of them"};
    if (!contact_.empty()) o.contact = parse_whole("--contact", contact_, 1, kMostFrames);
    if (!episode_.empty()) o.episode = parse_whole("--episode", episode_, 1, kMostFrames);
    if (!stride_.empty() && (o.check.several() || (o.report && frame_.empty()))) {
      throw UsageError{o.report ? "--stride: a report has its own, but with --frame"
                                : "--stride: of several takes, --frames ::N says it for each"};
    }
    if (!stride_.empty()) o.stride = parse_whole("--stride", stride_, 1, kMostFrames);
    if (!trail_.empty()) o.trail = parse_frames("--trail", trail_);
    if (frame_.empty()) {
      if (!stride_.empty()) o.check.takes.front().frames.stride = o.stride;
      return;
    }
    if (app().count("--frames") > 0) {
      throw UsageError{"--frame and --frames: one step, or a range to look for one in"};
    }
    o.frame = parse_whole("--frame", frame_, 0, kMostFrames);
  }

  void resolve_show(RenderOptions& o) const {
    if (show_.empty()) return;
    o.show = {false, false, false, false};
    o.legend = false;
    if (show_ == "none") return;
    for (const std::string_view part : split(show_, ',')) {
      bool* const flag = part == "poses"      ? &o.show.poses
                         : part == "sweep"    ? &o.show.sweep
                         : part == "stop"     ? &o.show.stop
                         : part == "contacts" ? &o.show.contacts
                         : part == "legend"   ? &o.legend
                                              : nullptr;
      if (flag == nullptr) {
        throw UsageError{fmt::format(
            "--show: expected poses, sweep, stop, contacts, legend or none, found \"{}\"",
            base::printable(part))};
      }
      if (*flag) throw UsageError{fmt::format("--show: {} is there twice", part)};
      *flag = true;
    }
  }

  void resolve_camera(view::CameraWish& wish) const {
    std::tie(wish.width, wish.height) =
        parse_size("--size", size_, kLeastPixels, view::kMostPixels);
    if (!camera_.empty()) wish.eye = parse_point("--camera", camera_);
    if (!look_at_.empty()) wish.target = parse_point("--look-at", look_at_);
    wish.fov_degrees = parse_number_in("--fov", fov_, 1.0, 150.0, "from 1 to 150 (degrees)");
    wish.zoom = parse_number_in("--zoom", zoom_, 0.01, 1000.0, "from 0.01 to 1000");
    wish.cut = !uncut_;
    if (wish.eye && app().count("--zoom") > 0) {
      throw UsageError{"--zoom and --camera: a camera that stands somewhere takes --fov"};
    }
    if (!wish.eye || !wish.target) return;
    const view::Camera given{*wish.eye, *wish.target, wish.fov_degrees, wish.width, wish.height};
    if (const Status sound = view::check_camera(given); !sound) {
      throw UsageError{"--camera, --look-at: " + sound.error().message};
    }
  }

  CheckArguments check_{/*several=*/true};
  std::string out_;
  std::string contact_;
  std::string episode_;
  std::string page_;
  bool sheet_ = false;
  std::string frame_;
  std::string stride_;
  std::string show_;
  std::string trail_;
  std::string size_ = "1600x1000";
  std::string camera_;
  std::string look_at_;
  std::string fov_ = "36";
  std::string zoom_ = "1";
  bool uncut_ = false;
};

}  // namespace

std::unique_ptr<CommandParser> render_parser(CLI::App& tocsin) {
  return std::make_unique<RenderParser>(tocsin);
}

}  // namespace tocsin::app
