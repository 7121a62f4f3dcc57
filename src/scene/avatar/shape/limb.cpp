#include "scene/avatar/shape/limb.h"

#include <algorithm>
#include <cstddef>

#include "core/vector/vec.h"

namespace tocsin::scene {
namespace {

/// Sites of a chain that are looked at. An arm with all its twist joints has some ten.
constexpr std::size_t kLongestChain = 24;
/// Sites that the first joint of a limb may be away from the body.
constexpr std::size_t kMostBefore = 4;
/// Corresponding bones of both sides: recorded skeletons differ by up to a tenth.
constexpr double kMostUneven = 1.3;

/// What a limb ought to be like, as ratios of lengths. Joint centres of de Leva 1996 and of the
/// recorded and made skeletons of the tests; docs/avatars.md.
struct LimbSpec {
  double upper_to_lower;  ///< upper arm : forearm, thigh : shin
  double breadth;         ///< half the distance of both sides' first joints : limb
  double breadth_weight;  ///< how much that counts
  double reference;       ///< limb : `leg`; 0: no such test
  double most_beyond;     ///< what is below the third joint : limb
  bool bends;             ///< what is below the third joint leaves the direction of the bone above
};

constexpr LimbSpec kLeg{1.0, 0.105, 0.25, 0.0, 0.5, true};
constexpr LimbSpec kArm{1.1, 0.34, 0.5, 0.63, 0.5, false};

// Costs, in the measure of off_ratio().
constexpr double kStartsAtBody = 0.4;     ///< a joint of its own lies where the body's does: rare
constexpr double kThirdIsLast = 0.3;      ///< most chains go on below wrist and ankle
constexpr double kNotWhereItForks = 1.0;  ///< a hand's fingers branch off the wrist
constexpr double kStraight = 0.6;         ///< a foot that goes on in the shin's direction
/// Cosine of 32 degrees: feet that hang, as of a dancer, still turn that much.
constexpr double kFootTurns = 0.85;

double between(const SiteTree& tree, int a, int b) {
  return core::norm(tree.site(a).at - tree.site(b).at);
}

/// True if a child of the site, besides the one in the chain, is more than a twig: it does not lie
/// on the bone itself, as twist joints do.
bool forks(const SiteTree& tree, const std::vector<int>& chain, std::size_t at) {
  if (at + 1 >= chain.size()) return false;
  const Site& here = tree.site(chain[at]);
  const Vec3 bone = tree.site(chain[at + 1]).at - here.at;
  return std::any_of(here.children.begin(), here.children.end(), [&](int child) {
    if (child == chain[at + 1]) return false;
    const Vec3 way = tree.site(child).at - here.at;
    // The sine of the angle between the two: a twist joint's is 0.
    return core::norm(core::cross(bone, way)) > 0.1 * core::norm(bone) * core::norm(way);
  });
}

/// What a chain's triple costs by itself.
class Chain {
 public:
  Chain(const SiteTree& tree, const std::vector<int>& sites, const LimbSpec& spec)
      : tree_(tree), sites_(sites), spec_(spec) {
    for (std::size_t i = 1; i < sites.size(); ++i) {
      along_.push_back(between(tree, sites[i - 1], sites[i]));
      forks_.push_back(forks(tree, sites, i));
      any_fork_ = any_fork_ || (i >= 3 && forks_.back() != 0);
    }
  }

  [[nodiscard]] std::size_t size() const { return sites_.size(); }

  /// `start` is the first joint's index in the chain; `breadth`: metres.
  [[nodiscard]] std::optional<LimbFit> best(std::size_t start, double breadth, double leg) const {
    std::optional<LimbFit> out;
    for (std::size_t j = start + 1; j + 1 < sites_.size(); ++j) {
      for (std::size_t k = j + 1; k < sites_.size(); ++k) {
        const LimbFit fit = triple(start, j, k, breadth, leg);
        if (!out || fit.cost < out->cost) out = fit;
      }
    }
    return out;
  }

 private:
  [[nodiscard]] double path(std::size_t from, std::size_t to) const {
    double out = 0.0;
    for (std::size_t i = from; i < to; ++i) out += along_[i];
    return out;
  }

  [[nodiscard]] LimbFit triple(std::size_t i, std::size_t j, std::size_t k, double breadth,
                               double leg) const {
    const double upper = between(tree_, sites_[i], sites_[j]);
    const double lower = between(tree_, sites_[j], sites_[k]);
    const double limb = upper + lower;
    LimbFit fit;
    fit.sites = {sites_[i], sites_[j], sites_[k]};
    fit.end = k + 1 < sites_.size() ? sites_.back() : -1;
    fit.length = limb;
    fit.cost = off_ratio(upper, lower, spec_.upper_to_lower);
    // Twist joints lie on the bone. A way that bends is no bone.
    fit.cost += 5.0 * (path(i, k) - limb) / limb;
    fit.cost += spec_.breadth_weight * off_ratio(breadth, limb, spec_.breadth);
    if (spec_.reference > 0.0) fit.cost += off_ratio(limb, leg, spec_.reference);
    if (i == 0) fit.cost += kStartsAtBody;
    fit.cost += end_cost(j, k, limb);
    return fit;
  }

  [[nodiscard]] double end_cost(std::size_t j, std::size_t k, double limb) const {
    if (k + 1 == sites_.size()) return kThirdIsLast + (any_fork_ ? kNotWhereItForks : 0.0);
    const double beyond = path(k, sites_.size() - 1) / limb;
    double cost = std::max(0.0, beyond - spec_.most_beyond);
    if (!spec_.bends) {
      return cost + (any_fork_ && forks_[k - 1] == 0 ? kNotWhereItForks : 0.0);
    }
    const Vec3 shin = tree_.site(sites_[k]).at - tree_.site(sites_[j]).at;
    const Vec3 foot = tree_.site(sites_[k + 1]).at - tree_.site(sites_[k]).at;
    if (core::dot(shin, foot) > kFootTurns * core::norm(shin) * core::norm(foot)) cost += kStraight;
    return cost;
  }

  const SiteTree& tree_;
  const std::vector<int>& sites_;
  const LimbSpec& spec_;
  std::vector<double> along_;  ///< site to site
  std::vector<char> forks_;    ///< of site i + 1
  bool any_fork_ = false;      ///< below the second joint that a limb may have
};

bool alike(const SiteTree& tree, const LimbFit& a, const LimbFit& b) {
  for (std::size_t i = 0; i < 2; ++i) {
    const double one = between(tree, a.sites[i], a.sites[i + 1]);
    const double other = between(tree, b.sites[i], b.sites[i + 1]);
    if (one > kMostUneven * other || other > kMostUneven * one) return false;
  }
  return true;
}

std::optional<LimbPair> fit_pair(const SiteTree& tree, const std::vector<int>& a,
                                 const std::vector<int>& b, const LimbSpec& spec, double leg) {
  const Chain first(tree, a, spec);
  const Chain second(tree, b, spec);
  std::optional<LimbPair> out;
  for (std::size_t i = 0; i + 2 < a.size() && i <= kMostBefore; ++i) {
    for (std::size_t j = 0; j + 2 < b.size() && j <= kMostBefore; ++j) {
      const double breadth = 0.5 * between(tree, a[i], b[j]);
      const auto one = first.best(i, breadth, leg);
      const auto other = second.best(j, breadth, leg);
      if (!one || !other || !alike(tree, *one, *other)) continue;
      const LimbPair pair{*one, *other};
      if (!out || pair.cost() < out->cost()) out = pair;
    }
  }
  return out;
}

}  // namespace

double off_ratio(double a, double b, double ratio) {
  const double wanted = ratio * b;
  if (!(a > 0.0) || !(wanted > 0.0)) return 10.0;  // as far off as ten times too long
  return std::min(10.0, std::max(a / wanted, wanted / a) - 1.0);
}

std::vector<int> limb_chain(const SiteTree& tree, int stem, int branch) {
  std::vector<int> out{stem, branch};
  while (out.size() < kLongestChain) {
    const std::vector<int>& next = tree.site(out.back()).children;
    if (next.empty()) break;
    out.push_back(*std::max_element(next.begin(), next.end(),
                                    [&](int a, int b) { return tree.branch(a) < tree.branch(b); }));
  }
  return out;
}

std::optional<LimbPair> fit_legs(const SiteTree& tree, const std::vector<int>& a,
                                 const std::vector<int>& b) {
  return fit_pair(tree, a, b, kLeg, 0.0);
}

std::optional<LimbPair> fit_arms(const SiteTree& tree, const std::vector<int>& a,
                                 const std::vector<int>& b, double leg) {
  return fit_pair(tree, a, b, kArm, leg);
}

}  // namespace tocsin::scene
