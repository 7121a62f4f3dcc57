#include "detect/choice/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>

namespace tocsin::detect {

namespace {

/// Each size is measured so often if there is time, and the least time counts: what disturbs a run
/// only makes it longer.
constexpr int kRuns = 3;
constexpr std::size_t kGrowth = 4;

constexpr std::string_view kTitle = "tocsin calibration 1";

class Measurement {
 public:
  Measurement(const RoomBackend& cpu, const RoomBackend& device, const SampleSteps& sample,
              const std::function<double()>& seconds)
      : cpu_(cpu), device_(device), sample_(sample), seconds_(seconds) {}

  Result<Calibration> run() {
    const std::size_t most = std::min(sample_.steps().size(), kMostMeasured);
    if (most == 0) return Error{ErrorCode::kUsage, "there are no steps to measure with"};
    // What a device does once, such as loading its kernels, is no part of its pace.
    if (Status warm = measure(1, 1).status; !warm) return warm.error();
    begin_ = seconds_();
    Calibration out;
    for (std::size_t steps = 1; steps <= most; steps *= kGrowth) {
      if (!out.points.empty() &&
          foreseen(out.points.back(), steps) > kCalibrationTime - (seconds_() - begin_))
        break;
      auto [status, point] = measure(steps, kRuns);
      if (!status) return status.error();
      out.points.push_back(point);
    }
    return out;
  }

 private:
  struct Measured {
    Status status = Nothing{};
    Calibration::Point point;
  };

  static double foreseen(const Calibration::Point& last, std::size_t steps) {
    return kRuns * (last.cpu + last.device) * static_cast<double>(steps) /
           static_cast<double>(last.steps);
  }

  Measured measure(std::size_t steps, int runs) {
    const std::vector<Question> questions = sample_.questions(steps);
    std::vector<StepReport> by_cpu(steps);
    std::vector<StepReport> by_device(steps);
    Measured out;
    out.point.steps = steps;
    for (int run = 0; run < runs; ++run) {
      const double again = out.point.cpu + out.point.device;
      if (run > 0 && seconds_() - begin_ + again > kCalibrationTime) break;
      Unanswered left;
      keep_least(run, out.point.cpu, [&] { left = ask(cpu_, questions, by_cpu); });
      keep_least(run, out.point.device, [&] { left = ask(device_, questions, by_device); });
      if (left.any()) {
        out.status =
            Error{ErrorCode::kResource, left.why ? left.why->message : "it has not answered"};
        return out;
      }
    }
    if (!same(by_cpu, by_device)) {
      out.status = Error{ErrorCode::kInput, "its contacts differ from the CPU's"};
    }
    return out;
  }

  template <class F>
  void keep_least(int run, double& least, const F& f) {
    const double begin = seconds_();
    f();
    const double taken = seconds_() - begin;
    least = run == 0 ? taken : std::min(least, taken);
  }

  static Unanswered ask(const RoomBackend& backend, const std::vector<Question>& questions,
                        std::vector<StepReport>& reports) {
    return backend.check(questions, questions.size(), {false, true, {}}, reports);
  }

  static bool same(const std::vector<StepReport>& a, const std::vector<StepReport>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), [](const StepReport& x, const StepReport& y) {
      return !x.error && !y.error && x.contacts == y.contacts && x.safe_until == y.safe_until;
    });
  }

  const RoomBackend& cpu_;
  const RoomBackend& device_;
  const SampleSteps& sample_;
  const std::function<double()>& seconds_;
  double begin_ = 0.0;  ///< of the measurement, seconds
};

/// The next word of a text, which is taken off; empty: there is none.
std::string_view take_word(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \n"), text.size());
  const std::size_t end = std::min(text.find_first_of(" \n", begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

template <class Number>
std::optional<Number> number_of(std::string_view word) {
  Number out{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), out);
  if (error != std::errc() || end != word.data() + word.size() || word.empty()) return std::nullopt;
  return out;
}

bool is_time(const std::optional<double>& t) { return t && std::isfinite(*t) && *t >= 0.0; }

}  // namespace

std::size_t Calibration::least_batch() const {
  std::size_t least = kNeverAsked;
  for (auto p = points.rbegin(); p != points.rend() && p->device <= kWorth * p->cpu; ++p) {
    least = p->steps;
  }
  return least;
}

std::string Calibration::in_words() const {
  const Point& last = points.back();
  const auto each = [&](double all) { return 1e6 * all / static_cast<double>(last.steps); };
  return fmt::format("of {} steps asked at once it takes {:.1f} us each, the CPU {:.1f} us",
                     last.steps, each(last.device), each(last.cpu));
}

Result<Calibration> calibrate(const RoomBackend& cpu, const RoomBackend& device,
                              const SampleSteps& sample, const std::function<double()>& seconds) {
  return Measurement(cpu, device, sample, seconds).run();
}

std::string to_text(const Calibration& calibration, std::string_view key) {
  std::string out = fmt::format("{}\n{}\n", kTitle, key);
  for (const Calibration::Point& p : calibration.points) {
    fmt::format_to(std::back_inserter(out), "{} {} {}\n", p.steps, p.cpu, p.device);
  }
  return out + "end\n";
}

Result<Calibration> calibration_from_text(std::string_view text, std::string_view key) {
  const auto take_line = [&text] {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
  };
  if (take_line() != kTitle) return {ErrorCode::kInput, "it is no calibration of this version"};
  if (take_line() != key) return {ErrorCode::kUsage, "it is a calibration of something else"};
  Calibration out;
  for (std::string_view word = take_word(text); word != "end"; word = take_word(text)) {
    const auto steps = number_of<std::size_t>(word);
    const auto cpu = number_of<double>(take_word(text));
    const auto device = number_of<double>(take_word(text));
    const std::size_t before = out.points.empty() ? 0 : out.points.back().steps;
    if (!steps || *steps <= before || !is_time(cpu) || !is_time(device)) {
      return {ErrorCode::kInput, fmt::format("its line {} is damaged", 3 + out.points.size())};
    }
    out.points.push_back({*steps, *cpu, *device});
  }
  if (out.points.empty()) return {ErrorCode::kInput, "it is empty"};
  return out;
}

}  // namespace tocsin::detect
