#include "gl/gl_kinematics.h"

#include <algorithm>
#include <span>

#include "shared/pipeline.h"

namespace tocsin::bench {
namespace {

/// Steps that are timed together (see stages.h).
constexpr std::size_t kBatch = 16;

}  // namespace

KinematicRows time_kinematics(const GlScene& scene) {
  KinematicRows rows;
  Pipeline pipeline(scene.avatar, scene.environment);
  const std::span<const Step> all(scene.near);
  for (std::size_t begin = 0; begin < all.size(); begin += kBatch) {
    const std::span<const Step> steps = all.subspan(begin, std::min(kBatch, all.size() - begin));
    const auto each = [&](Measured& row, const auto& work) {
      add_each(row, steps.size(), [&] {
        for (const Step& step : steps) work(step);
      });
    };
    pipeline.prepare(steps);
    Measured coarse;
    each(rows.position, [&](const Step& s) { pipeline.position(s); });
    each(coarse, [&](const Step& s) { pipeline.coarse(s); });
    each(rows.motion, [&](const Step& s) { pipeline.motion(s); });
    each(rows.chord, [&](const Step& s) { pipeline.motion_and_bounds(s); });
    // Coarse bounds and motions are timed with it.
    rows.chord.us.back() = std::max(0.0, rows.chord.us.back() - rows.motion.us.back() -
                                             coarse.us.back() + rows.position.us.back());
    add_each(rows.interval, steps.size(), [&] { pipeline.interval_boxes(); });
  }
  return rows;
}

}  // namespace tocsin::bench
