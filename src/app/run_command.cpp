#include "app/run_command.h"

#include <chrono>
#include <cstdio>
#include <type_traits>
#include <variant>

#include "app/check/check.h"
#include "app/cli/interrupt.h"
#include "app/cli/words.h"
#include "app/command_line.h"
#include "app/devices/devices.h"
#include "app/export/export.h"
#include "app/info/info.h"
#include "app/report/report.h"
#include "app/selftest/selftest.h"
#include "app/send/send.h"
#include "app/serve/serve.h"
#include "app/status/status.h"
#include "app/update/update.h"
#include "app/validate/validate.h"
#include "app/verify/verify.h"
#include "app/view/view.h"
#include "app/watch/watch.h"
#include "base/output_file.h"

namespace tocsin::app {
namespace {

ExitStatus show(const ShowText& shown) {
  if (shown.wrong_usage) {
    std::fputs(shown.text.c_str(), stderr);
    return kWrongUsage;
  }
  const Status status = base::write_to_standard_output(shown.text);
  if (status) return kDone;
  print_error("tocsin", status.error().message);
  return kUnfinished;
}

/// Of a selftest after Ctrl-C: to show what it has found. Making a room takes longer, and is given
/// up.
constexpr std::chrono::seconds kSelftestGrace{2};
/// Of `tocsin send`: for its sessions to end, nine seconds (send_run.cpp), and what it then shows.
constexpr std::chrono::seconds kSendGrace{12};

// What does not look at a stop token.
ExitStatus run_plain(const InfoOptions& options) { return run_info(options); }
ExitStatus run_plain(const ConvertOptions& options) { return run_convert(options); }
ExitStatus run_plain(const MakeRoomOptions& options) { return run_make_room(options); }
ExitStatus run_plain(const MakeMotionOptions& options) { return run_make_motion(options); }
ExitStatus run_plain(const MakeRobotOptions& options) { return run_make_robot(options); }
ExitStatus run_plain(const DevicesOptions& options) { return run_devices(options); }
ExitStatus run_plain(const RenderOptions& options) { return run_render(options); }
ExitStatus run_plain(const ExportOptions& options) { return run_export(options); }
ExitStatus run_plain(const ReportOptions& options) { return run_report(options); }
ExitStatus run_plain(const StatusOptions& options) { return run_status(options); }
ExitStatus run_plain(const SessionsOptions& options) { return run_sessions(options); }
ExitStatus run_plain(const UpdateOptions& options) { return run_update(options); }
ExitStatus run_plain(const ShowText& shown) { return show(shown); }

}  // namespace

ExitStatus run_command(int argc, const char* const* argv) {
  const Command command = parse_command_line(argc, argv);
  InterruptWatch interrupt;  // before any other thread
  return std::visit(
      [&interrupt](const auto& options) -> ExitStatus {
        using Options = std::decay_t<decltype(options)>;
        if constexpr (std::is_same_v<Options, CheckCommand>) {
          return run_check(options, interrupt.token());
        } else if constexpr (std::is_same_v<Options, VerifyOptions>) {
          return run_verify(options, interrupt.token());
        } else if constexpr (std::is_same_v<Options, ValidateOptions>) {
          return run_validate(options, interrupt.token());
        } else if constexpr (std::is_same_v<Options, SelftestOptions>) {
          interrupt.set_grace(kSelftestGrace,
                              "tocsin selftest: interrupted; --json keeps what was found before\n");
          return run_selftest(options, interrupt.token());
        } else if constexpr (std::is_same_v<Options, ServeOptions>) {
          return run_serve(options, interrupt);
        } else if constexpr (std::is_same_v<Options, SendOptions>) {
          interrupt.set_grace(kSendGrace, "tocsin send: interrupted; no result was written\n");
          return run_send(options, interrupt.token());
        } else if constexpr (std::is_same_v<Options, ViewOptions>) {
          return run_view(options, interrupt);
        } else if constexpr (std::is_same_v<Options, FollowOptions>) {
          return run_watch(options, interrupt.token());
        } else {
          interrupt.end_at_once();
          return run_plain(options);
        }
      },
      command);
}

}  // namespace tocsin::app
