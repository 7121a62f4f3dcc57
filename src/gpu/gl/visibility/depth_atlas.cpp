#include "gpu/gl/visibility/depth_atlas.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tocsin::gl {

Status DepthAtlas::reserve(std::uint32_t tiles) {
  const int wanted = grid_.rows(tiles);
  if (wanted <= rows_) return Nothing{};
  // Twice as many, lest it is made anew for every batch that is a little larger.
  const int rows = std::clamp(2 * rows_, wanted, std::max(wanted, grid_.most_rows));
  *this = DepthAtlas(grid_);  // the old one first: both might not fit
  const int height = grid_.height(rows) + kControlTile;
  Texture depths = make_texture(GL_RG32F, grid_.width(), height);
  Framebuffer with_depths = make_framebuffer();
  glNamedFramebufferTexture(with_depths.name(), GL_COLOR_ATTACHMENT0, depths.name(), 0);
  Framebuffer empty = make_framebuffer();
  glNamedFramebufferParameteri(empty.name(), GL_FRAMEBUFFER_DEFAULT_WIDTH, grid_.width());
  glNamedFramebufferParameteri(empty.name(), GL_FRAMEBUFFER_DEFAULT_HEIGHT, height);
  const std::string what = fmt::format("an atlas of {} x {} texels", grid_.width(), height);
  if (Status status = check_device(what.c_str()); !status) return status;
  for (const Framebuffer* framebuffer : {&with_depths, &empty}) {
    if (glCheckNamedFramebufferStatus(framebuffer->name(), GL_FRAMEBUFFER) !=
        GL_FRAMEBUFFER_COMPLETE) {
      return {ErrorCode::kResource, "the OpenGL device cannot draw into " + what};
    }
  }
  depths_ = std::move(depths);
  with_depths_ = std::move(with_depths);
  empty_ = std::move(empty);
  rows_ = rows;
  return Nothing{};
}

std::array<int, 2> DepthAtlas::size(std::uint32_t tiles) const {
  return {grid_.width(), grid_.height(grid_.rows(tiles)) + kControlTile};
}

void DepthAtlas::begin_skins(std::uint32_t tiles) {
  const auto [width, height] = size(tiles);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::array<float, 4> nothing{kInfinity, kInfinity, 0.0F, 0.0F};
  glClearTexSubImage(depths_.name(), 0, 0, 0, 0, width, height, 1, GL_RG, GL_FLOAT, nothing.data());
  glBindFramebuffer(GL_FRAMEBUFFER, with_depths_.name());
  glViewport(0, 0, width, height);
}

void DepthAtlas::begin_comparison(std::uint32_t tiles) {
  const auto [width, height] = size(tiles);
  glBindFramebuffer(GL_FRAMEBUFFER, empty_.name());
  glViewport(0, 0, width, height);
  glBindTextureUnit(0, depths_.name());
}

std::vector<std::array<float, 2>> DepthAtlas::read(std::uint32_t tiles) const {
  const int width = grid_.width();
  const int height = grid_.height(grid_.rows(tiles));
  std::vector<std::array<float, 2>> out(static_cast<std::size_t>(width) *
                                        static_cast<std::size_t>(height));
  glGetTextureSubImage(depths_.name(), 0, 0, 0, 0, width, height, 1, GL_RG, GL_FLOAT,
                       static_cast<GLsizei>(out.size() * sizeof out[0]), out.data());
  return out;
}

}  // namespace tocsin::gl
