#include "gpu/gl/context/gl_library.h"

#include <fmt/format.h>

#include <mutex>
#include <string>

#include "base/shared_library.h"
#include "gpu/gl/context/egl_library.h"
#include "gpu/gl/context/gl.h"
#include "gpu/gl/context/unavailable.h"

namespace tocsin::gl {

FirstFunctions first_functions;

namespace {

using AnyFunction = void (*)();
using Display = struct _XDisplay;  // NOLINT(bugprone-reserved-identifier): X11's own name

/// libGL: GLVND's, or a driver's own. Its functions work in every context, also in EGL's.
struct GlLibrary {
  AnyFunction (*get_proc_address)(const GLubyte*) = nullptr;
  const char* (*get_client_string)(Display*, int) = nullptr;
  int (*query_version)(Display*, int*, int*) = nullptr;
  std::string problem;
};

const GlLibrary& gl_library() {
  static const GlLibrary loaded = [] {
    GlLibrary out;
    base::SharedLibrary library("libGL.so.1");
    library.find(out.get_proc_address, "glXGetProcAddressARB");
    library.find(out.get_client_string, "glXGetClientString");
    library.find(out.query_version, "glXQueryVersion");
    out.problem = library.problem();
    return out;
  }();
  return loaded;
}

/// EGL 1.5 gives the addresses of all functions, as libGL does.
AnyFunction address_by_egl(const char* name) {
  std::string problem;
  const EglLibrary* egl = egl_library(problem);
  return egl != nullptr ? egl->get_proc_address(name) : nullptr;
}

AnyFunction address_of(const char* name) {
  const GlLibrary& gl = gl_library();
  if (gl.get_proc_address == nullptr) return address_by_egl(name);
  return gl.get_proc_address(reinterpret_cast<const GLubyte*>(name));
}

/// False: there is no such function.
template <class Function>
bool find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(address_of(name));
  return function != nullptr;
}

/// The name of a function that is missing; null: all are there.
const char* find_all(FirstFunctions& f) {
#define TOCSIN_FIND(name) \
  if (!find(f.name, "gl" #name)) return "gl" #name
  TOCSIN_FIND(BindTexture);
  TOCSIN_FIND(BlendFunc);
  TOCSIN_FIND(Clear);
  TOCSIN_FIND(ClearColor);
  TOCSIN_FIND(ColorMask);
  TOCSIN_FIND(DeleteTextures);
  TOCSIN_FIND(DepthFunc);
  TOCSIN_FIND(Disable);
  TOCSIN_FIND(DrawArrays);
  TOCSIN_FIND(DrawElements);
  TOCSIN_FIND(Enable);
  TOCSIN_FIND(Finish);
  TOCSIN_FIND(GetError);
  TOCSIN_FIND(GetFloatv);
  TOCSIN_FIND(GetIntegerv);
  TOCSIN_FIND(GetString);
  TOCSIN_FIND(IsTexture);
  TOCSIN_FIND(PixelStorei);
  TOCSIN_FIND(PolygonMode);
  TOCSIN_FIND(ReadPixels);
  TOCSIN_FIND(Viewport);
  TOCSIN_FIND(GetStringi);
#undef TOCSIN_FIND
  return nullptr;
}

}  // namespace

Status load_first_functions() {
  static std::mutex mutex;
  static bool loaded = false;
  const std::lock_guard lock(mutex);
  if (loaded) return Nothing{};
  FirstFunctions found;
  if (const char* missing = find_all(found); missing != nullptr) {
    return unavailable(fmt::format(
        "OpenGL's functions could not be loaded: no {} ({}); on Debian: apt install libgl1",
        missing,
        gl_library().problem.empty() ? "libGL has no such function" : gl_library().problem));
  }
  first_functions = found;
  loaded = true;
  return Nothing{};
}

// What GLEW, which is an archive here, expects of libGL. Hidden: no other library shall find them
// here.
extern "C" {
[[gnu::visibility("hidden")]] AnyFunction glXGetProcAddressARB(const GLubyte* name) {
  return address_of(reinterpret_cast<const char*>(name));
}
[[gnu::visibility("hidden")]] const char* glXGetClientString(Display* display, int name) {
  const auto function = gl_library().get_client_string;
  return function != nullptr ? function(display, name) : nullptr;
}
[[gnu::visibility("hidden")]] int glXQueryVersion(Display* display, int* major, int* minor) {
  const auto function = gl_library().query_version;
  return function != nullptr ? function(display, major, minor) : 0;
}
}

}  // namespace tocsin::gl
