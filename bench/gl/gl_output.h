// What bench_gl prints and keeps.
#pragma once

#include <string>
#include <vector>

#include "gl/gl_deforming.h"
#include "gl/gl_kinematics.h"
#include "gpu/gl/context/context.h"
#include "selftest/measure/gl_frames.h"
#include "selftest/measure/gl_table.h"
#include "shared/gl_scene.h"
#include "shared/machine.h"

namespace tocsin::bench {

/// Everything about one room.
struct GlSceneReport {
  const GlScene* scene = nullptr;
  KinematicRows kinematics;
  Measured interval_boxes;
  TableResult table;
  FrameResult frames;
};

struct GlReport {
  Machine machine;
  gl::ContextInfo device;
  std::string raster;  ///< what draws triangles
  bool quick = false;
  std::vector<GlSceneReport> scenes;
  std::size_t crowd_triangles = 0;
  std::vector<CrowdRows> crowd;
  const GlScene* deforming_scene = nullptr;
  DeformingResult deforming;
};

std::string as_text(const GlReport& report);
std::string as_json(const GlReport& report);

/// True if everyone's contacts are the CPU's, and both methods keep the same pairs.
bool agrees(const GlReport& report);

}  // namespace tocsin::bench
