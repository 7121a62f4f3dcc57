#include "detect/shapes/feature_search.h"

#include <algorithm>
#include <tuple>

#include "cpu/kernels/kernels.h"

namespace tocsin::detect {

core::Hull Features::hull(std::uint32_t feature) const {
  core::Hull out = scene::hull_of(corners, features[feature]);
  out.radius = radius;
  return out;
}

core::DeformingTriangle Features::deforming(std::uint32_t feature) const {
  core::DeformingTriangle out;
  for (std::size_t i = 0; i < 3; ++i) {
    out.corner[i] = corners[features[feature][i]];
    out.change[i] = changes[features[feature][i]];
  }
  return out;
}

bool FeatureSearch::Later::operator()(const Open& p, const Open& q) const {
  // Overlaps first, the least indices first among them: then the first that is found is the least.
  return std::tie(p.free_until, p.certified, p.least) >
         std::tie(q.free_until, q.certified, q.least);
}

void FeatureSearch::States::begin(const core::FrameMotion& motion) {
  motion_ = &motion;
  bound_ = core::acceleration_line(motion);
  known_ = 0;
}

void FeatureSearch::States::evaluate(int time) {
  states_[static_cast<std::size_t>(time)] =
      cpu::evaluate_frame(*motion_, static_cast<double>(time) / kTimes);
  known_ |= 1U << static_cast<unsigned>(time);
}

double FeatureSearch::limit() const { return std::min(contact_.stop_after(), limits_.stop_after); }

core::PlacedBox FeatureSearch::place_first(std::uint32_t node, int time) {
  return core::placed(first_->nodes[node].box, first_states_.at(time), {});
}

core::PlacedBox FeatureSearch::place_second(std::uint32_t node, int time) {
  const core::OrientedBox& box = second_->nodes[node].box;
  if (!second_states_.still()) return core::placed(box, second_states_.at(time), frames_->shift);
  return {box.center + frames_->shift, {box.axis[0], box.axis[1], box.axis[2]}};
}

void FeatureSearch::prove(Nodes& nodes) {
  const core::OrientedBox& a = first_->nodes[nodes.first].box;
  const core::OrientedBox& b = second_->nodes[nodes.second].box;
  const double acceleration =
      first_states_.bound().at(a.reach) + second_states_.bound().at(b.reach);
  const bool of_feature = rigid() && second_->nodes[nodes.second].child < 0;
  for (;;) {
    const double now = static_cast<double>(nodes.time) / kTimes;
    ++counters_->volume_tests;
    const core::BoxPair pair{a,
                             b,
                             first_states_.at(nodes.time),
                             second_states_.at(nodes.time),
                             frames_->shift,
                             acceleration,
                             reach_,
                             1.0 - now};
    const double clear = of_feature ? clear_time_of_feature(pair, nodes)
                                    : core::clear_time_of_boxes(pair, nodes.a, nodes.b);
    nodes.free_until = std::max(nodes.free_until, now + clear);
    if (nodes.free_until > limit() || nodes.free_until >= 1.0) return;
    // Others come sooner: what they find may tell that these need no second look.
    if (!open_.empty() && nodes.free_until > open_.front().free_until) return;
    const int next = time_of_look(nodes.free_until);
    if (next <= nodes.time) return;
    nodes.time = next;
    nodes.a = place_first(nodes.first, next);
    nodes.b = place_second(nodes.second, next);
  }
}

void FeatureSearch::keep(const Open& open) {
  open_.push_back(open);
  std::push_heap(open_.begin(), open_.end(), Later());
}

FeatureSearch::Open FeatureSearch::open_of(NodePair pair, int time, double free_until) const {
  Open open;
  open.free_until = free_until;
  open.first = pair.first;
  open.second = pair.second;
  open.time = static_cast<std::uint8_t>(time);
  open.least = feature_pair(first_->nodes[pair.first].feature, second_->nodes[pair.second].feature);
  return open;
}

void FeatureSearch::push(Nodes& nodes) {
  prove(nodes);
  if (nodes.free_until >= 1.0 || nodes.free_until > limit()) return;
  keep(open_of({nodes.first, nodes.second}, nodes.time, nodes.free_until));
}

void FeatureSearch::look_later(const Open& open) {
  const int time = time_of_look(open.free_until);
  Nodes nodes{open.first,
              open.second,
              time,
              open.free_until,
              place_first(open.first, time),
              place_second(open.second, time)};
  push(nodes);
}

void FeatureSearch::split(const Open& open) {
  const Halves halves = halves_of(*first_, *second_, {open.first, open.second});
  const core::PlacedBox whole =
      halves.of_first ? place_second(open.second, open.time) : place_first(open.first, open.time);
  for (const NodePair& half : halves.nodes) {
    Open features = open_of(half, open.time, open.free_until);
    if (rigid() && are_leaves(features)) {
      if (!look_closer(features)) keep(features);
      continue;
    }
    Nodes nodes{half.first, half.second, open.time, open.free_until, whole, whole};
    if (halves.of_first) {
      nodes.a = place_first(nodes.first, nodes.time);
    } else {
      nodes.b = place_second(nodes.second, nodes.time);
    }
    push(nodes);
  }
}

double FeatureSearch::clear_time_of_feature(const core::BoxPair& pair, const Nodes& nodes) {
  const core::SeenHull g = seen_second(second_->nodes[nodes.second].feature, nodes.time);
  const double clear = core::clear_time_of_look(
      {pair.a, nodes.a, pair.frame_a, g, pair.acceleration, pair.reach, pair.left});
  if (clear < 0.0) return 0.0;
  if (clear * kTimes >= 1.0) return clear;
  return std::max(core::clear_time_of_boxes(pair, nodes.a, nodes.b), clear);
}

core::SeenHull FeatureSearch::seen_second(std::uint32_t feature, int time) {
  const core::Hull g = second_->hull(feature);
  if (second_states_.still()) return core::still_hull(g, frames_->shift);
  return core::seen_hull(g, second_states_.at(time), frames_->shift);
}

double FeatureSearch::clear_time_of_features(const Open& open, int time) {
  const double now = static_cast<double>(time) / kTimes;
  const core::FrameState& at_f = first_states_.at(time);
  ++counters_->volume_tests;
  return core::clear_time_of_look(
      {core::seen_hull(first_->hull(first_of(open.least)), at_f, {}),
       seen_second(second_of(open.least), time),
       first_states_.bound().at(first_->nodes[open.first].box.reach) +
           second_states_.bound().at(second_->nodes[open.second].box.reach),
       reach_, 1.0 - now, static_cast<double>(time + 1) / kTimes - now});
}

bool FeatureSearch::look_closer(Open& open) {
  if (open.looked != 0 || !rigid()) return false;
  for (;;) {
    const int time = time_of_look(open.free_until);
    const double now = static_cast<double>(time) / kTimes;
    open.free_until = std::max(open.free_until, now + clear_time_of_features(open, time));
    if (open.free_until >= 1.0 || open.free_until > limit()) return true;
    const bool again = time_of_look(open.free_until) > time;
    open.looked = again ? 0 : 1;
    const bool sooner = open_.empty() || open.free_until <= open_.front().free_until;
    if (!sooner) {
      keep(open);
      return true;
    }
    if (!again) return false;
  }
}

bool FeatureSearch::touch(FeaturePair pair) {
  const core::Hull f = first_->hull(first_of(pair));
  if (!second_->changes.empty()) {
    return core::hull_touches(*frames_, f, first_states_.at(0),
                              second_->deforming(second_of(pair)));
  }
  return core::hulls_touch(*frames_, f, first_states_.at(0), second_->hull(second_of(pair)),
                           second_states_.at(0));
}

core::Certificate FeatureSearch::certificate(FeaturePair pair) {
  const core::Hull f = first_->hull(first_of(pair));
  if (!second_->changes.empty()) {
    return core::certify_deforming<&cpu::evaluate_frame>(*frames_, f, first_states_.at(0),
                                                         second_->deforming(second_of(pair)),
                                                         limits_.tolerance, limit());
  }
  return core::certify_hulls<&cpu::evaluate_frame>(
      *frames_, f, first_states_.at(0), second_->hull(second_of(pair)), second_states_.at(0),
      limits_.tolerance, limit());
}

void FeatureSearch::look(const Open& open) {
  ++counters_->candidates;
  ++counters_->evaluations;
  if (touch(open.least)) {
    contact_.add(open.least, {core::Outcome::kOverlap, 0.0, 0.0, false, 0});
    return;
  }
  Open again = open;
  again.certified = 1;
  keep(again);
}

void FeatureSearch::certify(const Open& open) {
  // A hostile pair takes milliseconds.
  go_on(limits_.stop);
  const core::Certificate c = certificate(open.least);
  if (open.certified == 0) ++counters_->candidates;
  counters_->evaluations += static_cast<std::uint64_t>(c.evaluations);
  contact_.add(open.least, c);
}

void FeatureSearch::settle(Open& open) {
  if (look_closer(open)) return;
  if (open.certified != 0 || open.free_until > 0.0) {
    certify(open);
  } else {
    look(open);
  }
}

bool FeatureSearch::are_leaves(const Open& open) const {
  return first_->nodes[open.first].child < 0 && second_->nodes[open.second].child < 0;
}

void FeatureSearch::spend_next(std::uint32_t count) const {
  if (count % kStopEvery == 0 || are_leaves(open_.front())) limits_.meter->spend();
}

double FeatureSearch::proved_until() const {
  const double open = open_.empty() ? 1.0 : std::min(open_.front().free_until, 1.0);
  return contact_.any() ? std::min(contact_.lo(), open) : open;
}

void FeatureSearch::push_roots() {
  contact_ = {};
  open_.clear();
  for (std::uint32_t i = 0; i < first_->roots; ++i) {
    const core::PlacedBox a = place_first(i, 0);
    for (std::uint32_t j = 0; j < second_->roots; ++j) {
      Nodes nodes{i, j, 0, 0.0, a, place_second(j, 0)};
      push(nodes);
    }
  }
}

FeatureContact FeatureSearch::run(const core::FramePair& frames, const Features& first,
                                  const Features& second, const SearchLimits& limits,
                                  StepCounters& counters) {
  frames_ = &frames;
  first_ = &first;
  second_ = &second;
  limits_ = limits;
  counters_ = &counters;
  reach_ = core::reach_of_pair(frames, first, second);
  first_states_.begin(frames.first);
  second_states_.begin(frames.second);
  if (!limits.resume) push_roots();
  for (std::uint32_t count = 1; !open_.empty(); ++count) {
    if (count % kStopEvery == 0) go_on(limits.stop);
    if (limits.meter != nullptr) spend_next(count);
    std::pop_heap(open_.begin(), open_.end(), Later());
    Open open = open_.back();
    open_.pop_back();
    // All that is left is free for longer than what is known of the contact, or, of an overlap, has
    // greater indices.
    if (open.free_until > limit()) break;
    if (contact_.any() && contact_.touch() == core::Touch::kOverlap) break;
    if (are_leaves(open)) {
      settle(open);
    } else if (time_of_look(open.free_until) > open.time) {
      look_later(open);
    } else {
      split(open);
    }
  }
  return contact_;
}

}  // namespace tocsin::detect
