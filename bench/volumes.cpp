#include "volumes.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/interval.h"
#include "cpu/aabb_tree.h"
#include "scene/swept_link.h"

namespace tocsin::bench {

namespace {

double volume(const core::IntervalVec& b, double pad) {
  return (b.x.hi - b.x.lo + 2 * pad) * (b.y.hi - b.y.lo + 2 * pad) * (b.z.hi - b.z.lo + 2 * pad);
}

double volume(const core::Box& b) {
  const Vec3 size = core::to_double(b.hi) - core::to_double(b.lo);
  return size.x * size.y * size.z;
}

core::IntervalVec sampled(const core::LinkMotion& link) {
  core::IntervalVec box{{HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}};
  const auto add = [&](const Vec3& p) {
    box = {hull(box.x, {p.x, p.x}), hull(box.y, {p.y, p.y}), hull(box.z, {p.z, p.z})};
  };
  for (int i = 0; i < kSamples; ++i) {
    const core::AxisState s = core::evaluate(link, static_cast<double>(i) / (kSamples - 1));
    add(s.a);
    add(s.b);
  }
  return box;
}

}  // namespace

Volumes compare_volumes(const Inputs& inputs, const Case& which, std::size_t every) {
  const core::Box bounds = cpu::AabbTree(inputs.environment).bounds();
  scene::StepMotion motion;
  std::vector<double> chord;
  std::vector<double> interval;
  for (std::size_t i = 0; i < which.steps.size(); i += every) {
    motion.set(inputs.avatar, which.steps[i], 0.0, bounds);
    for (const scene::SweptLink& link : motion.links()) {
      const double least = volume(sampled(link.motion), link.motion.radius);
      chord.push_back(volume(link.box) / least);
      interval.push_back(volume(core::swept_aabb_interval(link.motion), link.motion.radius) /
                         least);
    }
  }
  Volumes out;
  out.links = chord.size();
  out.chord = figures_of(std::move(chord));
  out.interval = figures_of(std::move(interval));
  return out;
}

}  // namespace tocsin::bench
