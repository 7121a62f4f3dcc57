#include "tocsin/link_pairs.h"

#include <array>
#include <utility>

#include "core/vector/rotation.h"
#include "core/vector/vec.h"
#include "detect/crowd/name_patterns.h"

namespace tocsin {

namespace {

/// Metres: two ends of segments this near in the rest pose are one point. Far above what the sums
/// along two branches of a skeleton round to, below any gap that a model means.
constexpr double kSameEnd = 1e-6;

/// Both ends of a link's segment in the rest pose, world, metres.
using Ends = std::array<Vec3, 2>;

std::vector<Ends> rest_ends(const Avatar& avatar) {
  const std::span<const Joint> joints = avatar.skeleton().joints();
  std::vector<Ends> out;
  for (const Link& link : avatar.links()) {
    Ends ends{link.a, link.b};
    for (std::int32_t j = link.joint; j >= 0; j = joints[static_cast<std::size_t>(j)].parent) {
      const Transform& rest = joints[static_cast<std::size_t>(j)].rest;
      const core::Mat3 turn = core::to_matrix(rest.rotation);
      for (Vec3& end : ends) end = turn * end + rest.translation;
    }
    out.push_back(ends);
  }
  return out;
}

bool share_an_end(const Ends& p, const Ends& q) {
  for (const Vec3& x : p) {
    for (const Vec3& y : q) {
      if (core::norm(x - y) <= kSameEnd) return true;
    }
  }
  return false;
}

/// Per joint the nearest joint above it that bears a link, or -1.
std::vector<std::int32_t> bearing_parents(const Avatar& avatar) {
  const std::span<const Joint> joints = avatar.skeleton().joints();
  std::vector<std::uint8_t> bears(joints.size(), 0);
  for (const Link& link : avatar.links()) bears[static_cast<std::size_t>(link.joint)] = 1;
  std::vector<std::int32_t> out(joints.size(), -1);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const std::int32_t parent = joints[j].parent;
    if (parent < 0) continue;
    const auto p = static_cast<std::size_t>(parent);
    out[j] = bears[p] != 0 ? parent : out[p];
  }
  return out;
}

}  // namespace

LinkPairs LinkPairs::of(const Avatar& avatar) {
  const std::span<const Link> links = avatar.links();
  LinkPairs out;
  out.links_ = links.size();
  out.on_.assign(links.size() * links.size(), 0);
  if (links.empty()) return out;
  const std::vector<Ends> ends = rest_ends(avatar);
  const std::vector<std::int32_t> parent = bearing_parents(avatar);
  for (std::size_t i = 0; i < links.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::int32_t p = links[i].joint;
      const std::int32_t q = links[j].joint;
      const bool neighbours = p == q || parent[static_cast<std::size_t>(p)] == q ||
                              parent[static_cast<std::size_t>(q)] == p ||
                              share_an_end(ends[i], ends[j]);
      if (neighbours) continue;
      out.on_[i * links.size() + j] = out.on_[j * links.size() + i] = 1;
      ++out.pairs_;
    }
  }
  return out;
}

Result<LinkPairs> LinkPairs::ignoring(const Avatar& avatar, std::span<const std::string> patterns) {
  LinkPairs out = of(avatar);
  const std::span<const Link> links = avatar.links();
  const auto name_of = [&](std::size_t i) -> const std::string& { return links[i].name; };
  for (const std::string& pattern : patterns) {
    auto globs =
        detect::split_pattern(pattern, "LINK:LINK, two shell globs such as '*hand:*thigh'");
    if (!globs) return globs.error();
    const auto first = detect::matching(globs.value().first, links.size(), name_of);
    const auto second = detect::matching(globs.value().second, links.size(), name_of);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < links.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const bool matches = (first[i] != 0 && second[j] != 0) || (first[j] != 0 && second[i] != 0);
        if (!matches) continue;
        ++count;
        std::uint8_t& on = out.on_[i * links.size() + j];
        out.pairs_ -= on;
        on = out.on_[j * links.size() + i] = 0;
      }
    }
    out.matches_.push_back(count);
  }
  return out;
}

}  // namespace tocsin
