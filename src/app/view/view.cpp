#include "app/view/view.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string_view>
#include <utility>

#include "app/check/load_job.h"
#include "app/cli/saved.h"
#include "app/cli/words.h"
#include "app/export/shown_report.h"
#include "app/view/check_shown.h"
#include "app/view/checks.h"
#include "app/view/follower.h"
#include "base/output_file.h"
#include "base/text_file.h"
#include "view/window/window.h"

namespace tocsin::app {
namespace {

constexpr std::string_view kViewCommand = "tocsin view";

std::string takes_of(const CheckOptions& check) {
  std::vector<std::string> names;
  for (const io::Take& take : check.takes) {
    names.push_back(std::filesystem::path(take.motion).filename().string());
  }
  for (const BodySpec& body : check.spec.bodies) names.push_back(body.name);
  return listed(names);
}

Result<ShownReport> load_view(const ViewOptions& options) {
  if (options.report) return load_shown(options.check.takes.front().motion, options.check.threads);
  auto job = load_job(options.check);
  if (!job) return job.error();
  print_warnings(kViewCommand, job->warnings);
  return check_shown(std::move(job).value(), takes_of(options.check), {}, true);
}

Result<view::WindowWish> window_wish(const ViewOptions& options) {
  view::WindowWish out;
  out.width = options.width;
  out.height = options.height;
  out.scale = options.scale;
  out.offscreen = options.offscreen;
  out.device = options.check.gl.device;
  out.folder = options.folder;
  if (options.script.empty()) return out;
  out.scripted = true;
  out.script_file = options.script;
  constexpr std::size_t kMostScript = 1 << 20;  // bytes
  auto text = base::read_file(options.script, kMostScript);
  if (!text) return text.error();
  auto script = view::parse_script(*text, options.script);
  if (!script) return script.error();
  out.script = std::move(script).value();
  out.tell = [](std::string_view line) {
    return static_cast<bool>(base::write_to_standard_output(std::string(line)));
  };
  return out;
}

Status show(const ViewOptions& options, InterruptWatch& interrupt) {
  if (!view::has_window()) {
    return Error{ErrorCode::kUnavailable,
                 fmt::format("this Tocsin was built without Dear ImGui, which the window needs "
                             "(Debian: {}; then build again)",
                             view::kImguiPackage)};
  }
  auto wish = window_wish(options);
  if (!wish) return wish.error();
  wish->stop = interrupt.token();
  interrupt.end_at_once();
  constexpr std::chrono::seconds kClosing{5};  // for ffmpeg to end a film
  constexpr const char* kSlow = "tocsin view: interrupted; a film was not ended\n";
  if (options.server) {
    const auto follower = Follower::start(*options.server);
    if (!follower) return follower.error();
    interrupt.set_grace(kClosing, kSlow);
    return view::show_window(**follower, *wish);
  }
  // A check may take long.
  if (auto opens = view::check_window(*wish); !opens) return opens;
  auto shown = load_view(options);
  if (!shown) return shown.error();
  if (options.report) print_warnings(kViewCommand, shown->report.warnings);
  auto checks = Checks::make(std::make_shared<const ShownReport>(std::move(shown).value()));
  if (!checks) return checks.error();
  for (const std::string& note : (*checks)->latest()->notes) print_note(kViewCommand, note);
  interrupt.set_grace(kClosing, kSlow);
  return view::show_window(**checks, *wish);
}

}  // namespace

ExitStatus run_view(const ViewOptions& options, InterruptWatch& interrupt) {
  const Status shown = show(options, interrupt);
  return shown ? kDone : report_failure(kViewCommand, shown.error());
}

}  // namespace tocsin::app
