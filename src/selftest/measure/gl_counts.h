// What one frame of many avatars asks of OpenGL: counted, not timed. The counts are the same on
// every device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "gpu/gl/context/device_thread.h"
#include "selftest/scenes/standing_crowd.h"

namespace tocsin::selftest {

/// Of a frame with `flags`, 64 x 64.
struct GlCounts {
  std::size_t avatars = 0;
  std::uint64_t near_links = 0;
  std::uint64_t slabs = 0;  ///< pieces of near links that meet a cluster's box
  std::uint64_t pairs = 0;  ///< (slab, cluster) whose boxes meet
  std::uint64_t kept = 0;   ///< of these
  std::uint64_t skin_triangles = 0;
  std::uint64_t room_triangles = 0;  ///< of all pairs
  std::uint64_t views = 0;           ///< atlases that were filled: three a chunk of slabs
  std::uint64_t draws = 0;           ///< of all multi-draws, controls included
  std::uint64_t bytes_up = 0;
  std::uint64_t bytes_down = 0;
};

/// The crowd's first frame. Errors: the device's.
Result<GlCounts> count_gl_frame(const StandingCrowd& crowd, std::size_t avatars,
                                const std::shared_ptr<gl::DeviceThread>& device);

}  // namespace tocsin::selftest
