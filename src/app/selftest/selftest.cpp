#include "app/selftest/selftest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "app/cli/progress.h"
#include "app/cli/stopwatch.h"
#include "app/cli/words.h"
#include "base/output_file.h"
#include "cpu/kernels/only_simd_target.h"
#include "io/report/option_names.h"
#include "selftest/compare/case_list.h"
#include "selftest/compare/smallest.h"
#include "selftest/compare/write_case.h"
#include "selftest/measure/processor.h"

namespace tocsin::app {
namespace {

using selftest::Answer;
using selftest::Case;
using selftest::CaseResult;
using selftest::Verdict;
using selftest::Way;

constexpr std::string_view kCommand = "tocsin selftest";
/// Of the time, for comparing; the rest is for measuring.
constexpr double kComparing = 0.6;
/// Differences that are made small and written: the first ones say what is wrong.
constexpr std::size_t kMostWritten = 3;
/// Of the time, to make a case small: after that it is written as small as it is.
constexpr double kSmallerSeconds = 10.0;

/// Requests a stop at a time, or when another token does.
class Deadline {
 public:
  Deadline(double seconds, const std::stop_token& also)
      : forward_(also, [this] { source_.request_stop(); }),
        timer_([this, seconds](const std::stop_token& ended) {
          std::unique_lock lock(mutex_);
          wake_.wait_for(lock, ended, std::chrono::duration<double>(seconds), [] { return false; });
          if (!ended.stop_requested()) source_.request_stop();
        }) {}
  [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::stop_callback<std::function<void()>> forward_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread timer_;  ///< last: it uses the others
};

DetectorOptions options_for(Backend backend, bool emulate) {
  DetectorOptions out;
  out.backend = backend;
  out.experiments.emulate = emulate && backend == Backend::kCuda;
  return out;
}

/// The CPU at every other SIMD target, on one thread: all must agree with the best on all threads.
void add_cpu_ways(std::vector<Way>& out) {
  const auto targets = cpu::simd_targets();
  for (const cpu::SimdTarget& target : targets) {
    out.push_back(
        {fmt::format("cpu {}", target.name), options_for(Backend::kCpu, false), 1, target.id});
  }
}

void add_gl_ways(std::vector<Way>& out) {
  DetectorOptions options = options_for(Backend::kGl, false);
  out.push_back({"gl", options});
  options.gl.method = GlMethod::kQuery;
  out.push_back({"gl query", options});
}

/// Finds out what can be tested. Errors: a backend that was named does not work.
Status choose(const SelftestOptions& options, SelftestReport& report, selftest::Ways& ways) {
  ways.reference = {"cpu", options_for(Backend::kCpu, false)};
  for (const Backend backend : {Backend::kCpu, Backend::kGl, Backend::kCuda}) {
    if (options.backend && *options.backend != backend) continue;
    const std::string name(io::name_of(backend));
    const auto works = Detector::make(Environment{}, options_for(backend, options.emulate));
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
      ways.others.push_back({options.emulate ? "cuda emulated" : "cuda",
                             options_for(Backend::kCuda, options.emulate)});
    }
  }
  ways.oracle = !options.backend || *options.backend == Backend::kCpu;
  report.oracle = ways.oracle;
  for (const Way& way : ways.others) report.ways.push_back(way.name);
  return Nothing{};
}

/// Options of the command line for a way.
std::string command_options(const Way& way) {
  std::string out;
  if (way.options.experiments.emulate) out += "--emulate";
  if (way.options.gl.method == GlMethod::kQuery) out += "--gl-method query";
  return out;
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
            const selftest::Asker& asker, SelftestReport& report)
      : options_(options), ways_(ways), asker_(asker), report_(report) {}

  /// Ends early where it is interrupted. Errors: making a case; the CPU's; files of a case that
  /// differs; those of `saved`, after each case.
  Status run(const std::stop_token& stop, const std::stop_token& interrupted, Saved& saved) {
    report_.kinds = options_.only ? 1 : selftest::kinds_of_cases();
    const std::size_t first = options_.only.value_or(0);
    Progress progress("comparing cases", static_cast<std::int64_t>(report_.kinds));
    for (std::size_t number = first;; ++number) {
      const bool more = options_.only ? number == first : !stop.stop_requested();
      if (interrupted.stop_requested()) return Nothing{};
      if (number != first && !more) return Nothing{};  // the first is always run
      const auto question = selftest::make_case(number);
      if (!question) return question.error();
      auto result =
          selftest::compare(*question, number, ways_, number == first ? interrupted : stop, asker_);
      if (!result) return result.error();
      progress.step();
      if (const Status written = write(*question, *result); !written) return written;
      report_.cases.push_back(std::move(result).value());
      if (const Status kept = saved.now_and_then(); !kept) return kept;
    }
  }

  /// What differed while CUDA was measured, written like a case. Errors: making it; its files.
  Status write_carried() {
    if (!report_.cuda) return Nothing{};
    const auto way = std::ranges::find(ways_.others, Backend::kCuda,
                                       [](const Way& w) { return w.options.backend; });
    for (const selftest::CudaRow& row : report_.cuda->rows) {
      if (row.equal || report_.written.size() == kMostWritten) continue;
      const auto question = selftest::carried_case(row);
      if (!question) return question.error();
      if (const Status written = write(*question, 0, *way, 0); !written) return written;
    }
    return Nothing{};
  }

 private:
  Status write(const Case& question, const CaseResult& result) {
    for (std::size_t i = 0; i < result.answers.size(); ++i) {
      if (result.answers[i].verdict != Verdict::kDiffers) continue;
      if (report_.written.size() == kMostWritten) return Nothing{};
      const Status written =
          write(question, result.number, ways_.others[i], result.answers[i].first);
      if (!written) return written;
    }
    return Nothing{};
  }

  /// `number`: what the selftest calls the case; `first`: the first report that differs.
  Status write(const Case& question, std::size_t number, const Way& way, std::size_t first) {
    const Stopwatch watch;
    const auto errs = [&](const Case& part) {
      if (watch.milliseconds() > 1000.0 * kSmallerSeconds) return false;
      const auto want = selftest::ask(part, ways_.reference, {});
      const auto got = asker_(part, way, {}, nullptr);
      if (!want || !got || want->size() != got->size()) return false;
      return !std::equal(want->begin(), want->end(), got->begin(), selftest::same);
    };
    const Case small = selftest::smallest(question, first, errs);
    const std::string folder = fmt::format("{}/{}", options_.failed, report_.written.size() + 1);
    const std::string backend(io::name_of(way.options.backend));
    const Status written =
        selftest::write_case(small, number, backend, command_options(way), folder);
    if (!written) return written;
    report_.written.push_back({way.name, question.name, folder, small.members.size(),
                               small.rooms.front().triangles().size()});
    return Nothing{};
  }

  const SelftestOptions& options_;
  const selftest::Ways& ways_;
  const selftest::Asker& asker_;
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

bool tests(const selftest::Ways& ways, Backend backend) {
  return std::ranges::any_of(ways.others,
                             [&](const Way& way) { return way.options.backend == backend; });
}

/// What the machine carries: the time is shared evenly. Errors: those of `saved`, after each
/// backend.
Status measure(const SelftestOptions& options, const selftest::Ways& ways, double seconds,
               const CudaCarrier& carrier, const std::stop_token& stop, SelftestReport& report,
               Saved& saved) {
  const bool cpu = tests(ways, Backend::kCpu);
  const bool gl = tests(ways, Backend::kGl);
  const bool cuda = tests(ways, Backend::kCuda);
  const double share =
      seconds / (static_cast<double>(cpu) + static_cast<double>(gl) + static_cast<double>(cuda));
  if (cuda) {
    const auto device = cuda::Device::open({.emulate = options.emulate});
    if (device) {
      take(carrier(*device, share, stop), "cuda", report.cuda, report);
    } else {
      report.problems.push_back(fmt::format("cuda: {}", device.error().message));
    }
    if (const Status kept = saved.now(); !kept) return kept;
  }
  if (gl) {
    const auto device = gl::DeviceThread::start({});
    if (device) {
      take(selftest::carry_on_gl(*device, share, stop), "gl", report.gl, report);
    } else {
      report.problems.push_back(fmt::format("gl: {}", device.error().message));
    }
    if (const Status kept = saved.now(); !kept) return kept;
  }
  if (cpu) take(selftest::carry_on_cpu(share, stop), "cpu", report.cpu, report);
  return Nothing{};
}

ExitStatus fail(const Error& error) {
  print_error(kCommand, error.message);
  return exit_status(error.code);
}

/// How CUDA answers and is measured.
struct Asked {
  const selftest::Asker& asker;
  const CudaCarrier& carrier;
};

/// Compares and measures. Errors: what ends both.
Status run_all(const SelftestOptions& options, const selftest::Ways& ways, const Asked& asked,
               const std::stop_token& stop, const Stopwatch& watch, SelftestReport& report,
               Saved& saved) {
  Comparing comparing(options, ways, asked.asker, report);
  {
    const Deadline deadline(options.seconds * kComparing, stop);
    const Status compared = comparing.run(deadline.token(), stop, saved);
    if (!compared) return compared;
  }
  if (options.only || stop.stop_requested()) return Nothing{};
  if (const Status kept = saved.now(); !kept) return kept;
  const double left = options.seconds - 1e-3 * watch.milliseconds();
  const Status measured =
      measure(options, ways, std::max(left, 0.0), asked.carrier, stop, report, saved);
  return measured ? comparing.write_carried() : measured;
}

}  // namespace

ExitStatus run_selftest(const SelftestOptions& options, const std::stop_token& stop,
                        const selftest::Asker& asker, const CudaCarrier& carrier) {
  const Stopwatch watch;
  SelftestReport report;
  report.machine = fmt::format("{}, {}", selftest::cpu_model(),
                               count_of(std::thread::hardware_concurrency(), "thread"));
  report.seconds = options.seconds;
  selftest::Ways ways;
  if (const Status chosen = choose(options, report, ways); !chosen) return fail(chosen.error());
  Saved saved(options.json, watch, report);
  const Status run = run_all(options, ways, {asker, carrier}, stop, watch, report, saved);
  if (!run && run.error().code != ErrorCode::kCancelled) return fail(run.error());
  report.finished = !stop.stop_requested();
  if (const Status written = saved.at_the_end(); !written) return fail(written.error());
  if (options.json != "-" && !report.cases.empty()) {
    const Status shown = base::write_to_standard_output(selftest_text(report));
    if (!shown) return fail(shown.error());
  }
  if (!report.finished) print_error(kCommand, "interrupted");
  if (report.differs()) return kFound;
  return report.holds() ? kDone : kUnfinished;
}

ExitStatus run_selftest(const SelftestOptions& options, const std::stop_token& stop) {
  return run_selftest(options, stop, selftest::ask);
}

}  // namespace tocsin::app
