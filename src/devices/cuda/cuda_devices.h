// The CUDA part of tocsin::list_devices().
#pragma once

#include <vector>

#include "tocsin/devices.h"

namespace tocsin::devices {

/// Asks the driver library, which is loaded for it: nothing of CUDA is needed to build Tocsin.
std::vector<DeviceInfo> list_cuda_devices();

}  // namespace tocsin::devices
