// What is drawn, from where.
#pragma once

#include "tocsin/types.h"
#include "view/choose_camera.h"
#include "view/mesh.h"
#include "view/step_scene.h"

namespace tocsin::view {

struct Drawing {
  Mesh solids;  ///< lit by a sun from behind the left shoulder and from all around
  Mesh bodies;  ///< those of `solids` that shine through what hides them
  Glass glass;
  Mesh marks;           ///< over everything, in order
  View view;            ///< its camera's size is the picture's
  Vec3 middle;          ///< of the subject: shadows are sharp around it; metres
  double reach = 1.0;   ///< its radius, metres
  bool ground = false;  ///< a grid at y = 0, where there is no floor
};

}  // namespace tocsin::view
