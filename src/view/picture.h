// Makes the picture of a step: from its scene to pixels.
#pragma once

#include <optional>

#include "gpu/gl/context/device_thread.h"
#include "tocsin/result.h"
#include "view/choose_camera.h"
#include "view/image.h"
#include "view/legend.h"
#include "view/sight.h"
#include "view/step_scene.h"

namespace tocsin::view {

struct Picture {
  Image image;
  View view;  ///< its camera's picture is the image without the legend's rows
};

/// Chooses the camera's properties that are not given, draws the scene, and under it the legend.
/// `sight`: of the scene's room. `wish.height` is the height with the legend. Bodies shine through
/// what hides them where `wish.cut` allows to open it. Errors: of check_camera() and draw().
Result<Picture> draw_step(gl::DeviceThread& device, const StepScene& scene, const Sight& sight,
                          CameraWish wish, const std::optional<LegendText>& legend);

}  // namespace tocsin::view
