// The GPUs of the machine: which exist, and which are usable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tocsin/detector_options.h"

namespace tocsin {

/// A device as `tocsin devices` lists it.
struct DeviceInfo {
  Backend backend = Backend::kCpu;  ///< kGl or kCuda
  int index = 0;                    ///< what --gl-device takes; counts from 0 per backend
  std::string name;                 ///< the renderer's own name; empty if it could not be asked
  std::string way;        ///< how it is reached: "EGL device", "EGL surfaceless", "CUDA driver"
  std::string version;    ///< of its interface, as it says it; empty if it could not be asked
  bool software = false;  ///< runs on the processor (llvmpipe)
  bool usable = false;
  std::string reason;  ///< why it is not usable; empty if it is
};

/// All devices, OpenGL first. Opens a context on each of them, which takes tens of milliseconds,
/// and closes it. Never fails: a device that does not answer is listed with a reason. If a whole
/// kind of device is missing (no EGL, no CUDA driver), one entry with index -1 says why.
std::vector<DeviceInfo> list_devices();

}  // namespace tocsin
