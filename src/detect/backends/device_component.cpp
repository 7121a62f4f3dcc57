#include "detect/backends/device_component.h"

#include <utility>

// Weak: null where the component is not linked.
extern "C" {
[[gnu::weak]] const tocsin::detect::DeviceComponent* tocsin_gl_component();
[[gnu::weak]] const tocsin::detect::DeviceComponent* tocsin_cuda_component();
}

namespace tocsin {

namespace detect {

const DeviceComponent* find_component(Backend backend) {
  const auto find = backend == Backend::kGl ? tocsin_gl_component : tocsin_cuda_component;
  return find != nullptr ? find() : nullptr;
}

Error not_linked(Backend backend) {
  return {ErrorCode::kUnavailable, backend == Backend::kGl
                                       ? "this program was built without Tocsin's component gl"
                                       : "this program was built without Tocsin's component cuda"};
}

namespace {

std::vector<DeviceInfo> devices_of(Backend backend) {
  if (const DeviceComponent* const component = find_component(backend)) return component->list();
  DeviceInfo none;
  none.backend = backend;
  none.index = -1;
  none.reason = not_linked(backend).message;
  return {none};
}

}  // namespace

}  // namespace detect

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> out = detect::devices_of(Backend::kGl);
  for (DeviceInfo& device : detect::devices_of(Backend::kCuda)) out.push_back(std::move(device));
  return out;
}

}  // namespace tocsin
