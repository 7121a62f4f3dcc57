// From where a story is seen best.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "view/choose_camera.h"
#include "view/sight.h"
#include "view/window/story.h"

namespace tocsin::view {

/// A camera that sees all that are there at a time; with an episode, its first contact. `sights`:
/// of the story's rooms, each null where there is none. None: nothing is there, or no room.
std::optional<View> story_view(const Story& story,
                               const std::vector<std::shared_ptr<const Sight>>& sights,
                               std::optional<std::size_t> episode, double seconds, int width,
                               int height);

}  // namespace tocsin::view
