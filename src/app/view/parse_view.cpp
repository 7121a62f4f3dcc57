// The arguments of `tocsin view`.
#include <tuple>

#include "app/check/check_arguments.h"
#include "app/cli/parse_command.h"
#include "app/cli/parse_parts.h"
#include "app/view/view.h"
#include "view/window/actions.h"

namespace tocsin::app {
namespace {

constexpr const char* kViewExamples = R"(Examples:
  A take in its room: what is touched, when and where, with slow motion inside a step:
    tocsin view take.bvh --env house.obj

  A report of tocsin check or of a live session, as it was checked:
    tocsin view report.jsonl

  Two takes on one time line, and a body that moves by itself:
    tocsin view a.bvh b.glb --env hall.obj --place 0,0,0 --place 0.8,0,0,180
    tocsin view take.bvh --env house.obj --body ball=ball.glb:ball.csv

  Pictures without a display, by a script (docs/view.md):
    tocsin view report.jsonl --script shots.txt --offscreen --size 1280x720

Keys (in the window: F1):
)";

constexpr const char* kViewEnd = R"(
The pointer: drag turns, the right button moves, the wheel goes nearer; a click picks and follows.

Exit status: 0 closed; 2 wrong usage, no display, no SDL2 or no OpenGL 4.5 (tocsin devices says
why); 3 an input or a script was refused; 4 could not finish (disk full, memory).
)";

class ViewParser final : public CommandParser {
 public:
  explicit ViewParser(CLI::App& tocsin)
      : CommandParser(tocsin, "view", "Play what is proved in a window: takes, or a report", "") {
    CLI::App& a = app();
    a.footer(kViewExamples + view::key_list() + kViewEnd);
    check_.add_inputs(a);
    a.get_option("MOTION")->description(
        "The take, or several on one time line, as of tocsin check; or a report of it, which names "
        "its inputs and options");
    a.get_option("--env")->required(false);
    check_.add_question(a);
    check_.add_bodies(a);
    check_.add_meeting(a);
    check_.add_running(a);
    // A window shows every contact.
    for (const char* option : {"--contacts", "--gl-size", "--gl-method"}) {
      a.remove_option(a.get_option(option));
    }
    constexpr const char* kGroup = "The window";
    add_text(a, "--size", size_, "WxH", "Points, each 64 to 8192 (1280x720)", kGroup);
    add_text(a, "--scale", scale_, "F", "Pixels a point, 0.5 to 4 (as the screen has them)",
             kGroup);
    add_text(a, "--shots", folder_, "FOLDER", "Where screenshots and films go (.)", kGroup);
    add_text(a, "--script", script_, "FILE", "Do what it says, then close; docs/view.md", kGroup);
    a.add_flag("--offscreen", offscreen_, "Without a window, for --script")->group(kGroup);
  }

  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {"--size", "--scale", "--shots", "--script"});
    ViewOptions o;
    o.check = check_.resolve(app());
    o.check.backend = Backend::kCpu;  // the same answer; OpenGL is for the window
    o.report = names_report(app(), o.check);
    std::tie(o.width, o.height) = parse_size("--size", size_, kLeastWindow, kMostWindow);
    if (!scale_.empty()) o.scale = parse_number_in("--scale", scale_, 0.5, 4.0, "from 0.5 to 4");
    o.folder = folder_;
    o.script = script_;
    o.offscreen = offscreen_;
    if (offscreen_ && script_.empty()) {
      throw UsageError{"--offscreen: needs --script, as nobody sees anything"};
    }
    if (o.check.gl.device && !offscreen_) {
      throw UsageError{"--gl-device: goes with --offscreen; a window is where its screen is"};
    }
    return o;
  }

 private:
  CheckArguments check_{/*several=*/true};
  std::string size_ = "1280x720";
  std::string scale_;
  std::string folder_ = ".";
  std::string script_;
  bool offscreen_ = false;
};

}  // namespace

std::unique_ptr<CommandParser> view_parser(CLI::App& tocsin) {
  return std::make_unique<ViewParser>(tocsin);
}

}  // namespace tocsin::app
