#include "scene/swept/step_motion.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/bounds/swept_boxes.h"
#include "core/motion/coarse_bounds.h"
#include "core/query/room_for_certify.h"
#include "core/vector/same_bits.h"
#include "scene/shape/shape_data.h"

namespace tocsin::scene {

namespace {

using core::Box;
using core::LinkMotion;

/// A coarse box must hold the boxes of all pieces, also those about a point off the chord: sag of
/// A t (1 - t) / 2 and A / (8 n^2) about it, in parts of A. 5/32 for n = 2, less for others.
constexpr double kCoarseSag = 0.16;

Vec3 to_vec(const Lanes4& a) { return {a.at[0], a.at[1], a.at[2]}; }

/// Rounds to floats last and once, because that is expensive.
Box to_box(const Extent& e) { return core::grown_box(to_vec(e.lo), to_vec(e.hi), 0.0); }

/// The box of one link between two poses.
Box box_between(const LinkEnds& p, const LinkEnds& q, const EndRadii& radii) {
  return to_box(extent_of({&p, 1}, {&q, 1}, {&radii, 1}));
}

}  // namespace

bool StepMotion::knows(const Avatar& avatar) const {
  // avatar_ owns its links, its skeleton and its shapes, so no others can have their address.
  if (avatar.links().data() == avatar_.links().data()) return true;
  return &avatar.skeleton() == &avatar_.skeleton() &&
         std::equal(avatar.links().begin(), avatar.links().end(), avatar_.links().begin(),
                    avatar_.links().end(), [](const Link& p, const Link& q) {
                      return p.joint == q.joint && core::same_bits(p.a, q.a) &&
                             core::same_bits(p.b, q.b) && p.radius == q.radius &&
                             same_data(p.shape, q.shape);
                    });
}

void StepMotion::set_tree(std::shared_ptr<const AvatarTree> tree) {
  const std::size_t joints = tree->parents.size();
  const std::size_t links = tree->places.size();
  worlds_.set_avatar(tree);
  around_.resize(tree->roots.size());
  coarse_.resize(joints);
  joints_.resize(joints);
  chains_.resize(joints);
  joint_step_.assign(joints, 0);
  links_.resize(links);
  coarse_radii_.resize(links);
  extra_.assign(links, 0.0);
  motion_step_.assign(links, 0);
  link_step_.assign(links, 0);
  tree_ = std::move(tree);
}

void StepMotion::take(const Avatar& avatar, const Step& step, double margin) {
  if (!knows(avatar)) {
    avatar_ = Avatar();  // set again only at the end: memory may run out in between
    set_tree(tree_of(avatar));
    avatar_ = avatar;
  }
  step_ = step;
  margin_ = margin;
  if (tree_->shaped) std::fill(extra_.begin(), extra_.end(), 0.0);
  ++now_;
  for (std::size_t r = 0; r < tree_->roots.size(); ++r) {
    around_[r].ref =
        core::reference_point(step.pose0()[static_cast<std::size_t>(tree_->roots[r])].translation);
  }
}

void StepMotion::find_surroundings(const Box& bounds) {
  for (core::Surroundings& around : around_) around = core::surroundings_of(around.ref, bounds);
}

core::Box StepMotion::refs_and(const Box* others) const {
  Box refs = others != nullptr ? *others : Box{};
  for (const core::Surroundings& around : around_) {
    refs = join(refs, core::grown_box(around.ref, around.ref, 0.0));
  }
  return refs;
}

void StepMotion::find_coarse_bounds(const Box* others) {
  const std::span<const Transform> pose0 = step_.pose0();
  const std::span<const Transform> pose1 = step_.pose1();
  LinkMotion greatest;  // of all links, in what room_for_rounding() looks at
  for (const std::int32_t joint : tree_->used) {
    const auto j = static_cast<std::size_t>(joint);
    const std::int32_t parent = tree_->parents[j];
    coarse_[j] = core::extend_coarsely(
        parent < 0 ? core::ChainBounds{} : coarse_[static_cast<std::size_t>(parent)], pose0[j],
        pose1[j], around_[static_cast<std::size_t>(tree_->root_of[j])].ref);
    const core::CoarsePoint point = core::coarse_point(coarse_[j], tree_->farthest);
    greatest.speed = core::max_of(greatest.speed, point.speed);
    greatest.reach = core::max_of(greatest.reach, point.reach);
  }
  greatest.chain_length = tree_->longest_chain;
  double padding = margin_;
  for (const core::Surroundings& around : around_) {
    padding = core::max_of(padding, margin_ + 2.0 * core::room_for_rounding(greatest, around));
  }
  if (others != nullptr || around_.size() > 1) {
    const Box refs = refs_and(others);
    for (core::Surroundings around : around_) {
      around.reach = core::max_of(around.reach, core::farthest_corner(around.ref, refs));
      padding = core::max_of(padding, margin_ + 2.0 * core::room_for_rounding(greatest, around));
    }
  }
  const std::span<const Link> links = avatar_.links();
  for (std::size_t i = 0; i < links.size(); ++i) {
    const core::ChainBounds& chain = coarse_[static_cast<std::size_t>(links[i].joint)];
    double radius = links[i].radius + padding;
    if (tree_->shaped) {
      extra_[i] = room_for_shape(i, padding - margin_);
      radius += extra_[i];
    }
    radius *= core::kCoarseGrowth;
    coarse_radii_[i] = {
        radius + kCoarseSag * core::coarse_point(chain, tree_->far_a[i]).acceleration,
        radius + kCoarseSag * core::coarse_point(chain, tree_->far_b[i]).acceleration};
  }
  whole_ = links.empty() ? Box{} : to_box(extent_of(worlds_.start(), worlds_.end(), coarse_radii_));
}

double StepMotion::room_for_shape(std::size_t i, double padding) const {
  const Link& link = avatar_.links()[i];
  if (link.shape.empty()) return 0.0;
  const double reach = data_of(link.shape).reach;
  const core::CoarsePoint point =
      core::coarse_point(coarse_[static_cast<std::size_t>(link.joint)], reach);
  const core::Surroundings& around =
      around_[static_cast<std::size_t>(tree_->root_of[static_cast<std::size_t>(link.joint)])];
  // No feature and no triangle is larger than all that is in sight.
  const double size = 2.0 * (point.reach + around.reach);
  return core::room_for_certify({point.speed, point.acceleration, 4.0 * padding, size, size});
}

core::Box StepMotion::coarse_box(std::size_t i) const {
  return box_between(worlds_.start()[i], worlds_.end()[i], coarse_radii_[i]);
}

CoarseHull StepMotion::coarse_hull(std::size_t i) const {
  const Link& link = avatar_.links()[i];
  const core::CoarsePoint point =
      core::coarse_point(coarse_[static_cast<std::size_t>(link.joint)],
                         core::max_of(tree_->far_a[i], tree_->far_b[i]));
  return {to_axis(worlds_.start()[i]),
          to_axis(worlds_.end()[i]),
          coarse_radii_[i].a,
          coarse_radii_[i].b,
          radius_of(i),
          point.speed,
          point.acceleration,
          point.reach};
}

void StepMotion::begin(const Avatar& avatar, const Step& step, double margin, const Box& bounds,
                       const Box* others) {
  take(avatar, step, margin);
  find_surroundings(bounds);
  worlds_.set_step(step_);
  find_coarse_bounds(others);
}

void StepMotion::need_chain(std::size_t link) {
  for (std::size_t k = tree_->chain_begin[link]; k < tree_->chain_begin[link + 1]; ++k) {
    const auto j = static_cast<std::size_t>(tree_->chain_joints[k]);
    if (joint_step_[j] == now_) continue;
    joint_step_[j] = now_;
    joints_[j] = core::joint_motion(step_.pose0()[j], step_.pose1()[j], step_.in_between());
    const std::int32_t parent = tree_->parents[j];
    chains_[j] = core::extend(
        parent < 0 ? core::ChainBounds{} : chains_[static_cast<std::size_t>(parent)], joints_[j],
        step_.in_between(), around_[static_cast<std::size_t>(tree_->root_of[j])].ref);
  }
}

void StepMotion::set_motion(std::size_t link) {
  need_chain(link);
  const Link& from = avatar_.links()[link];
  const auto joint = static_cast<std::size_t>(from.joint);
  LinkMotion& m = links_[link].motion;
  m.joints = joints_.data();
  m.chain = tree_->chain_joints.data() + tree_->chain_begin[link];
  m.chain_length =
      static_cast<std::int32_t>(tree_->chain_begin[link + 1] - tree_->chain_begin[link]);
  m.kind = step_.in_between();
  m.a = from.a;
  m.b = from.b;
  m.radius = radius_of(link);
  m.ref = around_[static_cast<std::size_t>(tree_->root_of[joint])].ref;
  core::set_bounds(m, chains_[joint]);
}

void StepMotion::set_boxes(std::size_t link) {
  const auto joint = static_cast<std::size_t>(avatar_.links()[link].joint);
  core::set_boxes(links_[link], around_[static_cast<std::size_t>(tree_->root_of[joint])],
                  to_axis(worlds_.start()[link]), to_axis(worlds_.end()[link]));
}

void StepMotion::need_motion(std::size_t link) {
  if (motion_step_[link] == now_) return;
  motion_step_[link] = now_;
  set_motion(link);
}

const SweptLink& StepMotion::link(std::size_t i) {
  if (link_step_[i] != now_) {
    link_step_[i] = now_;
    need_motion(i);
    set_boxes(i);
  }
  return links_[i];
}

void StepMotion::set(const Avatar& avatar, const Step& step, double margin, const Box& bounds) {
  begin(avatar, step, margin, bounds);
  for (std::size_t i = 0; i < links_.size(); ++i) static_cast<void>(link(i));
}

void StepMotion::set_motions(const Avatar& avatar, const Step& step, double margin) {
  take(avatar, step, margin);
  for (std::size_t i = 0; i < links_.size(); ++i) set_motion(i);
}

}  // namespace tocsin::scene
