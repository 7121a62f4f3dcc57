// The EGL library, loaded when first used: a machine without it can still run everything else.
#pragma once

#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <string>
#include <string_view>

#include "tocsin/result.h"

namespace tocsin::gl {

struct EglLibrary {
  decltype(&eglGetProcAddress) get_proc_address = nullptr;
  decltype(&eglQueryString) query_string = nullptr;
  decltype(&eglInitialize) initialize = nullptr;
  decltype(&eglBindAPI) bind_api = nullptr;
  decltype(&eglChooseConfig) choose_config = nullptr;
  decltype(&eglCreateContext) create_context = nullptr;
  decltype(&eglDestroyContext) destroy_context = nullptr;
  decltype(&eglCreatePbufferSurface) create_pbuffer_surface = nullptr;
  decltype(&eglDestroySurface) destroy_surface = nullptr;
  decltype(&eglMakeCurrent) make_current = nullptr;
  decltype(&eglReleaseThread) release_thread = nullptr;
  decltype(&eglGetError) get_error = nullptr;
  // Extensions; null where they are not offered.
  PFNEGLQUERYDEVICESEXTPROC query_devices = nullptr;
  PFNEGLQUERYDEVICESTRINGEXTPROC query_device_string = nullptr;
  PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display = nullptr;

  /// The last error of this thread, by name: "EGL_BAD_MATCH".
  [[nodiscard]] std::string last_error() const;
};

/// Loaded once per process. Null if there is none; `problem` says why then.
const EglLibrary* egl_library(std::string& problem);

/// Precondition: egl_library() gave one.
const EglLibrary& loaded_egl();

/// True if an extension string, names separated by blanks, holds the name. Null holds none.
bool has_extension(const char* extensions, std::string_view name);

}  // namespace tocsin::gl
