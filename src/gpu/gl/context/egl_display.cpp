#include "gpu/gl/context/egl_display.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/gl/context/unavailable.h"

namespace tocsin::gl {
namespace {

std::vector<EglPlace> devices(const EglLibrary& egl) {
  std::vector<EglPlace> out;
  EGLint count = 0;
  if (egl.query_devices(0, nullptr, &count) == EGL_FALSE || count <= 0) return out;
  std::vector<EGLDeviceEXT> handles(static_cast<std::size_t>(count), EGL_NO_DEVICE_EXT);
  if (egl.query_devices(count, handles.data(), &count) == EGL_FALSE) return out;
  handles.resize(static_cast<std::size_t>(count));
  for (const EGLDeviceEXT handle : handles) {
    EglPlace place;
    place.device = handle;
    place.index = static_cast<int>(out.size());
    place.software =
        egl.query_device_string != nullptr &&
        has_extension(egl.query_device_string(handle, EGL_EXTENSIONS), "EGL_MESA_device_software");
    out.push_back(place);
  }
  return out;
}

EGLDisplay display_of(const EglLibrary& egl, const EglPlace& place) {
  if (!place.surfaceless()) {
    return egl.get_platform_display(EGL_PLATFORM_DEVICE_EXT, place.device, nullptr);
  }
  return egl.get_platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
}

}  // namespace

std::string EglPlace::name() const {
  return surfaceless() ? "EGL surfaceless" : fmt::format("EGL device {}", index);
}

Result<std::vector<EglPlace>> egl_places() {
  std::string problem;
  const EglLibrary* egl = egl_library(problem);
  if (egl == nullptr) return unavailable(problem);
  const char* extensions = egl->query_string(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const auto offers = [&](std::string_view name) { return has_extension(extensions, name); };
  std::vector<EglPlace> out;
  const bool makes_displays =
      offers("EGL_EXT_platform_base") && egl->get_platform_display != nullptr;
  const bool lists_devices =
      (offers("EGL_EXT_device_base") || offers("EGL_EXT_device_enumeration")) &&
      offers("EGL_EXT_platform_device") && egl->query_devices != nullptr;
  if (makes_displays && lists_devices) out = devices(*egl);
  if (makes_displays && offers("EGL_MESA_platform_surfaceless")) {
    EglPlace place;
    place.index = static_cast<int>(out.size());
    out.push_back(place);
  }
  if (!out.empty()) return out;
  return unavailable(
      "EGL knows no device (EGL_EXT_platform_device) and no surfaceless platform "
      "(EGL_MESA_platform_surfaceless): no driver is installed, or one without either; Mesa's is "
      "in "
      "the Debian packages libegl-mesa0 and libgl1-mesa-dri");
}

std::vector<EglPlace> by_preference(std::vector<EglPlace> places) {
  const auto rank = [](const EglPlace& p) { return p.surfaceless() ? 2 : p.software ? 1 : 0; };
  std::stable_sort(places.begin(), places.end(),
                   [&](const EglPlace& a, const EglPlace& b) { return rank(a) < rank(b); });
  return places;
}

Result<EglDisplay> EglDisplay::open(const EglPlace& place) {
  const EglLibrary& egl = loaded_egl();
  EglDisplay out;
  const EGLDisplay display = display_of(egl, place);
  if (display == EGL_NO_DISPLAY) {
    return unavailable(fmt::format("it gives no display ({})", egl.last_error()));
  }
  // Also where it is initialised already: another library in this process may have ended it.
  if (egl.initialize(display, nullptr, nullptr) == EGL_FALSE) {
    return unavailable(
        fmt::format("its driver does not start ({}); Mesa's drivers are in the Debian package "
                    "libgl1-mesa-dri",
                    egl.last_error()));
  }
  out.display_ = display;
  return out;
}

bool EglDisplay::has(std::string_view extension) const {
  return has_extension(loaded_egl().query_string(display_, EGL_EXTENSIONS), extension);
}

}  // namespace tocsin::gl
