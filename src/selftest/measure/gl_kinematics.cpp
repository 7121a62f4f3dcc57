#include "selftest/measure/gl_kinematics.h"

#include <algorithm>
#include <span>

#include "scene/motion/avatar_tree.h"
#include "scene/motion/world_pose.h"
#include "scene/swept/step_motion.h"

namespace tocsin::selftest {
namespace {

/// Steps that are timed together: a clock takes as long as a step.
constexpr std::size_t kTogether = 16;

}  // namespace

KinematicRows time_kinematics(const GlScene& scene) {
  KinematicRows rows;
  scene::WorldPoses positions;
  positions.set_avatar(scene::tree_of(scene.avatar));
  scene::StepMotion coarse_motion;
  scene::StepMotion motion;
  scene::StepMotion whole;
  const core::Box bounds = scene.tree->bounds();
  const std::span<const Step> all(scene.near);
  for (std::size_t begin = 0; begin < all.size(); begin += kTogether) {
    const std::span<const Step> steps = all.subspan(begin, std::min(kTogether, all.size() - begin));
    const auto each = [&](Measured& row, const auto& work) {
      add_each(row, steps.size(), [&] {
        for (const Step& step : steps) work(step);
      });
    };
    Measured coarse;
    each(rows.position, [&](const Step& s) {
      positions.set_step(s);
      keep(positions);
    });
    each(coarse, [&](const Step& s) { coarse_motion.begin(scene.avatar, s, 0.0, bounds); });
    each(rows.motion, [&](const Step& s) { motion.set_motions(scene.avatar, s, 0.0); });
    each(rows.chord, [&](const Step& s) { whole.set(scene.avatar, s, 0.0, bounds); });
    // Coarse bounds and motions are timed with it.
    rows.chord.us.back() = std::max(0.0, rows.chord.us.back() - rows.motion.us.back() -
                                             coarse.us.back() + rows.position.us.back());
  }
  return rows;
}

}  // namespace tocsin::selftest
