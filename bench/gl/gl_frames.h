// Whole frames: one avatar, and many at once; and rooms whose vertices move every frame.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gl/gl_measured.h"
#include "gl/gl_table.h"
#include "shared/gl_scene.h"

namespace tocsin::bench {

/// One step of one avatar, from two local poses to contacts. Microseconds.
struct FrameRows {
  GlWay way;
  Measured certified;   ///< cull on the device, then certify
  Measured image;       ///< the image-space answer
  bool equal = true;    ///< certified: contacts and safe_until are the CPU's
  bool covered = true;  ///< image space: each of the CPU's contacts is there, and not later
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
};
Result<std::vector<CrowdRows>> run_crowd(const Crowd& crowd, const std::vector<std::size_t>& sizes,
                                         double seconds, double most);

/// A room under water: one avatar, every vertex somewhere else in every frame. Microseconds.
struct DeformingResult {
  std::size_t frames = 0;
  std::size_t triangles = 0;
  Measured replace;    ///< Environment::with_vertices
  Measured cpu_moved;  ///< Detector::moved: the tree fitted
  Measured gl_moved;   ///< the same, clusters fitted, vertices uploaded
  Measured cpu_built;  ///< Detector built anew
  Measured cpu_check;
  Measured gl_check;
  std::uint64_t contacts = 0;
  std::string built_hash;  ///< of all contact lines, as a report has it
  std::string cpu_hash;
  std::string gl_hash;
  [[nodiscard]] bool equal() const { return built_hash == cpu_hash && built_hash == gl_hash; }
};
Result<DeformingResult> run_deforming(const GlScene& scene, std::size_t frames);

}  // namespace tocsin::bench
