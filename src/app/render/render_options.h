// The options of `tocsin render`.
#pragma once

#include <cstdint>
#include <optional>

#include "app/cli/options.h"
#include "view/choose_camera.h"
#include "view/step_scene.h"

namespace tocsin::app {

struct RenderOptions {
  /// The check, and how its inputs are read; `out` is the picture. Of a report: its file is the
  /// first take's motion.
  CheckOptions check;
  bool report = false;  ///< the inputs and options are those that a report names
  /// First frame of the step; none: the first step of --frames in which anything is touched.
  std::optional<std::int64_t> frame;
  std::int64_t stride = 1;              ///< of the step that `frame` begins
  std::optional<std::int64_t> contact;  ///< this contact line, from 1
  std::optional<std::int64_t> episode;  ///< this episode in order of first touch, from 1
  bool sheet = false;                   ///< all episodes as small pictures
  std::int64_t page = 1;                ///< of the sheet
  view::Show show;
  bool legend = true;
  std::optional<FrameRange> trail;  ///< frames at which the avatar is drawn as well
  view::CameraWish camera;          ///< with the picture's size
};

}  // namespace tocsin::app
