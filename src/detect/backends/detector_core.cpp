#include "detect/backends/detector_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <utility>

namespace tocsin::detail {

namespace {

using detect::DeviceBackend;
using detect::ExactStep;
using detect::Question;

/// As a result, so that a choice between this and a device keeps the device's error.
DeviceBackend::Made no_device() { return std::shared_ptr<const DeviceBackend>(); }

bool same_triangles(const Environment& a, const Environment& b) {
  const auto p = a.triangles();
  const auto q = b.triangles();
  const bool same = p.data() == q.data() || std::equal(p.begin(), p.end(), q.begin(), q.end());
  return same && std::equal(a.objects().begin(), a.objects().end(), b.objects().begin(),
                            b.objects().end(), [](const Object& x, const Object& y) {
                              return x.name == y.name && x.first_triangle == y.first_triangle;
                            });
}

/// The reports of all questions of the instants that are left.
void fail(std::span<const Question> questions, const detect::Unanswered& left,
          std::span<StepReport> reports) {
  for (std::size_t i = 0; i < questions.size(); ++i) {
    if (left.instants[questions[i].instant] == 0) continue;
    reports[i] = detect::report_of(*questions[i].step, left.why);
    reports[i].avatar = questions[i].avatar;
  }
}

}  // namespace

DetectorCore::DetectorCore(std::shared_ptr<const ExactStep> exact,
                           std::shared_ptr<const DeviceBackend> device,
                           std::vector<std::string> warnings, Asking asking)
    : exact_(std::move(exact)),
      cpu_(exact_),
      device_(std::move(device)),
      warnings_(std::move(warnings)),
      asking_(std::move(asking)) {}

DetectorCore::Made DetectorCore::with_environment(const Environment& environment) const {
  if (!same_triangles(environment, exact_->environment())) {
    return {ErrorCode::kUsage,
            "the environment is not another version of the detector's: its objects or triangles "
            "are others"};
  }
  auto exact = std::make_shared<const ExactStep>(environment, options(),
                                                 exact_->tree().refitted(environment));
  // This detector goes on with its own room whatever happens to the new one.
  return derived(exact, device_ ? device_->with_environment(exact) : no_device(),
                 "the CPU checks the moved room");
}

DetectorCore::Made DetectorCore::with_options(const DetectorOptions& options) const {
  std::shared_ptr<const detect::SceneView> scene = exact_->shared_scene();
  if (scene && options.margin != this->options().margin) scene = scene->with_margin(options.margin);
  auto exact = std::make_shared<const ExactStep>(exact_->environment(), options,
                                                 exact_->shared_tree(), std::move(scene));
  return derived(exact, device_ ? device_->with_options(exact) : no_device(), "the CPU checks");
}

DetectorCore::Made DetectorCore::derived(std::shared_ptr<const ExactStep> exact,
                                         DeviceBackend::Made device,
                                         std::string_view fallback) const {
  std::vector<std::string> warnings;
  if (!device.ok()) {
    if (!may_fall_back()) return device.error();
    warnings.push_back(
        fmt::format("{}, as the device does not work: {}", fallback, device.error().message));
    device = no_device();
  }
  return std::make_shared<const DetectorCore>(std::move(exact), std::move(device).value(),
                                              std::move(warnings), asking_);
}

bool DetectorCore::may_fall_back() const {
  return options().backend != Backend::kGl && options().experiments.certify;
}

const detect::RoomBackend& DetectorCore::backend() const {
  if (device_) return *device_;
  return cpu_;
}

bool DetectorCore::asks_ahead(std::size_t steps) const {
  return device_ && steps >= asking_.least_batch &&
         !(may_fall_back() && device_->failure().has_value());
}

bool DetectorCore::answers_meetings() const { return device_ && device_->answers_meetings(); }

detect::BatchSize DetectorCore::batch_size() const {
  const std::size_t least = asking_.least_batch;
  return asks_ahead(least) ? detect::BatchSize(device_->pace(), least)
                           : detect::BatchSize(cpu_.pace());
}

std::string DetectorCore::fallback() const { return device_ ? device_->fallback() : std::string(); }

std::vector<std::uint8_t> DetectorCore::ask_ahead(std::span<const Question> questions,
                                                  std::size_t instants,
                                                  const detect::QuestionOptions& how,
                                                  std::span<StepReport> reports) const {
  if (!asks_ahead(questions.size())) return std::vector<std::uint8_t>(instants, 1);
  detect::Unanswered left = device_->check(questions, instants, how, reports);
  if (may_fall_back() || !left.any()) return std::move(left.instants);
  fail(questions, left, reports);
  return std::vector<std::uint8_t>(instants, 0);
}

StepReport DetectorCore::check_one(const Member& member, const Step& step) const {
  if (asks_ahead(1)) {
    StepReport report;
    check_all(member, {&step, 1}, {}, {&report, 1});
    return report;
  }
  return check_on_cpu(member, step);
}

StepReport DetectorCore::check_on_cpu(const Member& member, const Step& step) const {
  thread_local detect::OwnWorkspace own;
  return exact_->check(member, step, {own.links, own.scratch}, {});
}

void DetectorCore::check_all(const Member& member, std::span<const Step> steps,
                             const std::stop_token& stop, std::span<StepReport> reports) const {
  try {
    std::vector<Question> questions;
    questions.reserve(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      questions.push_back({&member, &steps[i], i});
    }
    answer(questions, stop, reports);
  } catch (const std::bad_alloc&) {  // one by one the CPU needs no more than it has
    for (std::size_t i = 0; i < steps.size() && !stop.stop_requested(); ++i) {
      reports[i] = may_fall_back()
                       ? check_on_cpu(member, steps[i])
                       : detect::report_of(steps[i], Error{ErrorCode::kResource,
                                                           "out of memory while checking steps"});
    }
  }
}

void DetectorCore::answer(std::span<const Question> questions, const std::stop_token& stop,
                          std::span<StepReport> reports) const {
  const detect::QuestionOptions how{false, true, stop};
  if (!asks_ahead(questions.size())) {
    static_cast<void>(cpu_.check(questions, questions.size(), how, reports));
    return;
  }
  const std::vector<std::uint8_t> left = ask_ahead(questions, questions.size(), how, reports);
  const auto next = [&](std::size_t from, std::uint8_t wanted) {
    return static_cast<std::size_t>(
        std::find(left.begin() + static_cast<std::ptrdiff_t>(from), left.end(), wanted) -
        left.begin());
  };
  for (std::size_t i = next(0, 1); i < left.size();) {
    const std::size_t end = next(i, 0);
    static_cast<void>(
        cpu_.check(questions.subspan(i, end - i), end - i, how, reports.subspan(i, end - i)));
    i = next(end, 1);
  }
}

}  // namespace tocsin::detail
