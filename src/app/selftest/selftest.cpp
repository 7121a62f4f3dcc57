#include "app/selftest/selftest.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

#include "app/cli/progress.h"
#include "app/cli/stopwatch.h"
#include "app/cli/words.h"
#include "app/selftest/selftest_text.h"
#include "app/selftest/write_faults.h"
#include "base/output_file.h"
#include "cpu/kernels/only_simd_target.h"
#include "io/report/option_names.h"
#include "selftest/compare/case_list.h"
#include "selftest/measure/processor.h"

namespace tocsin::app {
namespace {

using selftest::Way;

constexpr std::string_view kCommand = "tocsin selftest";
/// Of the time, for comparing; the rest is for measuring.
constexpr double kComparing = 0.6;

DetectorOptions options_for(Backend backend) {
  DetectorOptions out;
  out.backend = backend;
  return out;
}

DetectorOptions options_for(Backend backend, const SelftestOptions& asked) {
  DetectorOptions out = options_for(backend);
  if (backend != Backend::kCuda) return out;
  out.experiments.emulate = asked.emulate;
  out.cuda.devices = asked.cuda_devices;
  return out;
}

/// The CPU at every other SIMD target, on one thread: all must agree with the best on all threads.
void add_cpu_ways(std::vector<Way>& out) {
  const auto targets = cpu::simd_targets();
  for (const cpu::SimdTarget& target : targets) {
    out.push_back({fmt::format("cpu {}", target.name), options_for(Backend::kCpu), 1, target.id});
  }
}

void add_gl_ways(std::vector<Way>& out) {
  DetectorOptions options = options_for(Backend::kGl);
  out.push_back({"gl", options});
  options.gl.method = GlMethod::kQuery;
  out.push_back({"gl query", options});
}

/// Finds out what can be tested. Errors: a backend that was named does not work.
Status choose(const SelftestOptions& options, SelftestReport& report, selftest::Ways& ways) {
  ways.reference = {"cpu", options_for(Backend::kCpu)};
  // In the order in which they are asked: devices tell most.
  for (const Backend backend : {Backend::kCuda, Backend::kGl, Backend::kCpu}) {
    if (options.backend && *options.backend != backend) continue;
    const std::string name(io::name_of(backend));
    const auto works = Detector::make(Environment{}, options_for(backend, options));
    if (!works && options.backend) {
      return {works.error().code, fmt::format("{}: {}", name, works.error().message)};
    }
    if (!works) {
      report.missing.push_back({name, works.error().message});
      continue;
    }
    report.devices.push_back(fmt::format("{}: {}", name, works->device_name()));
    if (backend == Backend::kCpu) add_cpu_ways(ways.others);
    if (backend == Backend::kGl) add_gl_ways(ways.others);
    if (backend == Backend::kCuda) {
      ways.others.push_back(
          {options.emulate ? "cuda emulated" : "cuda", options_for(Backend::kCuda, options)});
    }
  }
  ways.oracle = !options.backend || *options.backend == Backend::kCpu;
  report.oracle = ways.oracle;
  for (const Way& way : ways.others) report.ways.push_back(way.name);
  return Nothing{};
}

/// The result as JSON while it grows: whoever ends the selftest, or a device that hangs, loses
/// little of it.
class Saved {
 public:
  Saved(const std::string& file, const Stopwatch& watch, SelftestReport& report)
      : file_(file), watch_(watch), report_(report) {}

  /// Writes unless that would take more than a tenth of the time. Errors: the file's.
  Status now_and_then() {
    if (watch_.milliseconds() < next_) return Nothing{};
    const double begin = watch_.milliseconds();
    const Status written = now();
    next_ = watch_.milliseconds() + 10.0 * (watch_.milliseconds() - begin);
    return written;
  }
  /// Standard output gets the end alone.
  Status now() { return file_ == "-" ? Status(Nothing{}) : at_the_end(); }
  Status at_the_end() {
    report_.used = 1e-3 * watch_.milliseconds();
    if (file_.empty() || report_.cases.empty()) return Nothing{};
    base::OutputFile out;
    if (const Status opened = out.open(file_); !opened) return opened;
    if (!out.write(selftest_json(report_))) return out.error();
    return out.finish();
  }

 private:
  const std::string& file_;
  const Stopwatch& watch_;
  SelftestReport& report_;
  double next_ = 0.0;  ///< milliseconds
};

/// Runs the cases, and keeps what differs.
class Comparing {
 public:
  Comparing(const SelftestOptions& options, const selftest::Ways& ways,
            const selftest::Askers& askers, FaultWriter& faults, SelftestReport& report)
      : options_(options), ways_(ways), askers_(askers), faults_(faults), report_(report) {}

  /// Takes some `seconds`, and ends early where it is interrupted. Errors: making a case; the
  /// CPU's; files of a case that differs; those of `saved`, after each case.
  Status run(double seconds, const std::stop_token& interrupted, Saved& saved) {
    report_.kinds = options_.only ? 1 : selftest::kinds_of_cases();
    if (!options_.only) report_.not_reached = selftest::case_kinds();
    const std::size_t first = options_.only.value_or(0);
    const Stopwatch watch;
    const auto left = [&] { return std::max(seconds - 1e-3 * watch.milliseconds(), 0.0); };
    selftest::CaseCosts costs;
    Progress progress("comparing cases", static_cast<std::int64_t>(report_.kinds));
    for (std::size_t number = first;; ++number) {
      if (interrupted.stop_requested()) return Nothing{};
      if (number != first && (options_.only || left() == 0.0)) return Nothing{};
      if (number != first && !costs.fits(number, left())) {
        if (number >= report_.kinds) return Nothing{};  // the same costs as long as there are more
        continue;
      }
      const Stopwatch making;
      const auto question = selftest::make_case(number);
      if (!question) return question.error();
      const double made = 1e-3 * making.milliseconds();
      // The first is always finished.
      const double share =
          number == first ? selftest::kNoDeadline : left() * selftest::share_of_case(number);
      auto result = selftest::compare(*question, number, ways_, interrupted, askers_, share);
      if (!result) return result.error();
      costs.add(number, made + result->seconds);
      std::erase(report_.not_reached, question->kind);
      progress.step();
      if (const Status written = faults_.write(*question, *result); !written) return written;
      report_.cases.push_back(std::move(result).value());
      if (const Status kept = saved.now_and_then(); !kept) return kept;
    }
  }

 private:
  const SelftestOptions& options_;
  const selftest::Ways& ways_;
  const selftest::Askers& askers_;
  FaultWriter& faults_;
  SelftestReport& report_;
};

/// Takes a value, or notes why there is none.
template <class T>
void take(Result<T> from, std::string_view what, std::optional<T>& to, SelftestReport& report) {
  if (from) {
    to = std::move(from).value();
  } else if (from.error().code != ErrorCode::kCancelled) {
    report.problems.push_back(fmt::format("{}: {}", what, from.error().message));
  }
}

/// Notes why a device was measured in part only.
void note_end(std::string_view part, const std::optional<Error>& ended, SelftestReport& report) {
  if (!ended || ended->code == ErrorCode::kCancelled) return;
  report.problems.push_back(fmt::format("{}: {}", part, ended->message));
}

bool tests(const selftest::Ways& ways, Backend backend) {
  return std::ranges::any_of(ways.others,
                             [&](const Way& way) { return way.options.backend == backend; });
}

/// What the machine carries: the backends share the time evenly, and what one does not use goes to
/// those after it. Errors: those of `saved`, after each backend.
Status measure(const SelftestOptions& options, const selftest::Ways& ways, double seconds,
               const SelftestParts& parts, const std::stop_token& stop, SelftestReport& report,
               Saved& saved) {
  const bool cpu = tests(ways, Backend::kCpu);
  const bool gl = tests(ways, Backend::kGl);
  const bool cuda = tests(ways, Backend::kCuda);
  const Stopwatch watch;
  const auto share = [&](int backends) {
    return std::max(seconds - 1e-3 * watch.milliseconds(), 0.0) / backends;
  };
  if (cuda) {
    // Of several the first: what it carries is a device's.
    const auto device =
        cuda::Device::open({.index = options.cuda_devices.empty() ? cuda::DeviceOptions().index
                                                                  : options.cuda_devices.front(),
                            .emulate = options.emulate});
    if (device) {
      const auto row = [&](const selftest::CarriedCuda& so_far) {
        report.cuda = so_far;
        static_cast<void>(saved.now());  // what prevents it is told at the end
      };
      take(parts.cuda(*device, share(1 + int{gl} + int{cpu}), stop, row), "cuda", report.cuda,
           report);
      if (report.cuda) {
        note_end(fmt::format("cuda, after {}",
                             count_of(static_cast<std::int64_t>(report.cuda->rows.size()), "row")),
                 report.cuda->ended, report);
      }
    } else {
      report.problems.push_back(fmt::format("cuda: {}", device.error().message));
    }
    if (const Status kept = saved.now(); !kept) return kept;
  }
  if (gl) {
    const auto device = gl::DeviceThread::start({});
    if (device) {
      take(parts.gl(*device, share(1 + int{cpu}), stop), "gl", report.gl, report);
      if (report.gl) note_end("gl, after Table 1", report.gl->ended, report);
    } else {
      report.problems.push_back(fmt::format("gl: {}", device.error().message));
    }
    if (const Status kept = saved.now(); !kept) return kept;
  }
  if (cpu) take(selftest::carry_on_cpu(share(1), stop), "cpu", report.cpu, report);
  return Nothing{};
}

ExitStatus fail(const Error& error) {
  print_error(kCommand, error.message);
  return exit_status(error.code);
}

/// Compares and measures. Errors: what ends both.
Status run_all(const SelftestOptions& options, const selftest::Ways& ways,
               const SelftestParts& parts, const std::stop_token& stop, const Stopwatch& watch,
               SelftestReport& report, Saved& saved) {
  FaultWriter faults(options, ways, parts.askers, report);
  Comparing comparing(options, ways, parts.askers, faults, report);
  const Status compared = comparing.run(options.seconds * kComparing, stop, saved);
  if (!compared) return compared;
  if (options.only || stop.stop_requested()) return Nothing{};
  if (const Status kept = saved.now(); !kept) return kept;
  const double left = options.seconds - 1e-3 * watch.milliseconds();
  const Status measured = measure(options, ways, std::max(left, 0.0), parts, stop, report, saved);
  return measured ? faults.write_measured() : measured;
}

}  // namespace

ExitStatus run_selftest(const SelftestOptions& options, const std::stop_token& stop,
                        const SelftestParts& parts) {
  const Stopwatch watch;
  SelftestReport report;
  report.machine = fmt::format("{}, {}", selftest::cpu_model(),
                               count_of(std::thread::hardware_concurrency(), "thread"));
  report.seconds = options.seconds;
  selftest::Ways ways;
  if (const Status chosen = choose(options, report, ways); !chosen) return fail(chosen.error());
  Saved saved(options.json, watch, report);
  const Status run = run_all(options, ways, parts, stop, watch, report, saved);
  if (!run && run.error().code != ErrorCode::kCancelled) return fail(run.error());
  report.finished = !stop.stop_requested();
  if (const Status written = saved.at_the_end(); !written) return fail(written.error());
  if (options.json != "-" && !report.cases.empty()) {
    const Status shown = base::write_to_standard_output(selftest_text(report, options.verbose));
    if (!shown) return fail(shown.error());
  }
  if (!report.finished) print_error(kCommand, "interrupted");
  if (report.differs()) return kFound;
  return report.holds() ? kDone : kUnfinished;
}

}  // namespace tocsin::app
