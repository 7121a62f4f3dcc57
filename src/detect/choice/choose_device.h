// What Backend::kAuto means in a room: the CPU, or a device that a calibration has shown to be
// faster.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "detect/backends/room_backend.h"
#include "detect/step/exact_step.h"
#include "tocsin/result.h"

namespace tocsin::detect {

struct DeviceChoice {
  std::shared_ptr<const DeviceBackend> device;  ///< null: the CPU
  std::size_t least_batch = 0;                  ///< steps at once from which the device is asked
  std::string why;                              ///< for a person
  std::vector<std::string> warnings;
};

/// Tries CUDA, then OpenGL; the first that is worth asking is taken. Where the machine shows no
/// GPU, or the work (DetectorOptions::expected_steps) is too little to open one for, nothing is
/// opened. What was measured is kept in the tree cache. Errors: kUsage: a device is named in a way
/// that makes no sense. Throws std::bad_alloc.
[[nodiscard]] Result<DeviceChoice> choose_device(const std::shared_ptr<const ExactStep>& exact);

}  // namespace tocsin::detect
