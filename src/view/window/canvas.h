// What a window shows, as a texture: the same with a window and without one. In jobs of a
// DeviceThread.
#pragma once

#include "gpu/gl/context/objects.h"
#include "view/image.h"
#include "view/window/layout.h"

namespace tocsin::view {

class Canvas {
 public:
  /// Makes it that large, if it is not.
  void fit(int width, int height);
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] GLuint frame() const { return frame_.name(); }
  void clear() const;
  /// Draws a picture of that size into a part of it.
  void put(GLuint picture_frame, int width, int height, const Rect& at) const;
  /// Copies it into the window's own picture.
  void show() const;
  [[nodiscard]] Image read() const;

 private:
  int width_ = 0;
  int height_ = 0;
  gl::Texture pixels_;
  gl::Framebuffer frame_;
};

}  // namespace tocsin::view
