// `tocsin render`: a picture of a step and of its contacts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/exit_status.h"
#include "app/cli/options.h"
#include "view/choose_camera.h"
#include "view/step_scene.h"

namespace tocsin::app {

struct RenderOptions {
  /// The check, and how its inputs are read; `out` is the picture.
  CheckOptions check;
  /// First frame of the step; none: the first step of --frames in which anything is touched.
  std::optional<std::int64_t> frame;
  std::int64_t stride = 1;  ///< of the step that `frame` begins
  view::Show show;
  bool legend = true;
  std::optional<FrameRange> trail;  ///< frames at which the avatar is drawn as well
  view::CameraWish camera;          ///< with the picture's size
};

ExitStatus run_render(const RenderOptions& options);

}  // namespace tocsin::app
