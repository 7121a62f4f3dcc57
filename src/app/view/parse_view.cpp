// The arguments of `tocsin view`.
#include <tuple>

#include "app/check/check_arguments.h"
#include "app/cli/parse_command.h"
#include "app/cli/parse_parts.h"
#include "app/cli/server_arguments.h"
#include "app/view/view.h"
#include "view/window/actions.h"

namespace tocsin::app {
namespace {

constexpr int kLeastKept = 100;
constexpr int kMostKept = 1'000'000;

constexpr const char* kViewExamples = R"(Examples:
  A take in its room: what is touched, when and where, with slow motion inside a step:
    tocsin view take.bvh --env house.obj

  A report of tocsin check or of a live session, as it was checked:
    tocsin view report.jsonl

  Two takes on one time line, and a body that moves by itself:
    tocsin view a.bvh b.glb --env hall.obj --place 0,0,0 --place 0.8,0,0,180
    tocsin view take.bvh --env house.obj --body ball=ball.glb:ball.csv

  The sessions of a running server, as they are checked; then those in one of its rooms, with a token:
    tocsin view --from localhost:50051
    tocsin view --from studio:50051 --tls --token-file token --env stage

  Pictures without a display, by a script (docs/view.md):
    tocsin view report.jsonl --script shots.txt --offscreen --size 1280x720

Keys (in the window: F1):
)";

constexpr const char* kViewEnd = R"(
The pointer: drag turns, the right button moves, the wheel goes nearer; a click picks and follows.

Exit status: 0 closed; 2 wrong usage, no display, no SDL2 or no OpenGL 4.5 (tocsin devices says
why); 3 an input or a script was refused, or the server refuses; 4 could not finish (disk full,
memory, no server).
)";

class ViewParser final : public CommandParser {
 public:
  explicit ViewParser(CLI::App& tocsin)
      : CommandParser(tocsin, "view",
                      "Play what is proved in a window: takes, a report, or a server's sessions",
                      "") {
    CLI::App& a = app();
    a.footer(kViewExamples + view::key_list() + kViewEnd);
    check_.add_inputs(a);
    a.get_option("MOTION")->description(
        "The take, or several on one time line, as of tocsin check; or a report of it, which names "
        "its inputs and options; with --from none");
    a.get_option("MOTION")->required(false);
    a.get_option("--env")->required(false);
    a.get_option("--env")->description(
        "A room: .obj, .ply, .stl, .glb/.gltf, .dae, .x3d, .fbx, .wrl; repeatable. With --from: "
        "only sessions in the "
        "server's room of this name (all)");
    check_.add_question(a);
    check_.add_bodies(a);
    check_.add_meeting(a);
    check_.add_running(a);
    // A window shows every contact.
    for (const char* option : {"--contacts", "--gl-size", "--gl-method"}) {
      a.remove_option(a.get_option(option));
    }
    server_.add_source(a, false);
    server_.add_credentials(a);
    constexpr const char* kServer = ServerArguments::kGroup;
    add_text(a, "--session", session_, "NAME",
             "Only this session, as the list, the log or tocsin watch names it (all)", kServer);
    add_texts(a, "--room", rooms_, "FILE",
              "The server's room, so that it is not downloaded; repeatable (downloaded)", kServer);
    add_text(a, "--keep", keep_, "N",
             "Steps of all sessions that are kept, 100 to 1000000; older ones are dropped (40000)",
             kServer);
    constexpr const char* kGroup = "The window";
    add_text(a, "--size", size_, "WxH", "Points, each 64 to 8192 (1280x720)", kGroup);
    add_text(a, "--scale", scale_, "F", "Pixels a point, 0.5 to 4 (as the screen has them)",
             kGroup);
    add_text(a, "--shots", folder_, "FOLDER", "Where screenshots and films go (.)", kGroup);
    add_text(a, "--script", script_, "FILE", "Do what it says, then close; docs/view.md", kGroup);
    a.add_flag("--offscreen", offscreen_, "Without a window, for --script")->group(kGroup);
  }

  [[nodiscard]] Command command() const override {
    refuse_empty(app(), {"--size", "--scale", "--shots", "--script", "--from", "--token-file",
                         "--tls-ca", "--tls-cert", "--tls-key", "--session", "--room", "--keep"});
    ViewOptions o;
    o.check = check_.resolve(app());
    o.check.backend = Backend::kCpu;  // the same answer; OpenGL is for the window
    if (app().count("--from") > 0) {
      o.server = server(o.check);
    } else {
      for (const char* option : {"--token-file", "--tls", "--tls-ca", "--tls-cert", "--tls-key",
                                 "--session", "--room", "--keep"}) {
        if (app().count(option) > 0) throw UsageError{fmt::format("{}: goes with --from", option)};
      }
      if (o.check.takes.empty()) throw UsageError{"MOTION is required, or --from"};
      o.report = names_report(app(), o.check);
    }
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
  [[nodiscard]] ShownServer server(const CheckOptions& check) const {
    if (!check.takes.empty()) throw UsageError{"MOTION: goes without --from"};
    refuse_check_options(app(), {"--env", "--env-up", "--env-scale"},
                         "goes with takes; a server's sessions have their own");
    if (check.environments.size() > 1) throw UsageError{"--env: one room at a time with --from"};
    if (rooms_.empty() && (app().count("--env-up") > 0 || app().count("--env-scale") > 0)) {
      throw UsageError{"--env-up, --env-scale: with --from they go with --room"};
    }
    ShownServer out;
    out.connection = server_.connection();
    out.token_file = server_.token_file();
    if (!check.environments.empty()) out.what.environment = check.environments.front();
    if (!session_.empty()) out.what.sessions = {session_};
    out.room = rooms_;
    out.reading = check.room;
    if (!keep_.empty()) {
      out.limits.steps =
          static_cast<std::size_t>(parse_whole("--keep", keep_, kLeastKept, kMostKept));
    }
    return out;
  }

  CheckArguments check_{/*several=*/true};
  ServerArguments server_;
  std::string session_;
  std::vector<std::string> rooms_;
  std::string keep_;
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
