// How finely the paper's swept surface is cut.
#pragma once

namespace tocsin::scene {

/// How finely it is cut; uniformly in (t, s) and (t, theta).
struct SurfaceResolution {
  int slabs = 16;   ///< parts of the step, the paper's groups; >= 1
  int along = 8;    ///< parts of the axis; >= 1
  int around = 16;  ///< parts of a circle of a pipe; >= 3
};

}  // namespace tocsin::scene
