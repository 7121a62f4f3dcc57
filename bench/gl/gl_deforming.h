// A room whose vertices are replaced every frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "selftest/measure/gl_measured.h"
#include "shared/gl_scene.h"

namespace tocsin::bench {

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
