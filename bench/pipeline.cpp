#include "pipeline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/certify.h"
#include "core/interval.h"
#include "detect/pair_contact.h"
#include "timing.h"

namespace tocsin::bench {

namespace {

constexpr double kTolerance = DetectorOptions{}.tolerance;

core::Triangle triangle_of(const Environment& environment, std::uint32_t triangle,
                           const Vec3& ref) {
  const std::array<Vec3f, 3> v = environment.corners(triangle);
  return {{core::to_double(v[0]) - ref, core::to_double(v[1]) - ref, core::to_double(v[2]) - ref}};
}

}  // namespace

Pipeline::Pipeline(Avatar avatar, Environment environment)
    : avatar_(std::move(avatar)), environment_(std::move(environment)), tree_(environment_) {
  const std::span<const Joint> joints = avatar_.skeleton().joints();
  needed_.assign(joints.size(), 0);
  for (const Link& link : avatar_.links()) {
    for (int j = link.joint; j >= 0; j = joints[static_cast<std::size_t>(j)].parent) {
      needed_[static_cast<std::size_t>(j)] = 1;
    }
  }
  rotation_.resize(joints.size());
  position_.resize(joints.size());
}

void Pipeline::position(std::span<const Transform> pose) {
  const std::span<const Joint> joints = avatar_.skeleton().joints();
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (needed_[j] == 0) continue;
    const core::Mat3 rotation = core::to_matrix(pose[j].rotation);
    if (joints[j].parent < 0) {
      rotation_[j] = rotation;
      position_[j] = pose[j].translation;
    } else {
      const auto parent = static_cast<std::size_t>(joints[j].parent);
      rotation_[j] = rotation_[parent] * rotation;
      position_[j] = position_[parent] + rotation_[parent] * pose[j].translation;
    }
  }
  keep(rotation_);
  keep(position_);
}

void Pipeline::prepare(std::span<const Step> steps) {
  const std::size_t links = avatar_.links().size();
  count_ = steps.size();
  if (motions_.size() < count_) motions_.resize(count_);
  if (contacts_.size() < count_) contacts_.resize(count_);
  if (candidates_.size() < count_ * links) candidates_.resize(count_ * links);
  for (std::size_t i = 0; i < count_; ++i) {
    motions_[i].set(avatar_, steps[i], 0.0, tree_.bounds());
  }
}

void Pipeline::cull() {
  const std::size_t links = avatar_.links().size();
  for (std::size_t i = 0; i < count_; ++i) {
    core::Box whole;
    for (const scene::SweptLink& link : motions_[i].links()) whole = join(whole, link.box);
    const bool clear = tree_.clear_of(whole);
    for (std::size_t j = 0; j < links; ++j) {
      std::vector<std::uint32_t>& candidates = candidates_[i * links + j];
      candidates.clear();
      if (clear) continue;
      tree_.cull(motions_[i].links()[j], candidates);
      std::sort(candidates.begin(), candidates.end());
    }
  }
}

void Pipeline::certify() {
  const std::size_t links = avatar_.links().size();
  for (std::size_t i = 0; i < count_; ++i) {
    contacts_[i].clear();
    for (std::size_t j = 0; j < links; ++j) {
      const auto& candidates = candidates_[i * links + j];
      if (candidates.empty()) continue;
      certify_link(motions_[i].links()[j].motion, static_cast<std::int32_t>(j), candidates,
                   contacts_[i]);
    }
  }
}

void Pipeline::certify_link(const core::LinkMotion& link, std::int32_t index,
                            std::span<const std::uint32_t> candidates,
                            std::vector<Contact>& out) const {
  const core::AxisState at0 = core::evaluate(link, 0.0);
  for (std::size_t k = 0; k < candidates.size();) {
    const std::uint32_t object = environment_.object_of(candidates[k]);
    const Object& run = environment_.objects()[object];
    const std::uint32_t end = run.first_triangle + run.triangle_count;
    detect::PairContact pair;
    for (; k < candidates.size() && candidates[k] < end; ++k) {
      pair.add(candidates[k] - run.first_triangle,
               core::certify(link, at0, triangle_of(environment_, candidates[k], link.ref),
                             kTolerance, pair.stop_after()));
    }
    if (!pair.any()) continue;
    const core::Triangle t =
        triangle_of(environment_, run.first_triangle + pair.triangle(), link.ref);
    const core::AxisState axis = core::evaluate(link, pair.lo());
    const core::Closest c = core::closest_points(axis.a, axis.b, t);
    const double distance = std::sqrt(c.squared);
    Contact contact{index, object, pair.triangle(), pair.status(), {pair.lo(), pair.hi()},
                    {},    {},     pair.limited()};
    contact.point = link.ref + c.x;
    const double reach = std::max({core::norm(t.v[0]), core::norm(t.v[1]), core::norm(t.v[2])});
    if (distance > core::rounding_margin(link, reach)) {
      contact.normal = (1.0 / distance) * (c.y - c.x);
    }
    out.push_back(contact);
  }
}

void Pipeline::interval_boxes() {
  for (std::size_t i = 0; i < count_; ++i) {
    for (const scene::SweptLink& link : motions_[i].links()) {
      const core::IntervalVec box = core::swept_aabb_interval(link.motion);
      keep(box);
    }
  }
}

}  // namespace tocsin::bench
