#include "step/volumes.h"

#include <algorithm>

#include "papers/interval_boxes.h"
#include "scene/swept/step_motion.h"
#include "support/scenes/swept_volume.h"

namespace tocsin::bench {

namespace {

double volume(const core::IntervalVec& b, double pad) {
  return (b.x.hi - b.x.lo + 2 * pad) * (b.y.hi - b.y.lo + 2 * pad) * (b.z.hi - b.z.lo + 2 * pad);
}

double volume(const core::Box& b) {
  const Vec3 size = core::to_double(b.hi) - core::to_double(b.lo);
  return size.x * size.y * size.z;
}

/// The box around the room: how far away corners can be decides on the margin for rounding.
core::Box bounds_of(const Environment& environment) {
  core::Box out;
  for (const Vec3f& v : environment.vertices()) out = join(out, core::box_of(v));
  return out;
}

}  // namespace

Volumes compare_volumes(const Inputs& inputs, const Case& which, std::size_t every) {
  const core::Box bounds = bounds_of(inputs.environment);
  scene::StepMotion motion;
  std::vector<double> coarse;
  std::vector<double> box;
  std::vector<double> k14;
  std::vector<double> k18;
  std::vector<double> k26;
  std::vector<double> interval;
  for (std::size_t i = 0; i < which.steps.size(); i += every) {
    motion.set(inputs.avatar, which.steps[i], 0.0, bounds);
    for (std::size_t j = 0; j < motion.links().size(); ++j) {
      const scene::SweptLink& link = motion.links()[j];
      const auto ends = test::sampled_ends(link.motion, kSamples);
      const double least = volume(box_of(test::sampled_kdop<6>(ends, link.motion.radius)));
      coarse.push_back(volume(motion.coarse_box(j)) / least);
      box.push_back(volume(link.box) / least);
      k14.push_back(test::swept_over_sampled<14>(link, ends));
      k18.push_back(test::swept_over_sampled<18>(link, ends));
      k26.push_back(test::swept_over_sampled<26>(link, ends));
      interval.push_back(volume(core::swept_aabb_interval(link.motion), link.motion.radius) /
                         least);
    }
  }
  Volumes out;
  out.links = box.size();
  out.coarse = figures_of(std::move(coarse));
  out.box = figures_of(std::move(box));
  out.k14 = figures_of(std::move(k14));
  out.k18 = figures_of(std::move(k18));
  out.k26 = figures_of(std::move(k26));
  out.interval = figures_of(std::move(interval));
  return out;
}

}  // namespace tocsin::bench
