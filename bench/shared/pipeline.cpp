#include "shared/pipeline.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/query/certify.h"
#include "cpu/kernels/kernels.h"
#include "cpu/tree/make_tree_culler.h"
#include "detect/step/pair_contact.h"
#include "papers/interval_boxes.h"
#include "scene/motion/avatar_tree.h"
#include "shared/timing.h"

namespace tocsin::bench {

namespace {

constexpr core::Certificate kOverlapping{core::Outcome::kOverlap, 0.0, 0.0, false, 0};

core::Triangle triangle_of(const Environment& environment, std::uint32_t triangle,
                           const Vec3& ref) {
  const std::array<Vec3f, 3> v = environment.corners(triangle);
  return {{core::to_double(v[0]) - ref, core::to_double(v[1]) - ref, core::to_double(v[2]) - ref}};
}

}  // namespace

Pipeline::Pipeline(Avatar avatar, Environment environment)
    : avatar_(std::move(avatar)),
      environment_(std::move(environment)),
      tree_(cpu::make_tree_culler(environment_)) {
  worlds_.set_avatar(scene::tree_of(avatar_));
}

void Pipeline::position(const Step& step) {
  worlds_.set_step(step);
  keep(worlds_);
}

void Pipeline::near(const Step& step, std::size_t index) {
  near_motion_.begin(avatar_, step, 0.0, tree_->bounds());
  const std::vector<std::uint8_t>& near = ready_[index].near;
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (near[i] != 0) keep(near_motion_.link(i));
  }
}

void Pipeline::find_near(Ready& ready) const {
  const bool clear = tree_->clear_of(ready.whole);
  ready.near.assign(ready.coarse.size(), 0);
  for (std::size_t i = 0; i < ready.coarse.size(); ++i) {
    ready.near[i] = clear || tree_->clear_of(ready.coarse[i]) ? 0 : 1;
  }
}

void Pipeline::prepare(std::span<const Step> steps) {
  const std::size_t links = avatar_.links().size();
  count_ = steps.size();
  if (ready_.size() < count_) ready_.resize(count_);
  for (std::size_t i = 0; i < count_; ++i) {
    Ready& ready = ready_[i];
    ready.motion.set(avatar_, steps[i], 0.0, tree_->bounds());
    ready.whole = ready.motion.coarse_box();
    ready.coarse.resize(links);
    ready.candidates.resize(links);
    for (std::size_t j = 0; j < links; ++j) ready.coarse[j] = ready.motion.coarse_box(j);
    find_near(ready);
  }
}

void Pipeline::cull() {
  scene::CullCounters counters;
  for (std::size_t i = 0; i < count_; ++i) {
    Ready& ready = ready_[i];
    const bool clear = tree_->clear_of(ready.whole);
    for (std::size_t j = 0; j < ready.coarse.size(); ++j) {
      ready.candidates[j].clear();
      if (clear || tree_->clear_of(ready.coarse[j])) continue;
      tree_->cull(ready.motion.links()[j], ready.candidates[j], counters);
    }
  }
  keep(counters);
}

void Pipeline::certify() {
  for (std::size_t i = 0; i < count_; ++i) {
    Ready& ready = ready_[i];
    ready.contacts.clear();
    for (std::size_t j = 0; j < ready.candidates.size(); ++j) {
      if (ready.candidates[j].empty()) continue;
      certify_link(ready.motion.links()[j].motion, static_cast<std::int32_t>(j),
                   ready.candidates[j], ready.contacts);
    }
  }
}

void Pipeline::certify_link(const core::LinkMotion& link, std::int32_t index,
                            const scene::Candidates& candidates, std::vector<Contact>& out) {
  const core::AxisState at0 = cpu::evaluate(link, 0.0);
  StepCounters counters;
  triage_.fill(environment_, {}, index, link, at0, candidates, false, counters);
  for (const detect::Triage::Group& group : triage_.groups()) {
    const std::uint32_t first = environment_.objects()[group.object].first_triangle;
    detect::PairContact pair;
    if (group.overlap != scene::kNone) pair.add(group.overlap - first, kOverlapping);
    for (const detect::Suspect& suspect : group.suspects) {
      if (suspect.free_until > pair.stop_after()) break;
      pair.add(suspect.triangle - first,
               cpu::certify(link, at0, triangle_of(environment_, suspect.triangle, link.ref),
                            tolerance_, pair.stop_after()));
    }
    if (!pair.any()) continue;
    const core::Triangle t = triangle_of(environment_, first + pair.triangle(), link.ref);
    const core::AxisState axis = pair.lo() > 0.0 ? cpu::evaluate(link, pair.lo()) : at0;
    const core::Closest c = core::closest_points(axis.a, axis.b, t);
    const double distance = std::sqrt(c.squared);
    Contact contact;
    contact.link = index;
    contact.touched = RoomTriangle{group.object, pair.triangle()};
    pair.set(contact);
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
    for (const scene::SweptLink& link : ready_[i].motion.links()) {
      const core::IntervalVec box = core::swept_aabb_interval(link.motion);
      keep(box);
    }
  }
}

}  // namespace tocsin::bench
