// Radii that fit a body of another size.
#pragma once

#include <span>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/result.h"

namespace tocsin::scene {

/// A factor for radii. A class, because Result<> needs one.
struct RadiusFactor {
  double value = 1.0;
};

/// The factor of a model's radii on a skeleton. `bound`: the model's links, in its order, with
/// their ends in the joints' frames (metres). Errors: kUsage for a factor that is not finite or not
/// above 0; kInput for automatic scaling of a model without lengths, or of a skeleton on which
/// these links have no length.
Result<RadiusFactor> radius_factor(const RadiusScale& scale, const AvatarModel& model,
                                   std::span<const Link> bound);

/// The factor that the caller gives; 1 if it is to be found automatically. Errors (kUsage): not
/// finite, not above 0.
Result<RadiusFactor> given_radius_factor(const RadiusScale& scale);

/// Multiplies the links' radii. Errors: a radius outside of the range of model files, 1e-6 to 10 m
/// (kUsage if the caller gave the factor, else kInput). A factor of 1 changes and checks nothing.
Status scale_radii(std::vector<Link>& links, double factor, const RadiusScale& scale);

}  // namespace tocsin::scene
