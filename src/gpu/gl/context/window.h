// A window with its context: what happens to it as plain values, so that nobody else needs SDL.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/gl/context/context.h"
#include "tocsin/result.h"

namespace tocsin::gl {

/// Something that happened to a window.
struct WindowEvent {
  enum class Kind : std::uint8_t {
    kKey,      ///< `text`: "left", "shift+left", "f1", "ctrl+q": keys that write nothing
    kKeyUp,    ///< of the same, without what was held
    kText,     ///< `text`: what a key wrote, UTF-8
    kMove,     ///< x, y
    kPress,    ///< x, y, button
    kRelease,  ///< x, y, button
    kWheel,    ///< y: notches, up is positive
    kResize,   ///< the size may have changed
    kShow,     ///< its contents were lost
    kClose
  };
  Kind kind = Kind::kShow;
  std::string text = {};
  double x = 0.0;  ///< pixels from the left
  double y = 0.0;  ///< pixels from the top
  int button = 0;  ///< 0: left, 1: right, 2: middle
  bool shift = false;
};

class Window : public Context {
 public:
  /// Appends what happened; waits up to so many milliseconds if nothing did.
  virtual void events(std::vector<WindowEvent>& out, int wait_ms) = 0;
  /// Width and height of what is drawn, pixels.
  [[nodiscard]] virtual std::array<int, 2> pixels() const = 0;
  /// Pixels a point: 2 on screens of twice the usual density.
  [[nodiscard]] virtual double scale() const = 0;
  virtual void resize(int width, int height) = 0;
  /// As if it had happened: through the window system's own queue. For tests.
  virtual void push(const WindowEvent& event) = 0;
};

/// As make_sdl_context(): a window that is shown must have a display. Errors (kUnavailable): also
/// no display.
Result<std::unique_ptr<Window>> make_sdl_window(const WindowOptions& options);

}  // namespace tocsin::gl
