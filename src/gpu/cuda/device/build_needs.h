// What this build's kernels ask of a device.
#pragma once

#include <optional>

namespace tocsin::cuda {

struct BuildNeeds {
  int driver = 0;      ///< at least this version, as CUDA writes it: 13000 is 13.0
  int capability = 0;  ///< at least this compute capability: 80 is 8.0
};

/// None: no kernels were compiled.
std::optional<BuildNeeds> build_needs();

}  // namespace tocsin::cuda
