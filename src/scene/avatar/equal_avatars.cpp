#include "scene/avatar/equal_avatars.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/vector/same_bits.h"
#include "scene/shape/shape_data.h"

namespace tocsin::scene {
namespace {

bool equal_numbers(double p, double q) {
  return std::bit_cast<std::uint64_t>(p) == std::bit_cast<std::uint64_t>(q);
}

bool equal_joints(const Joint& p, const Joint& q) {
  return p.name == q.name && p.parent == q.parent && core::same_bits(p.rest, q.rest);
}

bool equal_links(const Link& p, const Link& q) {
  return p.name == q.name && p.joint == q.joint && core::same_bits(p.a, q.a) &&
         core::same_bits(p.b, q.b) && equal_numbers(p.radius, q.radius) &&
         same_data(p.shape, q.shape);
}

}  // namespace

bool are_equal(const Avatar& p, const Avatar& q) {
  const auto equal = [](const auto& of_p, const auto& of_q, const auto& same) {
    return std::equal(of_p.begin(), of_p.end(), of_q.begin(), of_q.end(), same);
  };
  return p.name() == q.name() && equal_numbers(p.radius_factor(), q.radius_factor()) &&
         equal(p.skeleton().joints(), q.skeleton().joints(), equal_joints) &&
         equal(p.links(), q.links(), equal_links);
}

}  // namespace tocsin::scene
