// From SDL's events to ours, and back for tests.
#pragma once

#include <vector>

#include "gpu/gl/context/sdl_library.h"
#include "gpu/gl/context/window.h"

namespace tocsin::gl {

/// Appends what an event says. density: pixels a point.
class SdlEvents {
 public:
  explicit SdlEvents(double density) : density_(density) {}
  void operator()(const SDL_Event& event, std::vector<WindowEvent>& out) const;

 private:
  double density_;
};

/// The same event as SDL would have told it; a key, or text, may be several.
std::vector<SDL_Event> sdl_events_of(const WindowEvent& event, Uint32 window, double density);

}  // namespace tocsin::gl
