#include "gl/gl_kinematics.h"

#include <algorithm>
#include <span>

#include "shared/pipeline.h"

namespace tocsin::bench {
namespace {

/// Steps that are timed together (see stages.h).
constexpr std::size_t kBatch = 16;

}  // namespace

Measured time_interval_boxes(const GlScene& scene) {
  Measured out;
  Pipeline pipeline(scene.avatar, scene.environment);
  const std::span<const Step> all(scene.near);
  for (std::size_t begin = 0; begin < all.size(); begin += kBatch) {
    const std::span<const Step> steps = all.subspan(begin, std::min(kBatch, all.size() - begin));
    pipeline.prepare(steps);
    add_each(out, steps.size(), [&] { pipeline.interval_boxes(); });
  }
  return out;
}

}  // namespace tocsin::bench
