// What this build's kernels ask of a device.
#pragma once

#include <optional>
#include <string_view>

namespace tocsin::cuda {

struct BuildNeeds {
  int driver = 0;      ///< at least this version, as CUDA writes it: 13000 is 13.0
  int capability = 0;  ///< at least this compute capability: 80 is 8.0
};

/// For messages that miss a driver. 580 is the first that knows CUDA 13.0, the oldest CUDA that
/// kernels are compiled with (cmake/TocsinCuda.cmake): with another number people install too old a
/// driver.
inline constexpr std::string_view kWhereDriversAre =
    "NVIDIA's driver brings it, 580 or newer: https://www.nvidia.com/drivers";

/// None: no kernels were compiled.
std::optional<BuildNeeds> build_needs();

}  // namespace tocsin::cuda
