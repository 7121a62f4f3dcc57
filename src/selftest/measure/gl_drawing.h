// Drawing a room, the last row of the main paper's Table 1.
#pragma once

#include "gpu/gl/context/device_thread.h"
#include "selftest/measure/gl_measured.h"
#include "tocsin/environment.h"

namespace tocsin::selftest {

/// All triangles of a room drawn once into a picture of this size, with hardware depth test and
/// flat shading, seen aslant from above so that the room fills it; buffers uploaded before. Time of
/// a picture until the device is done.
Result<Measured> draw_room(gl::DeviceThread& device, const Environment& room, int width, int height,
                           double seconds);

}  // namespace tocsin::selftest
