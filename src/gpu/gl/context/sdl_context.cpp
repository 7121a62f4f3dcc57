// Contexts with a window, by SDL2.
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdarg>
#include <mutex>
#include <string>
#include <utility>

#include "gpu/gl/context/context.h"
#include "gpu/gl/context/functions.h"
#include "gpu/gl/context/sdl_events.h"
#include "gpu/gl/context/sdl_library.h"
#include "gpu/gl/context/unavailable.h"
#include "gpu/gl/context/window.h"

namespace tocsin::gl {
namespace {

/// Wayland's library writes to standard error where it has no display, although SDL then takes
/// another one, or says itself why there is none.
void silence_wayland() {
  using Say = void (*)(const char*, va_list);
  void* const library = dlopen("libwayland-client.so.0", RTLD_LAZY);  // SDL's own: it stays
  if (library == nullptr) return;
  const auto tell_to = reinterpret_cast<void (*)(Say)>(dlsym(library, "wl_log_set_handler_client"));
  if (tell_to != nullptr) tell_to([](const char*, va_list) {});
}

/// Starts SDL's video and its GL driver: once, for as long as the process lives. When SDL quits it
/// ends the EGL display, which it may share with others (egl_display.h).
Status start_video(const SdlLibrary& sdl) {
  static std::mutex mutex;
  static bool started = false;
  const std::lock_guard lock(mutex);
  if (started) return Nothing{};
  silence_wayland();
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

class SdlContext final : public Window {
 public:
  explicit SdlContext(const SdlLibrary& sdl) : sdl_(sdl) {}
  ~SdlContext() override { close_window(); }

  /// Opens everything, and makes it current.
  Status open_window(const WindowOptions& options);

  [[nodiscard]] Status make_current() override;
  void release() override { sdl_.gl_make_current(window_, nullptr); }
  void swap() override { sdl_.gl_swap_window(window_); }

  void events(std::vector<WindowEvent>& out, int wait_ms) override;
  [[nodiscard]] std::array<int, 2> pixels() const override;
  [[nodiscard]] double scale() const override;
  void resize(int width, int height) override { sdl_.set_window_size(window_, width, height); }
  void push(const WindowEvent& event) override;
  /// True if the driver shows something to somebody.
  [[nodiscard]] bool has_display() const;
  void begin_input(const WindowOptions& options);

 private:
  /// A window and a context of at least this version. False if there is none; SDL says why.
  bool try_version(int major, int minor, bool tells_of_resets, const WindowOptions& options);
  void close_window();
  [[nodiscard]] double points_wide() const;

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
                                         (options.dense ? SDL_WINDOW_ALLOW_HIGHDPI : 0) |
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

bool SdlContext::has_display() const {
  const char* const driver = sdl_.get_current_video_driver();
  const std::string_view name = driver != nullptr ? driver : "";
  return name != "offscreen" && name != "dummy" && name != "evdev";
}

void SdlContext::begin_input(const WindowOptions& options) {
  sdl_.set_window_minimum_size(window_, options.least_width, options.least_height);
  sdl_.gl_set_swap_interval(1);  // where a driver cannot wait, the window sleeps by itself
  sdl_.start_text_input();
}

void SdlContext::events(std::vector<WindowEvent>& out, int wait_ms) {
  SDL_Event event;
  const SdlEvents translate{pixels()[0] / std::max(1.0, points_wide())};
  if (wait_ms > 0 && sdl_.wait_event_timeout(&event, wait_ms) != 0) translate(event, out);
  while (sdl_.poll_event(&event) != 0) translate(event, out);
}

std::array<int, 2> SdlContext::pixels() const {
  std::array<int, 2> out{};
  sdl_.gl_get_drawable_size(window_, &out[0], &out[1]);
  return {std::max(1, out[0]), std::max(1, out[1])};
}

double SdlContext::points_wide() const {
  int width = 0;
  int height = 0;
  sdl_.get_window_size(window_, &width, &height);
  return width;
}

double SdlContext::scale() const {
  return std::max(1.0, pixels()[0] / std::max(1.0, points_wide()));
}

void SdlContext::push(const WindowEvent& event) {
  for (SDL_Event& made : sdl_events_of(event, sdl_.get_window_id(window_), scale())) {
    sdl_.push_event(&made);
  }
}

Result<std::unique_ptr<SdlContext>> open_sdl(const WindowOptions& options) {
  std::string problem;
  const SdlLibrary* sdl = sdl_library(problem);
  if (sdl == nullptr) return unavailable(problem);
  auto context = std::make_unique<SdlContext>(*sdl);
  if (Status status = context->open_window(options); !status) {
    return {status.error().code, described(context->info(), status.error().message)};
  }
  return context;
}

}  // namespace

Result<std::unique_ptr<Context>> make_sdl_context(const WindowOptions& options) {
  auto context = open_sdl(options);
  if (!context) return context.error();
  return std::unique_ptr<Context>(std::move(context).value());
}

Result<std::unique_ptr<Window>> make_sdl_window(const WindowOptions& options) {
  auto context = open_sdl(options);
  if (!context) return context.error();
  if ((options.visible || options.displayed) && !(*context)->has_display()) {
    return unavailable(
        "there is no display: neither DISPLAY nor WAYLAND_DISPLAY names one that SDL can open");
  }
  (*context)->begin_input(options);
  return std::unique_ptr<Window>(std::move(context).value());
}

}  // namespace tocsin::gl
