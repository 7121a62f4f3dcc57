// Contexts with a window, by SDL2.
#include <fmt/format.h>

#include <mutex>
#include <string>
#include <utility>

#include "gpu/gl/context/context.h"
#include "gpu/gl/context/functions.h"
#include "gpu/gl/context/sdl_library.h"
#include "gpu/gl/context/unavailable.h"

namespace tocsin::gl {
namespace {

/// Starts SDL's video and its GL driver: once, for as long as the process lives. When SDL quits it
/// ends the EGL display, which it may share with others (egl_display.h).
Status start_video(const SdlLibrary& sdl) {
  static std::mutex mutex;
  static bool started = false;
  const std::lock_guard lock(mutex);
  if (started) return Nothing{};
  sdl.set_hint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");  // Ctrl-C stays the command's
  if (sdl.init_sub_system(SDL_INIT_VIDEO) != 0) {
    const std::string problem = sdl.get_error();
    sdl.set_hint(SDL_HINT_VIDEODRIVER, "offscreen");
    const bool offscreen = sdl.init_sub_system(SDL_INIT_VIDEO) == 0;
    sdl.set_hint(SDL_HINT_VIDEODRIVER, nullptr);
    if (!offscreen) {
      return unavailable(fmt::format("SDL opens no display ({}) and cannot draw without one ({})",
                                     problem, sdl.get_error()));
    }
  }
  if (sdl.gl_load_library(nullptr) != 0) {
    return unavailable(fmt::format("SDL finds no OpenGL ({})", sdl.get_error()));
  }
  started = true;
  return Nothing{};
}

class SdlContext final : public Context {
 public:
  explicit SdlContext(const SdlLibrary& sdl) : sdl_(sdl) {}
  ~SdlContext() override { close_window(); }

  /// Opens everything, and makes it current.
  Status open_window(const WindowOptions& options);

  [[nodiscard]] Status make_current() override;
  void release() override { sdl_.gl_make_current(window_, nullptr); }
  void swap() override { sdl_.gl_swap_window(window_); }

 private:
  /// A window and a context of at least this version. False if there is none; SDL says why.
  bool try_version(int major, int minor, bool tells_of_resets, const WindowOptions& options);
  void close_window();

  const SdlLibrary& sdl_;
  SDL_Window* window_ = nullptr;
  SDL_GLContext context_ = nullptr;
};

void SdlContext::close_window() {
  if (context_ != nullptr) sdl_.gl_delete_context(context_);
  if (window_ != nullptr) sdl_.destroy_window(window_);
  context_ = nullptr;
  window_ = nullptr;
}

bool SdlContext::try_version(int major, int minor, bool tells_of_resets,
                             const WindowOptions& options) {
  close_window();
  sdl_.gl_reset_attributes();
  const auto want = [this](SDL_GLattr name, int value) { sdl_.gl_set_attribute(name, value); };
  want(SDL_GL_CONTEXT_MAJOR_VERSION, major);
  want(SDL_GL_CONTEXT_MINOR_VERSION, minor);
  want(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
  want(SDL_GL_DEPTH_SIZE, 24);
  if (options.debug) want(SDL_GL_CONTEXT_FLAGS, SDL_GL_CONTEXT_DEBUG_FLAG);
  if (tells_of_resets) {
    want(SDL_GL_CONTEXT_RESET_NOTIFICATION, SDL_GL_CONTEXT_RESET_LOSE_CONTEXT);
  }
  const auto flags = static_cast<Uint32>(SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE |
                                         (options.visible ? SDL_WINDOW_SHOWN : SDL_WINDOW_HIDDEN));
  constexpr int kAnywhere = SDL_WINDOWPOS_UNDEFINED;
  window_ = sdl_.create_window(options.title.c_str(), kAnywhere, kAnywhere, options.width,
                               options.height, flags);
  if (window_ != nullptr) context_ = sdl_.gl_create_context(window_);
  sdl_.gl_reset_attributes();
  return context_ != nullptr;
}

Status SdlContext::open_window(const WindowOptions& options) {
  info_.way = "SDL window";
  if (Status status = start_video(sdl_); !status) return status;
  const char* driver = sdl_.get_current_video_driver();
  info_.way = fmt::format("SDL window ({})", driver != nullptr ? driver : "no driver");
  // The last one is only made to say what is missing; a driver gives the highest version it has.
  if (!try_version(4, 5, true, options) && !try_version(4, 5, false, options) &&
      !try_version(3, 2, false, options)) {
    return unavailable(fmt::format("it gives no window with OpenGL ({})", sdl_.get_error()));
  }
  return open(options.debug);
}

Status SdlContext::make_current() {
  if (sdl_.gl_make_current(window_, context_) == 0) return Nothing{};
  return unavailable(fmt::format("its context does not become current ({})", sdl_.get_error()));
}

}  // namespace

Result<std::unique_ptr<Context>> make_sdl_context(const WindowOptions& options) {
  std::string problem;
  const SdlLibrary* sdl = sdl_library(problem);
  if (sdl == nullptr) return unavailable(problem);
  auto context = std::make_unique<SdlContext>(*sdl);
  if (Status status = context->open_window(options); !status) {
    return {status.error().code, described(context->info(), status.error().message)};
  }
  return std::unique_ptr<Context>(std::move(context));
}

}  // namespace tocsin::gl
