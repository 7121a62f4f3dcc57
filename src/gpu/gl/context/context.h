// An OpenGL 4.5 core context, with or without a window, on a chosen device. docs/gl.md,
// "Context"; docs/gl.md.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/gl/context/context_info.h"
#include "tocsin/devices.h"
#include "tocsin/result.h"

namespace tocsin::gl {

/// The environment variable that names a device: an index as ContextOptions::device.
inline constexpr const char* kDeviceVariable = "TOCSIN_GL_DEVICE";

/// How a context is made.
struct ContextOptions {
  /// Index among the EGL devices (list_devices()); none: TOCSIN_GL_DEVICE if it is set, else the
  /// first usable device, hardware before software, else surfaceless.
  std::optional<int> device = std::nullopt;
  /// Ask the driver for debug output: errors are kept (Context::take_complaints) and, in tests,
  /// fail.
  bool debug = false;
};

/// A context. Current on at most one thread at a time; all GL calls happen on that thread. The
/// destructor needs the context to be current nowhere else.
class Context {
 public:
  Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  virtual ~Context();

  /// Makes it current on the calling thread. Errors: kUnavailable.
  [[nodiscard]] virtual Status make_current() = 0;
  /// Current nowhere any more.
  virtual void release() = 0;
  /// Shows what was drawn into the default framebuffer; nothing without a window.
  virtual void swap() {}

  [[nodiscard]] const ContextInfo& info() const { return info_; }
  /// What GL's debug output complained about since the last call (only with ContextOptions::debug):
  /// errors, undefined behaviour and what is deprecated; notes about speed are left out.
  /// From any thread.
  [[nodiscard]] std::vector<std::string> take_complaints();

 protected:
  /// What every kind of context does once it is current for the first time: loads GL's functions,
  /// sees to it that version, profile, limits and extensions suffice, fills info_ (but not `way`)
  /// and, if asked, begins to collect complaints. Errors: kUnavailable.
  [[nodiscard]] Status open(bool debug);

  ContextInfo info_;

 private:
  class Complaints;
  std::unique_ptr<Complaints> complaints_;  ///< GL holds a pointer to it while the context lives
};

/// Headless: on an EGL device, or surfaceless (EGL_MESA_platform_surfaceless) where there is no
/// device list. Current on the calling thread. Errors (kUnavailable), each naming what is missing:
/// no EGL library or display, no such device, no OpenGL 4.5 core profile, a missing extension.
/// kUsage: TOCSIN_GL_DEVICE says no index.
Result<std::unique_ptr<Context>> make_egl_context(const ContextOptions& options);

/// A window of this size, shown or not; SDL2 is loaded when first used. Without a display SDL's
/// offscreen driver serves. Errors as above.
struct WindowOptions {
  std::string title = "Tocsin";
  int width = 1280;
  int height = 720;
  bool visible = true;
  int least_width = 1;  ///< a person cannot make it smaller
  int least_height = 1;
  bool displayed = false;  ///< there must be a display, also if it is not visible
  bool debug = false;
  bool dense = false;  ///< as many pixels as the screen has, where it has several a point
};
Result<std::unique_ptr<Context>> make_sdl_context(const WindowOptions& options);

/// The GL part of tocsin::list_devices().
std::vector<DeviceInfo> list_gl_devices();

}  // namespace tocsin::gl
