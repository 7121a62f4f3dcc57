// How the engine finds the libraries of devices, which it does not link: each defines a name that
// the engine knows as a weak symbol. Weak symbols work alike for archives and shared libraries, and
// need no code that runs before main().
#pragma once

#include <memory>
#include <vector>

#include "detect/backends/room_backend.h"
#include "tocsin/devices.h"

namespace tocsin::detect {

/// What the component of a device offers.
struct DeviceComponent {
  /// Opens a device and takes the room there. Errors: kUnavailable: there is no such device, or it
  /// cannot do what is needed; kUsage: it is named in a way that makes no sense; kResource: its
  /// memory. Throws std::bad_alloc.
  DeviceBackend::Made (*open)(std::shared_ptr<const ExactStep> exact);
  std::vector<DeviceInfo> (*list)();  ///< its part of list_devices()
};

/// The component of a device. Null: the program does not link it.
const DeviceComponent* find_component(Backend backend);

/// kUnavailable: what is said in the place of a component that is not linked.
Error not_linked(Backend backend);

}  // namespace tocsin::detect

// Each is defined by its component, which makes every program that links it ask for the name.
extern "C" {
const tocsin::detect::DeviceComponent* tocsin_gl_component();
const tocsin::detect::DeviceComponent* tocsin_cuda_component();
}
