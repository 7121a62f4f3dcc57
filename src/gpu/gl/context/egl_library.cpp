#include "gpu/gl/context/egl_library.h"

#include <fmt/format.h>

#include "base/shared_library.h"

namespace tocsin::gl {
namespace {

constexpr base::LibraryFunction<EglLibrary> kEglFunctions[] = {
    {"eglGetProcAddress", base::kInto<&EglLibrary::get_proc_address>},
    {"eglQueryString", base::kInto<&EglLibrary::query_string>},
    {"eglInitialize", base::kInto<&EglLibrary::initialize>},
    {"eglBindAPI", base::kInto<&EglLibrary::bind_api>},
    {"eglChooseConfig", base::kInto<&EglLibrary::choose_config>},
    {"eglCreateContext", base::kInto<&EglLibrary::create_context>},
    {"eglDestroyContext", base::kInto<&EglLibrary::destroy_context>},
    {"eglCreatePbufferSurface", base::kInto<&EglLibrary::create_pbuffer_surface>},
    {"eglDestroySurface", base::kInto<&EglLibrary::destroy_surface>},
    {"eglMakeCurrent", base::kInto<&EglLibrary::make_current>},
    {"eglReleaseThread", base::kInto<&EglLibrary::release_thread>},
    {"eglGetError", base::kInto<&EglLibrary::get_error>},
};

struct LoadedEgl {
  EglLibrary egl;
  std::string problem;
};

template <class Function>
void find_extension(const EglLibrary& egl, Function& function, const char* name) {
  function = reinterpret_cast<Function>(egl.get_proc_address(name));
}

LoadedEgl load_egl() {
  LoadedEgl out;
  EglLibrary& egl = out.egl;
  base::SharedLibrary library("libEGL.so.1");
  if (!base::find_all(library, kEglFunctions, egl)) {
    out.problem = fmt::format(
        "the EGL library could not be loaded ({}); a graphics card's driver brings it, and "
        "without a card, on Debian: apt install libegl1 libegl-mesa0 libgl1-mesa-dri",
        library.problem());
    return out;
  }
  find_extension(egl, egl.query_devices, "eglQueryDevicesEXT");
  find_extension(egl, egl.query_device_string, "eglQueryDeviceStringEXT");
  find_extension(egl, egl.get_platform_display, "eglGetPlatformDisplayEXT");
  return out;
}

}  // namespace

const EglLibrary* egl_library(std::string& problem) {
  static const LoadedEgl loaded = load_egl();
  problem = loaded.problem;
  return problem.empty() ? &loaded.egl : nullptr;
}

const EglLibrary& loaded_egl() {
  std::string problem;
  return *egl_library(problem);
}

std::string EglLibrary::last_error() const {
  const EGLint error = get_error();
  switch (error) {
    case EGL_SUCCESS:
      return "no reason given";
    case EGL_NOT_INITIALIZED:
      return "EGL_NOT_INITIALIZED";
    case EGL_BAD_ACCESS:
      return "EGL_BAD_ACCESS";
    case EGL_BAD_ALLOC:
      return "EGL_BAD_ALLOC";
    case EGL_BAD_ATTRIBUTE:
      return "EGL_BAD_ATTRIBUTE";
    case EGL_BAD_CONFIG:
      return "EGL_BAD_CONFIG";
    case EGL_BAD_CONTEXT:
      return "EGL_BAD_CONTEXT";
    case EGL_BAD_DISPLAY:
      return "EGL_BAD_DISPLAY";
    case EGL_BAD_MATCH:
      return "EGL_BAD_MATCH";
    case EGL_BAD_PARAMETER:
      return "EGL_BAD_PARAMETER";
    case EGL_CONTEXT_LOST:
      return "EGL_CONTEXT_LOST";
    default:
      return fmt::format("EGL error 0x{:04x}", error);
  }
}

bool has_extension(const char* extensions, std::string_view name) {
  std::string_view rest = extensions != nullptr ? extensions : "";
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == name) return true;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return false;
}

}  // namespace tocsin::gl
