#include "step/counting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include "scene/swept/step_motion.h"
#include "shared/counted.h"
#include "shared/timing.h"
#include "step/reference_case.h"
#include "tocsin/stream.h"

namespace tocsin::bench {

namespace {

/// Steps done beforehand, so that what is only paid the first time does not count.
constexpr std::size_t kWarm = 64;

void count(const Case& which, const char* row, const std::function<void(const Step&)>& work) {
  const std::size_t warm = std::min(kWarm, which.steps.size());
  for (std::size_t i = 0; i < warm; ++i) work(which.steps[i]);
  const std::uint64_t steps = tocsin_counted([&] {
    for (const Step& step : which.steps) work(step);
    return static_cast<std::uint64_t>(which.steps.size());
  });
  fmt::print("{}\t{}\t{}\n", which.name, row, steps);
  std::fflush(stdout);
}

}  // namespace

void count_rows(const Inputs& inputs, const Detector& detector) {
  for (const Case& which : inputs.cases) {
    count(which, "check", [&](const Step& step) { keep(detector.check(inputs.avatar, step)); });
    Stream stream(detector, inputs.avatar);
    count(which, "stream", [&](const Step& step) { keep(stream.check(step)); });
    scene::StepMotion motion;
    const core::Box bounds{{-10, -10, -10}, {10, 10, 10}};  // the numbers decide on no instruction
    count(which, "coarse bounds", [&](const Step& step) {
      motion.begin(inputs.avatar, step, 0.0, bounds);
      keep(motion);
    });
    const ReferenceCase reference(inputs, which.steps);
    std::vector<reference::Touch> touches;
    count(which, "reference", [&](const Step& step) {
      touches.clear();
      keep(reference.step(step, touches));
    });
  }
}

}  // namespace tocsin::bench
