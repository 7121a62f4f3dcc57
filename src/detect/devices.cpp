#include "tocsin/devices.h"

#include "detect/cuda_devices.h"
#include "gpu/gl/context.h"

namespace tocsin {

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> out = gl::list_gl_devices();
  for (DeviceInfo& device : detail::list_cuda_devices()) out.push_back(std::move(device));
  return out;
}

}  // namespace tocsin
