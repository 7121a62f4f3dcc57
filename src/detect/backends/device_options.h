// How options and environment variables of devices are read. The engine and the components of
// devices share these rules.
#pragma once

namespace tocsin::detect {

/// The variable that names an OpenGL device for the whole process.
inline constexpr const char* kGlDeviceVariable = "TOCSIN_GL_DEVICE";

/// GlOptions::width and height, pixels.
inline constexpr int kLeastView = 8;
inline constexpr int kMostView = 8192;

}  // namespace tocsin::detect
