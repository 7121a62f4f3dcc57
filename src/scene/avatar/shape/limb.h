// Which joints of a chain are shoulder, elbow and wrist, or hip, knee and ankle.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "scene/avatar/shape/site_tree.h"

namespace tocsin::scene {

/// Three sites of a chain and how far they are from a person's proportions.
struct LimbFit {
  std::array<int, 3> sites{};  ///< shoulder, elbow, wrist; or hip, knee, ankle
  int end = -1;                ///< the last site of the chain; -1: none below the third
  double cost = 0.0;           ///< 0: a person's proportions; above 1: hardly any person's
  double length = 0.0;         ///< metres, first to third
};

/// The limbs of both sides. `first` is that of the first chain.
struct LimbPair {
  LimbFit first;
  LimbFit second;
  [[nodiscard]] double cost() const { return first.cost + second.cost; }
  [[nodiscard]] double length() const { return 0.5 * (first.length + second.length); }
};

/// A branch from `stem`, by its longest way down: `stem` comes first. At most 24 sites.
std::vector<int> limb_chain(const SiteTree& tree, int stem, int branch);

/// The best fit of two legs that branch off one site. None: there is no pair whose sides are alike.
std::optional<LimbPair> fit_legs(const SiteTree& tree, const std::vector<int>& a,
                                 const std::vector<int>& b);

/// The same for two arms. `leg`: a leg's length from hip to ankle, metres.
std::optional<LimbPair> fit_arms(const SiteTree& tree, const std::vector<int>& a,
                                 const std::vector<int>& b, double leg);

/// How far two positive lengths are from a ratio: 0 if they have it, 1 if they are off by a factor
/// of two. Without logarithms, so that every compiler decides alike.
double off_ratio(double a, double b, double ratio);

}  // namespace tocsin::scene
