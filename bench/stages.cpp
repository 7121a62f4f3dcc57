#include "stages.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "pipeline.h"
#include "reference_step.h"

namespace tocsin::bench {

const std::array<RowText, kRows> kRowTexts{{
    {"position_update", "position update (forward kinematics of one pose)"},
    {"motion_parameters", "motion parameters"},
    {"swept_bounds", "swept bounds (chord)"},
    {"culling", "culling"},
    {"certify", "certify"},
    {"step", "whole step: Detector::check"},
    {"swept_bounds_interval", "swept bounds by interval matrices"},
    {"reference", "whole step: frozen reference"},
}};

namespace {

reference::Vec to_reference(const Vec3& p) { return {p.x, p.y, p.z}; }
reference::Vec to_reference(const Vec3f& p) {
  return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
}

/// The reference's own copy of a case.
class ReferenceCase {
 public:
  ReferenceCase(const Inputs& inputs, const std::vector<Step>& steps)
      : scene_(parents(inputs.avatar), links(inputs.avatar), triangles(inputs.environment)) {
    for (const Step& step : steps) {
      take(step.frames()[0], step.pose0());
      take(step.frames()[1], step.pose1());
    }
  }

  reference::Counters step(const Step& step, std::vector<reference::Touch>& touches) const {
    return scene_.step(frames_[static_cast<std::size_t>(step.frames()[0])],
                       frames_[static_cast<std::size_t>(step.frames()[1])], touches);
  }

 private:
  void take(std::int64_t frame, std::span<const Transform> pose) {
    const auto at = static_cast<std::size_t>(frame);
    if (frames_.size() <= at) frames_.resize(at + 1);
    if (!frames_[at].empty()) return;
    for (const Transform& t : pose) {
      frames_[at].push_back(
          {{t.rotation.w, t.rotation.x, t.rotation.y, t.rotation.z}, to_reference(t.translation)});
    }
  }
  static std::vector<int> parents(const Avatar& avatar) {
    std::vector<int> out;
    for (const Joint& joint : avatar.skeleton().joints()) out.push_back(joint.parent);
    return out;
  }
  static std::vector<reference::Link> links(const Avatar& avatar) {
    std::vector<reference::Link> out;
    for (const Link& link : avatar.links()) {
      out.push_back({link.joint, to_reference(link.a), to_reference(link.b), link.radius});
    }
    return out;
  }
  static std::vector<reference::Triangle> triangles(const Environment& environment) {
    std::vector<reference::Triangle> out;
    for (std::uint32_t i = 0; i < environment.triangles().size(); ++i) {
      const std::array<Vec3f, 3> v = environment.corners(i);
      out.push_back(
          {{to_reference(v[0]), to_reference(v[1]), to_reference(v[2])}, environment.object_of(i)});
    }
    return out;
  }

  reference::Scene scene_;
  std::vector<std::vector<reference::Pose>> frames_;
};

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
      return t.link == c.link && t.object == c.object;
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
  StepCounters counters;
  reference::Counters reference_counters;
  for (const Step& step : which.steps) {
    const StepReport report = detector.check(inputs.avatar, step);
    counters.candidates += report.counters.candidates;
    counters.evaluations += report.counters.evaluations;
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
  const auto detector_row = [&](std::span<const Step> steps) {
    return each(steps, [&](const Step& s) { keep(detector.check(inputs.avatar, s)); });
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
      // A B, then B A: neither always runs on the caches that the other left.
      const bool swap = pass % 2 == 1;
      if (swap) samples.set(kReference, batch, reference_row(steps));
      samples.set(kStep, batch, detector_row(steps));
      if (!swap) samples.set(kReference, batch, reference_row(steps));

      samples.set(kPosition, batch,
                  each(steps, [&](const Step& s) { pipeline.position(s.pose1()); }));
      const double motion = each(steps, [&](const Step& s) { pipeline.motion(s); });
      const double both = each(steps, [&](const Step& s) { pipeline.motion_and_bounds(s); });
      samples.set(kMotion, batch, motion);
      samples.set(kBounds, batch, both - motion);
      pipeline.prepare(steps);
      samples.set(kCulling, batch, all(steps, [&] { pipeline.cull(); }));
      samples.set(kCertify, batch, all(steps, [&] { pipeline.certify(); }));
      samples.set(kInterval, batch, all(steps, [&] { pipeline.interval_boxes(); }));
    }
  }
  return result;
}

}  // namespace tocsin::bench
