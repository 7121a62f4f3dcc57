#include "view/window/canvas.h"

#include <algorithm>
#include <array>

#include "view/stage/gl_parts.h"

namespace tocsin::view {

void Canvas::fit(int width, int height) {
  if (width == width_ && height == height_) return;
  width_ = std::max(1, width);
  height_ = std::max(1, height);
  pixels_ = gl::make_texture(GL_RGBA8, width_, height_);
  frame_ = gl::make_framebuffer();
  glNamedFramebufferTexture(frame_.name(), GL_COLOR_ATTACHMENT0, pixels_.name(), 0);
}

void Canvas::clear() const {
  constexpr std::array<float, 4> kGround{0.953F, 0.961F, 0.973F, 1.0F};
  glClearNamedFramebufferfv(frame_.name(), GL_COLOR, 0, kGround.data());
}

void Canvas::put(GLuint picture_frame, int width, int height, const Rect& at) const {
  // Rows go upwards.
  glBlitNamedFramebuffer(picture_frame, frame_.name(), 0, 0, width, height, at.left,
                         height_ - at.bottom(), at.right(), height_ - at.top, GL_COLOR_BUFFER_BIT,
                         width == at.width && height == at.height ? GL_NEAREST : GL_LINEAR);
}

void Canvas::show() const {
  glBlitNamedFramebuffer(frame_.name(), 0, 0, 0, width_, height_, 0, 0, width_, height_,
                         GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

Image Canvas::read() const { return read_back(pixels_.name(), width_, height_); }

}  // namespace tocsin::view
