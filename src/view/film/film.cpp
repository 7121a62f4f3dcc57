#include "view/film/film.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/vector/vec.h"

namespace tocsin::view {
namespace {

void append_sample(FilmFigure& figure, double seconds, std::span<const Transform> pose) {
  figure.seconds.push_back(seconds);
  figure.poses.insert(figure.poses.end(), pose.begin(), pose.end());
}

}  // namespace

void sample_steps(FilmFigure& figure, std::span<const Step> steps, const Parts& parts) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    append_sample(figure, step.seconds(0.0), step.pose0());
    if (step.frames()[0] == step.frames()[1]) continue;  // a pose alone
    const std::int64_t n = std::max<std::int64_t>(1, parts(i));
    for (std::int64_t k = 1; k < n; ++k) {
      const double t = static_cast<double>(k) / static_cast<double>(n);
      append_sample(figure, step.seconds(t),
                    pose_between(step.pose0(), step.pose1(), step.in_between(), t));
    }
  }
  if (steps.empty()) return;
  const Step& last = steps.back();
  if (last.frames()[0] != last.frames()[1]) append_sample(figure, last.seconds(1.0), last.pose1());
}

bool moves(const FilmFigure& figure, std::size_t joint) {
  for (std::size_t k = 1; k < figure.seconds.size(); ++k) {
    if (figure.pose(k, joint).translation != figure.pose(0, joint).translation) return true;
  }
  return false;
}

std::array<double, 2> film_times(const Film& film) {
  std::array<double, 2> out{std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity()};
  for (const FilmFigure& figure : film.figures) {
    out = {std::min(out[0], figure.seconds.front()), std::max(out[1], figure.seconds.back())};
  }
  return out[0] <= out[1] ? out : std::array<double, 2>{0.0, 0.0};
}

Quat turn_from_y(const Vec3& to) {
  // Half the way between both is the axis of a half turn; the opposite of +Y has many.
  constexpr double kOpposite = -1.0 + 1e-12;
  if (to.y < kOpposite) return {0.0, 1.0, 0.0, 0.0};
  return core::normalized({1.0 + to.y, to.z, 0.0, -to.x});
}

}  // namespace tocsin::view
