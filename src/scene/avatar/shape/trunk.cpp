#include "scene/avatar/shape/trunk.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tocsin::scene {
namespace {

/// Branches of a site that are looked at, the longest. A pelvis with legs, spine, tail and a skirt
/// has some ten.
constexpr std::size_t kMostBranches = 12;
/// Of the longest way in the skeleton; shorter branches are no limbs.
constexpr double kShortestLimb = 0.12;
/// The longer of two limbs over the shorter.
constexpr double kMostUnevenBranches = 1.35;
/// Pairs of branches. Beyond that the skeleton is a net and no body.
constexpr std::size_t kMostPairs = 200;

/// Costs, in the measure of off_ratio(). Recorded skeletons cost 0.1 to 0.6 a limb.
constexpr double kMostLimb = 1.2;
constexpr double kMostBody = 3.5;
/// A second body that costs so little more leaves open which is meant.
constexpr double kClear = 0.35;

// Cosines between directions of a body at rest: legs point away from the chest, within 60 degrees;
// hips and shoulders lie across the spine and along each other, within some 50.
constexpr double kLegsDown = -0.5;
constexpr double kAcross = 0.64;
constexpr double kAlong = 0.64;
/// A head is on the chest's far side of the pelvis, within 60 degrees.
constexpr double kHeadUp = 0.5;

/// Lengths over that of a leg from hip to ankle: narrow enough to leave out what is no person, wide
/// enough for drawn ones.
struct Range {
  double least;
  double most;
  [[nodiscard]] bool holds(double x) const { return x >= least && x <= most; }
};
constexpr Range kTorso{0.3, 1.5};
constexpr Range kShoulderBreadth{0.15, 1.3};
constexpr Range kHipBreadth{0.03, 0.7};
constexpr Range kArmLength{0.35, 1.3};
constexpr double kTorsoToLeg = 0.57;
/// The way from the legs' site to the chest's, where that is not the spine's first.
constexpr double kPelvisBelow = 0.3;

/// Two branches of one site.
struct BranchPair {
  int stem = -1;
  int a = -1;
  int b = -1;
};

std::vector<BranchPair> even_pairs(const SiteTree& tree) {
  double longest = 0.0;
  for (const Site& site : tree.sites()) longest = std::max(longest, site.reach);
  std::vector<BranchPair> out;
  for (std::size_t s = 0; s < tree.sites().size(); ++s) {
    std::vector<int> branches = tree.sites()[s].children;
    std::erase_if(branches, [&](int c) { return tree.branch(c) < kShortestLimb * longest; });
    std::stable_sort(branches.begin(), branches.end(),
                     [&](int x, int y) { return tree.branch(x) > tree.branch(y); });
    branches.resize(std::min(branches.size(), kMostBranches));
    for (std::size_t i = 0; i < branches.size(); ++i) {
      for (std::size_t j = i + 1; j < branches.size(); ++j) {
        if (tree.branch(branches[i]) > kMostUnevenBranches * tree.branch(branches[j])) break;
        out.push_back({static_cast<int>(s), branches[i], branches[j]});
      }
    }
  }
  return out;
}

Vec3 middle(const Vec3& a, const Vec3& b) { return 0.5 * (a + b); }

Vec3 unit(const Vec3& v) {
  const double n = core::norm(v);
  return n > 0.0 ? (1.0 / n) * v : Vec3{};
}

/// Puts together a pair of legs and one of arms, and checks them against a person.
class Assembly {
 public:
  Assembly(const SiteTree& tree, const BranchPair& legs, const LimbPair& leg_fit,
           const BranchPair& arms)
      : tree_(tree), legs_(legs), arms_(arms) {
    out_.legs = leg_fit;
    out_.branches = {legs.a, legs.b, arms.a, arms.b};
  }

  std::optional<Trunk> build() {
    if (!place_spine() || !place_arms() || !stands() || !has_head()) return std::nullopt;
    const double torso = core::norm(out_.shoulders - hips());
    out_.cost =
        out_.legs.cost() + out_.arms.cost() + 0.5 * off_ratio(torso, out_.leg(), kTorsoToLeg);
    if (out_.cost > kMostBody) return std::nullopt;
    return out_;
  }

 private:
  [[nodiscard]] const Vec3& at(int site) const { return tree_.site(site).at; }
  [[nodiscard]] const Vec3& at(const LimbFit& fit, std::size_t i) const { return at(fit.sites[i]); }
  [[nodiscard]] Vec3 hips() const {
    return middle(at(out_.legs.first, 0), at(out_.legs.second, 0));
  }
  [[nodiscard]] bool below(int site, int above) const {
    while (site > above) site = tree_.site(site).parent;
    return site == above;
  }

  /// The chest lies beside the legs, not in one and not above them.
  bool place_spine() {
    out_.chest = arms_.stem;
    out_.pelvis = tree_.common_site(legs_.stem, arms_.stem);
    if (out_.pelvis < 0 || out_.pelvis == out_.chest) return false;
    if (below(out_.chest, legs_.a) || below(out_.chest, legs_.b)) return false;
    return core::norm(at(legs_.stem) - at(out_.pelvis)) <= kPelvisBelow * out_.leg();
  }

  bool place_arms() {
    const auto arms = fit_arms(tree_, limb_chain(tree_, arms_.stem, arms_.a),
                               limb_chain(tree_, arms_.stem, arms_.b), out_.leg());
    if (!arms || arms->first.cost > kMostLimb || arms->second.cost > kMostLimb) return false;
    out_.arms = *arms;
    out_.shoulders = middle(at(arms->first, 0), at(arms->second, 0));
    return kArmLength.holds(arms->length() / out_.leg());
  }

  /// Upright, with hips and shoulders across the spine; puts the arms on the legs' sides.
  bool stands() {
    const Vec3 torso = out_.shoulders - hips();
    const Vec3 hip_line = at(out_.legs.first, 0) - at(out_.legs.second, 0);
    const Vec3 shoulder_line = at(out_.arms.first, 0) - at(out_.arms.second, 0);
    out_.up = unit(torso);
    if (!kTorso.holds(core::norm(torso) / out_.leg()) ||
        !kHipBreadth.holds(core::norm(hip_line) / out_.leg()) ||
        !kShoulderBreadth.holds(core::norm(shoulder_line) / out_.leg())) {
      return false;
    }
    for (const LimbFit* leg : {&out_.legs.first, &out_.legs.second}) {
      if (core::dot(unit(at(*leg, 2) - at(*leg, 0)), out_.up) > kLegsDown) return false;
    }
    const Vec3 h = unit(hip_line);
    const Vec3 s = unit(shoulder_line);
    if (std::fabs(core::dot(h, out_.up)) > kAcross || std::fabs(core::dot(s, out_.up)) > kAcross) {
      return false;
    }
    const double along = core::dot(h, s);
    if (std::fabs(along) < kAlong) return false;
    if (along < 0.0) std::swap(out_.arms.first, out_.arms.second);
    out_.across = unit(h - core::dot(h, out_.up) * out_.up);
    return true;
  }

  /// The longest branch of the chest, besides the arms, that goes up in the middle.
  bool has_head() {
    double best = 0.0;
    for (const int child : tree_.site(out_.chest).children) {
      if (child == arms_.a || child == arms_.b) continue;
      const Vec3 way = top_of(child) - at(out_.chest);
      const double length = core::norm(way);
      if (core::dot(way, out_.up) < kHeadUp * length) continue;
      if (std::fabs(core::dot(at(child) - out_.shoulders, out_.across)) > 0.1 * out_.leg()) {
        continue;
      }
      if (length <= best) continue;
      best = length;
      out_.neck = child;
    }
    return out_.neck >= 0;
  }

  /// The highest point of a branch.
  [[nodiscard]] Vec3 top_of(int site) const {
    std::vector<int> open{site};
    Vec3 top = at(site);
    while (!open.empty()) {
      const Site& here = tree_.site(open.back());
      open.pop_back();
      if (core::dot(here.at - top, out_.up) > 0.0) top = here.at;
      open.insert(open.end(), here.children.begin(), here.children.end());
    }
    return top;
  }

  const SiteTree& tree_;
  const BranchPair& legs_;
  const BranchPair& arms_;
  Trunk out_;
};

struct Legs {
  BranchPair pair;
  LimbPair fit;
};

std::vector<Legs> possible_legs(const SiteTree& tree, const std::vector<BranchPair>& pairs) {
  std::vector<Legs> out;
  for (const BranchPair& pair : pairs) {
    const auto fit =
        fit_legs(tree, limb_chain(tree, pair.stem, pair.a), limb_chain(tree, pair.stem, pair.b));
    if (!fit || fit->first.cost > kMostLimb || fit->second.cost > kMostLimb) continue;
    out.push_back({pair, *fit});
  }
  return out;
}

}  // namespace

TrunkAnswer find_trunk(const SiteTree& tree) {
  const std::vector<BranchPair> pairs = even_pairs(tree);
  if (pairs.size() < 2) return {{}, "it has no two pairs of limbs"};
  if (pairs.size() > kMostPairs) return {{}, "it has more limbs than a person"};
  TrunkAnswer out;
  double second = kMostBody + kClear;
  const std::vector<Legs> legs = possible_legs(tree, pairs);
  for (const Legs& leg : legs) {
    for (const BranchPair& arms : pairs) {
      const auto found = Assembly(tree, leg.pair, leg.fit, arms).build();
      if (!found) continue;
      if (!out.trunk || found->cost < out.trunk->cost) {
        if (out.trunk) second = std::min(second, out.trunk->cost);
        out.trunk = found;
      } else {
        second = std::min(second, found->cost);
      }
    }
  }
  if (!out.trunk) {
    out.why = legs.empty() ? "no two limbs are alike and have a leg's proportions"
                           : "it does not stand on two legs with two arms and a head above them";
  } else if (second - out.trunk->cost < kClear) {
    out = {{}, "more than one pair of its limbs may be the legs or the arms"};
  }
  return out;
}

}  // namespace tocsin::scene
