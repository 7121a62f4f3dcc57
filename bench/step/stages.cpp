#include "step/stages.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "shared/pipeline.h"
#include "step/reference_case.h"
#include "tocsin/stream.h"

namespace tocsin::bench {

const std::array<RowText, kRows> kRowTexts{{
    {"position_update", "forward kinematics (of the new pose)"},
    {"coarse_bounds", "coarse bounds of all links"},
    {"near_bounds", "exact bounds of the links near something"},
    {"culling", "culling"},
    {"certify", "certify (suspects one by one)"},
    {"step", "whole step: Detector::check"},
    {"stream", "whole step: Stream::check"},
    {"reference", "whole step: frozen reference"},
    {"motion_parameters", "motion parameters of all links"},
    {"swept_bounds", "swept bounds (chord) of all links"},
    {"swept_bounds_interval", "swept bounds of all links by interval matrices"},
}};

namespace {

/// A touch found at two times is the same touch if the gap that the later one sees cannot be more
/// than both accept: slow approaches, and turns at rest, spread kTouch metres over much time.
constexpr double kSameTouch = 1e-2;

void compare(const StepReport& report, const std::vector<reference::Touch>& touches,
             Agreement& agreement) {
  agreement.contacts += report.contacts.size();
  agreement.touches += touches.size();
  std::size_t matched = 0;
  for (const Contact& c : report.contacts) {
    const bool graze = c.status == ContactStatus::kGraze;
    if (graze) ++agreement.grazes;
    const auto touch = std::find_if(touches.begin(), touches.end(), [&](const reference::Touch& t) {
      return t.link == c.link && t.object == c.room()->object;
    });
    if (touch == touches.end()) {
      if (!graze) ++agreement.differing;
      continue;
    }
    ++matched;
    const double off = std::max({0.0, c.toc[0] - touch->t, touch->t - c.toc[1]});
    agreement.worst_time = std::max(agreement.worst_time, off);
    if (!(off <= kSameTouch)) ++agreement.differing;
  }
  agreement.differing += touches.size() - matched;
}

/// One untimed walk through the case: counts, and whether everyone finds the same contacts.
void check_answers(const Case& which, const Inputs& inputs, const Detector& detector,
                   const ReferenceCase& reference, Pipeline& pipeline, CaseResult& result) {
  std::vector<reference::Touch> touches;
  Stream stream(detector, inputs.avatar);
  StepCounters counters;
  std::uint64_t stream_volume_tests = 0;
  reference::Counters reference_counters;
  for (const Step& step : which.steps) {
    const StepReport report = detector.check(inputs.avatar, step);
    counters.candidates += report.counters.candidates;
    counters.evaluations += report.counters.evaluations;
    counters.volume_tests += report.counters.volume_tests;
    const StepReport streamed = stream.check(step);
    stream_volume_tests += streamed.counters.volume_tests;
    if (streamed.contacts != report.contacts || streamed.safe_until != report.safe_until) {
      result.agreement.stream_equal = false;
    }
    pipeline.prepare({&step, 1});
    pipeline.cull();
    pipeline.certify();
    if (report.error || pipeline.contacts(0) != report.contacts) {
      result.agreement.stages_equal = false;
    }
    touches.clear();
    const reference::Counters c = reference.step(step, touches);
    reference_counters.candidates += c.candidates;
    reference_counters.evaluations += c.evaluations;
    compare(report, touches, result.agreement);
  }
  const auto steps = static_cast<double>(which.steps.size());
  result.candidates = static_cast<double>(counters.candidates) / steps;
  result.evaluations = static_cast<double>(counters.evaluations) / steps;
  result.volume_tests = static_cast<double>(counters.volume_tests) / steps;
  result.stream_volume_tests = static_cast<double>(stream_volume_tests) / steps;
  result.reference_candidates = static_cast<double>(reference_counters.candidates) / steps;
  result.reference_evaluations = static_cast<double>(reference_counters.evaluations) / steps;
}

/// Time per step of `work` on every one of `steps`, microseconds.
template <class Work>
double each(std::span<const Step> steps, const Work& work) {
  const double begin = cpu_us();
  for (const Step& step : steps) work(step);
  return (cpu_us() - begin) / static_cast<double>(steps.size());
}
/// The same for work that does all of them at once.
template <class Work>
double all(std::span<const Step> steps, const Work& work) {
  const double begin = cpu_us();
  work();
  return (cpu_us() - begin) / static_cast<double>(steps.size());
}

/// Stages that do what another does and more are timed with it, and the difference is taken.
void time_stages(Pipeline& pipeline, std::span<const Step> steps, std::size_t batch,
                 Samples& samples) {
  pipeline.prepare(steps);
  const double position = each(steps, [&](const Step& s) { pipeline.position(s); });
  const double coarse = each(steps, [&](const Step& s) { pipeline.coarse(s); });
  std::size_t index = 0;
  const double near = each(steps, [&](const Step& s) { pipeline.near(s, index++); });
  const double motion = each(steps, [&](const Step& s) { pipeline.motion(s); });
  const double bounds = each(steps, [&](const Step& s) { pipeline.motion_and_bounds(s); });
  samples.set(kPosition, batch, position);
  samples.set(kCoarse, batch, coarse - position);
  samples.set(kNear, batch, near - coarse);
  samples.set(kMotion, batch, motion);
  samples.set(kBounds, batch, bounds - motion - (coarse - position));
  samples.set(kCulling, batch, all(steps, [&] { pipeline.cull(); }));
  samples.set(kCertify, batch, all(steps, [&] { pipeline.certify(); }));
  samples.set(kInterval, batch, all(steps, [&] { pipeline.interval_boxes(); }));
}

}  // namespace

CaseResult run_case(const Inputs& inputs, const Case& which, const Detector& detector,
                    std::size_t passes) {
  const ReferenceCase reference(inputs, which.steps);
  Pipeline pipeline(inputs.avatar, inputs.environment);
  const std::size_t batches = (which.steps.size() + kBatch - 1) / kBatch;
  CaseResult result;
  result.samples = Samples(kRows, batches);
  result.steps = which.steps.size();
  result.passes = passes;
  check_answers(which, inputs, detector, reference, pipeline, result);

  std::vector<reference::Touch> touches;
  Stream stream(detector, inputs.avatar);
  const auto detector_row = [&](std::span<const Step> steps) {
    return each(steps, [&](const Step& s) { keep(detector.check(inputs.avatar, s)); });
  };
  const auto stream_row = [&](std::span<const Step> steps) {
    return each(steps, [&](const Step& s) { keep(stream.check(s)); });
  };
  const auto reference_row = [&](std::span<const Step> steps) {
    return each(steps, [&](const Step& s) {
      touches.clear();
      keep(reference.step(s, touches));
    });
  };
  Samples& samples = result.samples;
  for (std::size_t pass = 0; pass < passes; ++pass) {
    samples.next_pass();
    for (std::size_t batch = 0; batch < batches; ++batch) {
      const std::size_t begin = batch * kBatch;
      const std::span<const Step> steps =
          std::span(which.steps).subspan(begin, std::min(kBatch, which.steps.size() - begin));
      // In one order, then in the other: nobody always runs on the caches that another left.
      const bool swap = pass % 2 == 1;
      if (swap) samples.set(kReference, batch, reference_row(steps));
      if (swap) samples.set(kStream, batch, stream_row(steps));
      samples.set(kStep, batch, detector_row(steps));
      if (!swap) samples.set(kStream, batch, stream_row(steps));
      if (!swap) samples.set(kReference, batch, reference_row(steps));
      time_stages(pipeline, steps, batch, samples);
    }
  }
  return result;
}

}  // namespace tocsin::bench
