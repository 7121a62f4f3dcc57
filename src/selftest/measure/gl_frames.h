// Whole frames: one avatar, and many at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "selftest/measure/gl_measured.h"
#include "selftest/measure/gl_scene.h"
#include "selftest/measure/gl_table.h"
#include "selftest/scenes/standing_crowd.h"

namespace tocsin::selftest {

/// One step of one avatar, from two local poses to contacts. Microseconds.
struct FrameRows {
  GlWay way;
  Measured certified;   ///< cull on the device, then certify
  Measured image;       ///< the image-space answer
  bool equal = true;    ///< certified: contacts and safe_until are the CPU's
  bool covered = true;  ///< image space: each of the CPU's contacts is there, and not later
  std::optional<Step> differing;  ///< the first that is not `equal`
  std::optional<Step> uncovered;  ///< the first that is not `covered`
};
struct FrameResult {
  Measured cpu;
  std::vector<FrameRows> ways;
};

/// `table`: of this scene; tells what would take too long. `most`: seconds that one frame may take.
Result<FrameResult> run_frames(const GlScene& scene, const TableResult& table, double seconds,
                               double most);

/// One frame of many avatars, answered as one batch. Microseconds.
struct CrowdRows {
  std::size_t avatars = 0;
  Measured cpu;
  Measured certified;  ///< flags, 64 x 64
  Measured image;
  double contacts = 0.0;  ///< a frame
  bool equal = true;
  bool covered = true;
  std::optional<Step> differing;
  std::optional<Step> uncovered;
};
Result<std::vector<CrowdRows>> run_crowd(const StandingCrowd& crowd,
                                         const std::vector<std::size_t>& sizes, double seconds,
                                         double most);

/// True if every contact of the exact report is among those of image space, and not later.
bool covers(const StepReport& image, const StepReport& exact);

/// If `holds` is false: so is `so_far`, and `first` is this step unless there was one before.
void note(bool holds, const Step& step, bool& so_far, std::optional<Step>& first);

}  // namespace tocsin::selftest
