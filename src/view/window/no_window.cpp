// In place of the window where Dear ImGui was not found.
#include "view/window/window.h"

namespace tocsin::view {

bool has_window() { return false; }

Status check_window(const WindowWish& /*wish*/) {
  return {ErrorCode::kUnavailable, "this Tocsin was built without Dear ImGui"};
}

Status show_window(StorySource& /*source*/, const WindowWish& /*wish*/) {
  return {ErrorCode::kUnavailable, "this Tocsin was built without Dear ImGui"};
}

}  // namespace tocsin::view
