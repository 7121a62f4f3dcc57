#include "view/window/layout.h"

#include <algorithm>
#include <cmath>

namespace tocsin::view {

Panes panes_of(int width, int height, double scale) {
  const auto pixels = [scale](double points) {
    return static_cast<int>(std::floor(points * scale + 0.5));
  };
  constexpr int kLeastView = 16;  // pixels: less, and there is no picture
  Panes out;
  out.head = {0, 0, width, std::min(pixels(46), std::max(1, height / 3))};
  const int below = height - out.head.height;
  const int time = std::clamp(pixels(230), 1, std::max(1, below - kLeastView));
  const int wide = width >= pixels(1500) ? pixels(540) : pixels(480);
  const int list = std::clamp(wide, 1, std::max(1, width - kLeastView));
  out.view = {0, out.head.height, std::max(1, width - list), std::max(1, below - time)};
  out.list = {out.view.width, out.head.height, std::max(1, width - out.view.width),
              out.view.height};
  out.time = {0, out.view.bottom(), width, std::max(1, height - out.view.bottom())};
  return out;
}

}  // namespace tocsin::view
