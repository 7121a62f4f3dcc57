// The window: shows a story until it is closed, or does what a script says.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/result.h"
#include "view/window/checker.h"
#include "view/window/script.h"

namespace tocsin::view {

struct WindowWish {
  int width = 1280;  ///< points; with `offscreen` pixels
  int height = 720;
  std::optional<double> scale;  ///< pixels a point; none: as the screen has them
  bool offscreen = false;       ///< no window: drawn by EGL, for scripts
  std::optional<int> device;    ///< of EGL (ContextOptions::device)
  std::string folder = ".";     ///< of screenshots and films
  bool scripted = false;
  std::vector<ScriptLine> script;
  std::string script_file;
  /// Takes what a script's `tell` says, with a newline. False: it could not be written.
  std::function<bool(std::string_view)> tell;
  std::stop_token stop;  ///< closes the window
};

/// True if this Tocsin was built with Dear ImGui, which panels need.
bool has_window();
/// How it is called by Debian.
inline constexpr const char* kImguiPackage = "libimgui-dev";

/// Whether there is what a window needs: opens it, unseen, and closes it. Said before work that
/// takes long. Errors (kUnavailable): as show_window().
Status check_window(const WindowWish& wish);

/// Errors: kUnavailable: no display, no SDL2, no OpenGL 4.5, each by name; kInput: a script's line,
/// with its number; kResource: memory, a context that was lost for good, a file that cannot be
/// written by a script; kCancelled: `stop`, after a film was ended. Precondition: has_window().
Status show_window(StorySource& source, const WindowWish& wish);

}  // namespace tocsin::view
