// What options and variables of devices mean, wherever no device is linked: its component is held
// to the same.
#pragma once

namespace tocsin::detect {

/// The variable that names an OpenGL device for the whole process.
inline constexpr const char* kGlDeviceVariable = "TOCSIN_GL_DEVICE";

/// GlOptions::width and height, pixels.
inline constexpr int kLeastView = 8;
inline constexpr int kMostView = 8192;

}  // namespace tocsin::detect
