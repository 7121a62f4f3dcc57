// The arguments of `tocsin view`.
#include <algorithm>
#include <tuple>

#include "app/check/check_arguments.h"
#include "app/cli/parse_command.h"
#include "app/cli/parse_parts.h"
#include "app/view/view.h"
#include "io/report/report_reader.h"
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
    resolve_source(o);
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
  /// A report instead of takes: it has options of its own.
  void resolve_source(ViewOptions& o) const {
    const auto is_report = [](const Take& take) { return io::is_report(take.motion); };
    o.report = std::any_of(o.check.takes.begin(), o.check.takes.end(), is_report);
    if (!o.report) {
      if (app().count("--env") == 0) throw UsageError{"--env is required, but for a report"};
      return;
    }
    if (o.check.several()) throw UsageError{"MOTION: a report goes alone"};
    for (const char* const group : {"Inputs", "What is checked", "Several avatars"}) {
      for (const CLI::Option* const option : app().get_options(
               [group](const CLI::Option* one) { return one->get_group() == group; })) {
        if (option->count() == 0 || option->get_positional()) continue;
        throw UsageError{
            fmt::format("{}: goes with takes; a report has its own", option->get_name())};
      }
    }
    if (app().count("--tolerance") > 0) {
      throw UsageError{"--tolerance: goes with takes; a report has its own"};
    }
  }

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
