// Draws a picture with OpenGL, headless.
#pragma once

#include "gpu/gl/context/device_thread.h"
#include "tocsin/result.h"
#include "view/drawing.h"
#include "view/image.h"

namespace tocsin::view {

/// Width and height of the largest picture; more pixels than this in all are refused too.
inline constexpr int kMostPixels = 4096;

/// Draws. The same picture for the same device and driver. Errors: kUnavailable (a shader that the
/// driver refuses), kResource (memory, a lost context).
Result<Image> draw(gl::DeviceThread& device, const Drawing& drawing);

}  // namespace tocsin::view
