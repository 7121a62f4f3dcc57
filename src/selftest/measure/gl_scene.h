// A room with a take among its furniture, in which OpenGL is measured.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cpu/tree/tree_culler.h"
#include "tocsin/avatar.h"
#include "tocsin/environment.h"
#include "tocsin/motion.h"

namespace tocsin::selftest {

/// A room, a take in it, and what is shared by all that is measured there.
struct GlScene {
  std::string name;  ///< "made, 156,000 triangles"
  std::string take;
  Avatar avatar;
  Environment environment;
  std::shared_ptr<const cpu::TreeCuller> tree;
  std::vector<Step> steps;  ///< all of the take
  /// Those in which a link's coarse box meets some triangle's, in an order without pattern: the
  /// first few stand for all.
  std::vector<Step> near;
  double near_links = 0.0;  ///< per step of `near`
};

/// Builds the tree, and finds what is near. Errors: kInput: nothing is.
Status complete(GlScene& scene);

/// A cartwheel of so many seconds among the furniture of a made room. Errors: those of making them.
Result<GlScene> made_gl_scene(std::uint64_t triangles, double seconds);

}  // namespace tocsin::selftest
