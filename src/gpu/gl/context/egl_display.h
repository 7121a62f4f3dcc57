// Where EGL can make contexts without a window, and the displays that stand for these places.
#pragma once

#include <string>
#include <vector>

#include "gpu/gl/context/egl_library.h"
#include "tocsin/result.h"

namespace tocsin::gl {

/// An EGL device, or the surfaceless platform, which picks a device by itself.
struct EglPlace {
  EGLDeviceEXT device = EGL_NO_DEVICE_EXT;  ///< none: surfaceless
  int index = 0;                            ///< in the list; what --gl-device takes
  bool software = false;                    ///< the driver says that it runs on the processor
  [[nodiscard]] bool surfaceless() const { return device == EGL_NO_DEVICE_EXT; }
  /// "EGL device 0", "EGL surfaceless".
  [[nodiscard]] std::string name() const;
};

/// The devices in EGL's order, then surfaceless where it is offered. Errors (kUnavailable): no EGL
/// library, or neither devices nor surfaceless.
Result<std::vector<EglPlace>> egl_places();

/// The order in which places are tried: hardware before software before surfaceless, which chooses
/// by itself; else as they were.
std::vector<EglPlace> by_preference(std::vector<EglPlace> places);

/// The initialised display of a place. It is the same for all contexts of a process on one place,
/// and stays initialised until the process ends: eglTerminate() would end it for everybody, SDL
/// included, and unloads drivers, which leave memory and thread-local data behind.
class EglDisplay {
 public:
  EglDisplay() = default;

  /// Errors (kUnavailable): no display, or it does not initialise; without the place's name.
  static Result<EglDisplay> open(const EglPlace& place);

  [[nodiscard]] EGLDisplay get() const { return display_; }
  [[nodiscard]] bool has(std::string_view extension) const;

 private:
  EGLDisplay display_ = EGL_NO_DISPLAY;
};

}  // namespace tocsin::gl
