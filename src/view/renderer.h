// Draws a picture with OpenGL, headless.
#pragma once

#include "gpu/gl/device_thread.h"
#include "tocsin/result.h"
#include "view/choose_camera.h"
#include "view/image.h"
#include "view/mesh.h"
#include "view/step_scene.h"

namespace tocsin::view {

/// What is drawn, from where.
struct Drawing {
  Mesh solids;  ///< lit by a sun from behind the left shoulder and from all around
  Glass glass;
  Mesh marks;           ///< over everything, in order
  View view;            ///< its camera's size is the picture's
  Vec3 middle;          ///< of what the picture is about: shadows are sharp around it; metres
  double reach = 1.0;   ///< its radius, metres
  bool ground = false;  ///< a grid at y = 0, where there is no floor
};

/// Width and height of the largest picture; more pixels than this in all are refused too.
inline constexpr int kMostPixels = 4096;

/// Draws. The same picture for the same device and driver. Errors: kUnavailable (a shader that the
/// driver refuses), kResource (memory, a lost context).
Result<Image> draw(gl::DeviceThread& device, const Drawing& drawing);

}  // namespace tocsin::view
