#include "service/meeting/meeting_cost.h"

#include <algorithm>
#include <numeric>

#include "core/bounds/box.h"
#include "core/vector/vec.h"
#include "scene/swept/step_motion.h"

namespace tocsin::service {
namespace {

/// Cost of each link of a pair besides its joints, in joints. Larger: the number of pairs counts
/// for more than long chains do.
constexpr double kJointsOfAPair = 4.0;
/// The same of a link with a shape: a pair of meshes takes some 0.1 ms where a pair of capsules
/// takes some 1 us. Smaller: an avatar of large meshes makes those around it too expensive.
constexpr double kJointsOfAShape = 300.0;
/// Chains of up to so many joints have equal shares, because bodies differ as much. Larger: long
/// chains get less than their cost. Smaller: a body with fingers pays for others without fingers
/// that crowd into it.
constexpr double kJointsOfABody = 24.0;
/// Metres: a diagonal of a link's box around its step that no body's link has, unless it leaps.
/// Smaller: an honest member that moves fast counts as too large. Larger: a member that reaches all
/// others counts as one in a crowd.
constexpr double kMostSize = 4.0;
/// How many others may stand around a body.
constexpr double kAround = 8.0;

/// The boxes of one member's links, their sizes, and each link's cost in a pair.
struct Reach {
  core::Box whole;
  std::vector<core::Box> links;
  std::vector<double> sizes;   ///< diagonals, metres
  std::vector<double> joints;  ///< with kJointsOfAPair
  double weight = 0.0;         ///< its weight when costs are shared
};

double size_of(const core::Box& box) {
  return core::norm(core::to_double(box.hi) - core::to_double(box.lo));
}

Reach reach_of(const Member& member, const Step& step) {
  scene::StepMotion motion;
  motion.begin(member.avatar, step, 0.0, core::Box{});
  Reach out;
  out.whole = motion.coarse_box();
  for (std::size_t i = 0; i < motion.link_count(); ++i) {
    out.links.push_back(motion.coarse_box(i));
    out.sizes.push_back(size_of(out.links.back()));
  }
  const std::vector<std::size_t> lengths = chain_lengths(member.avatar);
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const bool shaped = !member.avatar.links()[i].shape.empty();
    const double joints = static_cast<double>(lengths[i]) + (shaped ? kJointsOfAShape : 0.0);
    out.joints.push_back(joints + kJointsOfAPair);
    out.weight += std::max(joints, kJointsOfABody);
  }
  return out;
}

/// The cost of two members with each other, by the share of each.
struct Shares {
  double p = 0.0;
  double q = 0.0;
};

void share(const Reach& p, std::size_t i, const Reach& q, std::size_t k, Shares& out) {
  const double joints = p.joints[i] + q.joints[k];
  const bool far = std::max(p.sizes[i], q.sizes[k]) > kMostSize;
  const double part =
      far ? p.sizes[i] / (p.sizes[i] + q.sizes[k]) : p.weight / (p.weight + q.weight);
  out.p += part * joints;
  out.q += (1.0 - part) * joints;
}

Shares shares_of(const Reach& p, const Reach& q) {
  Shares out;
  if (!core::overlap(p.whole, q.whole)) return out;
  for (std::size_t i = 0; i < p.links.size(); ++i) {
    if (!core::overlap(p.links[i], q.whole)) continue;
    for (std::size_t k = 0; k < q.links.size(); ++k) {
      if (core::overlap(p.links[i], q.links[k])) share(p, i, q, k, out);
    }
  }
  return out;
}

/// The costs of all members, in joints.
class Costs {
 public:
  Costs(std::span<const Member> members, std::span<const Step> steps)
      : worst_(members.size(), 0.0),
        sum_(members.size(), 0.0),
        between_(members.size() * members.size(), 0.0) {
    std::vector<Reach> reaches;
    reaches.reserve(count());
    for (std::size_t i = 0; i < count(); ++i) reaches.push_back(reach_of(members[i], steps[i]));
    for (std::size_t i = 0; i < count(); ++i) {
      for (std::size_t k = i + 1; k < count(); ++k) add(i, k, shares_of(reaches[i], reaches[k]));
    }
    for (std::size_t i = 0; i < count(); ++i) {
      const std::vector<double>& sizes = reaches[i].sizes;
      const bool far =
          std::any_of(sizes.begin(), sizes.end(), [](double size) { return size > kMostSize; });
      if (far) worst_[i] = sum_[i];
    }
  }

  [[nodiscard]] std::size_t count() const { return worst_.size(); }
  /// The costliest first; of equals the last one.
  [[nodiscard]] std::vector<std::size_t> order() const {
    std::vector<std::size_t> out(count());
    std::iota(out.begin(), out.end(), std::size_t{0});
    std::sort(out.begin(), out.end(), [&](std::size_t i, std::size_t k) {
      return worst_[i] != worst_[k] ? worst_[i] > worst_[k] : i > k;
    });
    return out;
  }
  [[nodiscard]] bool is_too_costly(std::size_t i, double least) const {
    return worst_[i] >= least || sum_[i] >= kAround * least;
  }
  [[nodiscard]] double all() const { return std::accumulate(sum_.begin(), sum_.end(), 0.0); }
  [[nodiscard]] double between(std::size_t i, std::size_t k) const {
    return between_[i * count() + k];
  }

 private:
  void add(std::size_t i, std::size_t k, const Shares& shares) {
    worst_[i] = std::max(worst_[i], shares.p);
    worst_[k] = std::max(worst_[k], shares.q);
    sum_[i] += shares.p;
    sum_[k] += shares.q;
    between_[i * count() + k] = between_[k * count() + i] = shares.p + shares.q;
  }

  std::vector<double> worst_;  ///< with one other member; with all if it has a too large box
  std::vector<double> sum_;
  std::vector<double> between_;
};

}  // namespace

std::vector<std::size_t> chain_lengths(const Avatar& avatar) {
  const auto& joints = avatar.skeleton().joints();
  std::vector<std::size_t> depths(joints.size(), 1);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].parent >= 0) depths[j] = depths[static_cast<std::size_t>(joints[j].parent)] + 1;
  }
  std::vector<std::size_t> out;
  out.reserve(avatar.links().size());
  for (const Link& link : avatar.links()) {
    out.push_back(depths[static_cast<std::size_t>(link.joint)]);
  }
  return out;
}

std::vector<std::size_t> most_costly(std::span<const Member> members, std::span<const Step> steps,
                                     std::uint64_t least) {
  const Costs costs(members, steps);
  std::vector<std::size_t> out;
  double left = costs.all();
  const double enough = 0.5 * left;
  for (const std::size_t i : costs.order()) {
    if (left <= enough && !out.empty()) break;
    if (!costs.is_too_costly(i, static_cast<double>(least))) continue;
    std::vector<bool> gone(costs.count(), false);
    for (const std::size_t k : out) gone[k] = true;
    for (std::size_t k = 0; k < costs.count(); ++k) {
      if (!gone[k]) left -= costs.between(i, k);
    }
    out.push_back(i);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<std::size_t> costliest(std::span<const Member> members, std::span<const Step> steps,
                                   std::size_t count) {
  std::vector<std::size_t> out = Costs(members, steps).order();
  out.resize(std::min(out.size(), count));
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace tocsin::service
