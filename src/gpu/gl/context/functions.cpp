#include "gpu/gl/context/functions.h"

#include <fmt/format.h>

#include <mutex>
#include <set>
#include <string_view>

#include "gpu/gl/context/gl.h"
#include "gpu/gl/context/gl_library.h"
#include "gpu/gl/context/requirements.h"
#include "gpu/gl/context/unavailable.h"

namespace tocsin::gl {
namespace {

std::string text_of(GLenum name) {
  const GLubyte* text = glGetString(name);
  return text != nullptr ? reinterpret_cast<const char*>(text) : "";
}

bool is_software(std::string_view renderer) {
  for (const std::string_view name : {"llvmpipe", "softpipe", "swrast", "SwiftShader"}) {
    if (renderer.find(name) != std::string_view::npos) return true;
  }
  return false;
}

/// GLEW keeps its pointers in global variables: it is asked once per kind of device, because an
/// extension's functions are only looked for where the context has the extension. Through GLVND a
/// function's address is the same in every context, so asking again changes no pointer that is in
/// use.
Status load(const ContextInfo& info) {
  static std::mutex mutex;
  static std::set<std::string> loaded;
  const std::lock_guard lock(mutex);
  if (!loaded.insert(info.vendor + info.renderer + info.version).second) return Nothing{};
  // With glewExperimental, extensions that are absent would read as present. Without GLX GLEW
  // complains after it has loaded everything of OpenGL itself: of no display, or, where EGL without
  // GLVND gives the functions, of no GLX at all.
  glewExperimental = GL_FALSE;
  const GLenum error = glewInit();
  if (error == GLEW_OK || error == GLEW_ERROR_NO_GLX_DISPLAY ||
      error == GLEW_ERROR_GLX_VERSION_11_ONLY) {
    return Nothing{};
  }
  return unavailable(fmt::format("OpenGL's functions could not be loaded: {}",
                                 reinterpret_cast<const char*>(glewGetErrorString(error))));
}

}  // namespace

Status open_functions(ContextInfo& info) {
  if (Status status = load_first_functions(); !status) return status;
  info.vendor = text_of(GL_VENDOR);
  info.renderer = text_of(GL_RENDERER);
  info.version = text_of(GL_VERSION);
  info.software = is_software(info.renderer);
  if (Status status = check_requirements(); !status) return status;
  return load(info);
}

std::string described(const ContextInfo& info, const std::string& problem) {
  if (info.renderer.empty()) return fmt::format("{}: {}", info.way, problem);
  return fmt::format("{} ({}, {}): {}", info.way, info.renderer, info.version, problem);
}

}  // namespace tocsin::gl
