#include "scene/avatar/avatar_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "base/quoted.h"
#include "core/vector/vec.h"
#include "scene/avatar/avatar_limits.h"

namespace tocsin::scene {
namespace {

/// The middle value, or the mean of the two in the middle. Precondition: not empty.
double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

}  // namespace

Result<RadiusFactor> given_radius_factor(const RadiusScale& scale) {
  if (scale.automatic) return RadiusFactor{};
  // Written so that a NaN fails.
  if (!(scale.factor > 0.0) || !std::isfinite(scale.factor)) {
    return {ErrorCode::kUsage,
            fmt::format("radii can be scaled by a finite number above 0, not by {}", scale.factor)};
  }
  return RadiusFactor{scale.factor};
}

Result<RadiusFactor> radius_factor(const RadiusScale& scale, const AvatarModel& model,
                                   std::span<const Link> bound) {
  if (!scale.automatic) return given_radius_factor(scale);
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(model.links.size(), bound.size()); ++i) {
    const double length = model.links[i].length;
    if (length > 0.0) ratios.push_back(core::norm(bound[i].b - bound[i].a) / length);
  }
  if (ratios.empty()) {
    return {ErrorCode::kInput,
            fmt::format("avatar model {} does not say how long its links are, so that its radii "
                        "cannot be scaled automatically; give a factor, or a \"length\" for some "
                        "links",
                        base::in_quotes(model.name))};
  }
  const double factor = median(std::move(ratios));
  if (!(factor > 0.0) || !std::isfinite(factor)) {
    return {ErrorCode::kInput,
            fmt::format("avatar model {}: its radii cannot be scaled automatically, as the links "
                        "that say their length have none on this skeleton",
                        base::in_quotes(model.name))};
  }
  return RadiusFactor{factor};
}

Status scale_radii(std::vector<Link>& links, double factor, const RadiusScale& scale) {
  if (factor == 1.0) return Nothing{};
  for (Link& link : links) {
    if (!link.shape.empty()) continue;  // a shape has the size that it has
    const double scaled = factor * link.radius;
    if (!(scaled >= kMinLinkRadius && scaled <= kMaxModelRadius)) {
      return Error{scale.automatic ? ErrorCode::kInput : ErrorCode::kUsage,
                   fmt::format("radii scaled by {}: that of link {} becomes {} m; it must be at "
                               "least 1e-6 and at most {}",
                               factor, base::in_quotes(link.name), scaled, kMaxModelRadius)};
    }
    link.radius = scaled;
  }
  return Nothing{};
}

}  // namespace tocsin::scene
