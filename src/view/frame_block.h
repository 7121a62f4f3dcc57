// The uniform block of all shaders of a picture: shaders/view_frame.glsl.
#pragma once

#include <array>

#include "view/camera.h"
#include "view/choose_camera.h"

namespace tocsin::view {

using Vec4 = std::array<float, 4>;

/// Its fields are explained in view_frame.glsl; the layout is std140's.
struct FrameBlock {
  Mat4 to_eye{};
  Mat4 to_clip{};
  Mat4 to_world{};
  Mat4 to_light{};
  Vec4 lens{};
  Vec4 eye{};
  Vec4 sun{};
  Vec4 cut{};
  Vec4 size{};
  Vec4 middle{};
  Vec4 contact{};
  std::array<Vec4, 9> colours{};
};
static_assert(sizeof(FrameBlock) == 4 * 64 + 16 * 16);

/// Texels across the shadow map: 3 mm each around an avatar.
inline constexpr int kShadowSize = 2048;

/// What the block needs to know of a picture; as Drawing has it.
struct FrameView {
  const View& view;
  Vec3 middle;
  double reach = 1.0;
  bool ground = false;
  double farthest = 0.0;  ///< depth of the farthest point that is drawn, metres
};
FrameBlock frame_block(const FrameView& frame, int samples);

}  // namespace tocsin::view
