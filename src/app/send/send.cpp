#include "app/send/send.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "app/cli/file_kind.h"
#include "app/cli/progress.h"
#include "app/cli/saved.h"
#include "app/cli/words.h"
#include "app/send/datagrams/send_datagrams.h"
#include "app/send/send_connect.h"
#include "app/send/send_plan.h"
#include "app/send/send_report.h"
#include "app/send/send_run.h"
#include "app/send/send_shapes.h"
#include "base/output_file.h"

namespace tocsin::app {
namespace {

constexpr std::string_view kSendCommand = "tocsin send";

Status check_output(const SendOptions& options) {
  const auto& out = options.check.out;
  if (!out || *out == "-") return Nothing{};
  return refuse_overwriting(
      "--out", *out,
      {options.check.takes.front().motion, options.check.takes.front().avatar.model,
       options.token_file, options.connection.ca.string(), options.connection.key.string(),
       options.connection.certificate.string()});
}

SendOutcome run_with_progress(const SendOptions& options, const SendPlan& plan,
                              const std::vector<Connection>& connections, SendTimes& times,
                              const std::stop_token& stop) {
  const std::uint64_t frames = plan.playback.frames();
  constexpr std::uint64_t kUnknown = std::uint64_t{1} << 40U;  // played until the time is over
  const std::uint64_t steps = frames > 1 && frames < kUnknown
                                  ? (frames - 1) * static_cast<std::uint64_t>(options.avatars)
                                  : 0;
  Progress progress("sending", static_cast<std::int64_t>(steps));
  const auto show = [&](std::uint64_t done) {
    if (steps > 0) progress.show(static_cast<std::int64_t>(done));
  };
  return run_sessions(options, plan, connections, times, show, stop);
}

Status show(const SendReport& report) {
  const auto& out = report.options.check.out;
  base::OutputFile file;
  if (auto opened = file.open(out.value_or("-")); !opened) return opened;
  if (!file.write(out ? render_send_json(report) : render_send_table(report))) return file.error();
  return file.finish();
}

void print_remarks(const SendReport& report) {
  const SendOutcome& o = report.outcome;
  print_warnings(kSendCommand, o.opened.warnings);
  if (!o.fallback.empty()) {
    print_warning(kSendCommand,
                  fmt::format("the server's device was given up meanwhile, and its CPU "
                              "went on, with the same contacts: {}",
                              o.fallback));
  }
  if (o.unrecorded > 0) {
    print_warning(kSendCommand,
                  fmt::format("{} of the server's {} not recorded: {}",
                              count_of(static_cast<std::int64_t>(o.unrecorded), "step"),
                              o.unrecorded == 1 ? "is" : "are", o.record_ended));
  }
  if (o.parted > 0) {
    print_warning(
        kSendCommand,
        fmt::format("{} took more than the server's --step-budget, and {} checked in parts",
                    count_of(static_cast<std::int64_t>(o.parted), "step"),
                    o.parted == 1 ? "was" : "were"));
  }
  if (report.too_slow()) {
    print_warning(kSendCommand,
                  fmt::format("this machine could not keep the pace of sending: one frame in a "
                              "hundred was more than {} ms late",
                              brief(report.times.sent_late.percentile(0.99) / 1e3)));
  }
  constexpr std::size_t kMostShown = 5;
  for (std::size_t i = 0; i < o.problems.size() && i < kMostShown; ++i) {
    print_error(kSendCommand, with_hint(o.problems[i], report.options).message);
  }
  if (o.gaps > 0) print_error(kSendCommand, fmt::format("a gap: {}", o.first_gap));
  if (o.interrupted)
    print_note(kSendCommand, "interrupted: what is shown is what there was until then");
}

ExitStatus status_of(const SendOptions& options, const SendOutcome& outcome) {
  if (outcome.gaps > 0) return kFound;
  if (!outcome.problems.empty()) return exit_status(outcome.problems.front().code);
  if (outcome.ended < outcome.sessions) return kUnfinished;
  return options.check.fail_on_contact && outcome.tally.contacts > 0 ? kFound : kDone;
}

}  // namespace

ExitStatus run_send(const SendOptions& options, const std::stop_token& stop) {
  if (options.protocol) return run_send_datagrams(options, stop);
  if (auto output = check_output(options); !output)
    return report_failure(kSendCommand, output.error());
  std::vector<std::string> warnings;
  auto plan = make_send_plan(options, warnings);
  if (!plan) return report_failure(kSendCommand, plan.error());
  print_warnings(kSendCommand, warnings);
  silence_grpc();
  std::vector<Connection> connections;
  if (auto connected = connect(options, connections); !connected) {
    return report_failure(kSendCommand, connected.error());
  }
  SentShapes shapes(connections.front());
  if (auto sent = shapes.upload(plan.value()->track); !sent) {
    return report_failure(kSendCommand, with_hint(sent.error(), options));
  }
  const auto times = std::make_unique<SendTimes>();  // too large for a stack
  const SendOutcome outcome = run_with_progress(options, *plan.value(), connections, *times, stop);
  if (outcome.opened.session_id.empty() && !outcome.problems.empty()) {
    return report_failure(kSendCommand, with_hint(outcome.problems.front(), options));
  }
  const SendReport report{options, *plan.value(), outcome, *times};
  print_remarks(report);
  if (auto shown = show(report); !shown) return report_failure(kSendCommand, shown.error());
  return status_of(options, outcome);
}

}  // namespace tocsin::app
