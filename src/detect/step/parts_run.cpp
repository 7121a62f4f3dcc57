#include "detect/step/parts_run.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "cpu/kernels/kernels.h"
#include "scene/tree/contact_order.h"

namespace tocsin::detect {

namespace {

/// Candidates that are kept of all links from their triage until they are certified. A step in the
/// midst of furniture has some hundreds. More: memory, 40 bytes each. Fewer: links are looked up in
/// the tree twice.
constexpr std::size_t kMostKept = 4096;

// Spans into a rest's suspects stay right when there are more rests.
static_assert(std::is_nothrow_move_constructible_v<LinkRest>);

bool comes_later(const OpenQuestion& p, const OpenQuestion& q) {
  return p.free_until > q.free_until;
}

void push(std::vector<OpenQuestion>& open, const OpenQuestion& question) {
  open.push_back(question);
  std::push_heap(open.begin(), open.end(), comes_later);
}

OpenQuestion pop(std::vector<OpenQuestion>& open) {
  std::pop_heap(open.begin(), open.end(), comes_later);
  const OpenQuestion out = open.back();
  open.pop_back();
  return out;
}

}  // namespace

bool PartsRun::avatar_is_clear() {
  const core::Box& whole = work_.links.coarse_box();
  if (known_.coherence != nullptr) {
    return known_.coherence->avatar_is_clear(whole, parts_.known.counters);
  }
  ++parts_.known.counters.tree_queries;
  return exact_.tree().clear_of(whole);
}

bool PartsRun::is_clear(std::size_t link) {
  const core::Box box = work_.links.coarse_box(link);
  if (known_.coherence != nullptr) {
    return known_.coherence->link_is_clear(link, box, parts_.known.counters);
  }
  ++parts_.known.counters.tree_queries;
  return exact_.tree().clear_of(box);
}

void PartsRun::look_at_movers() {
  const SceneView* const scene = exact_.scene();
  const std::size_t count = scene != nullptr ? scene->in_motion() : 0;
  for (; parts_.in_motion < count; ++parts_.in_motion) {
    if (!scene->may_meet(parts_.in_motion, work_.links.coarse_box())) continue;
    known_.meter->spend();
    StepReport found;
    scene->add_contacts_with(parts_.in_motion, work_.links, member_.active,
                             {exact_.options().tolerance, core::kToEnd, known_.stop}, found);
    parts_.known.counters += found.counters;
    for (const Contact& contact : found.contacts) note(contact);
  }
  parts_.stage = StepInParts::Stage::kLinks;
}

void PartsRun::look_at_links() {
  if (!std::exchange(parts_.avatar_was_asked, true)) {
    parts_.near = !avatar_is_clear();
  }
  bool looks = true;
  for (; parts_.near && parts_.link < work_.links.count(); ++parts_.link) {
    known_.meter->spend(looks);
    looks = !is_clear(parts_.link);
    if (looks) look_at_link(parts_.link);
  }
  parts_.stage = StepInParts::Stage::kPairs;
  parts_.link = 0;
  parts_.other = 1;
}

void PartsRun::look_at_link(std::size_t link) {
  ++parts_.known.counters.near_links;
  if (parts_.rests.size() == parts_.rests_in_use) parts_.rests.emplace_back();
  LinkRest& rest = parts_.rests[parts_.rests_in_use];
  triage(link, rest, true);
  if (rest.groups.empty()) return;
  OpenQuestion question{rest.free_until(), true, kNotKept, {link, 0}};
  const std::size_t count = work_.scratch.candidates.size();
  if (parts_.kept_candidates + count <= kMostKept) {
    parts_.kept_candidates += count;
    keep(rest);
    question.rest = static_cast<std::uint32_t>(parts_.rests_in_use++);
  }
  push(parts_.open, question);
}

void PartsRun::triage(std::size_t link, LinkRest& rest, bool first) {
  const auto index = static_cast<std::int32_t>(link);
  StepCounters& counters = parts_.known.counters;
  rest.groups.clear();
  rest.next = 0;
  const scene::SweptLink& swept = work_.links.swept(link);
  exact_.cull(index, swept, work_, known_, counters);
  if (work_.scratch.candidates.empty()) return;
  const core::AxisState& at0 = work_.links.at0(link);
  if (!exact_.triage(index, member_.active, work_, at0, counters)) return;
  for (const Triage::Group& group : work_.scratch.triage.groups()) {
    if (group.overlap == scene::kNone) {
      rest.groups.push_back(group);
    } else if (first) {
      PairCursor cursor;
      if (const auto contact = exact_.check_object(index, at0, group, core::kToEnd, work_,
                                                   {nullptr, known_.kept}, cursor, counters)) {
        note(*contact);
      }
    }
  }
  std::sort(rest.groups.begin(), rest.groups.end(), [](const auto& p, const auto& q) {
    return std::pair(p.suspects.front().free_until, p.object) <
           std::pair(q.suspects.front().free_until, q.object);
  });
}

void PartsRun::keep(LinkRest& rest) {
  std::swap(rest.candidates, work_.scratch.candidates);
  std::size_t count = 0;
  for (const Triage::Group& group : rest.groups) count += group.suspects.size();
  rest.suspects.clear();
  rest.suspects.reserve(count);  // spans into it follow
  for (Triage::Group& group : rest.groups) {
    const std::size_t begin = rest.suspects.size();
    rest.suspects.insert(rest.suspects.end(), group.suspects.begin(), group.suspects.end());
    group.suspects = std::span<const Suspect>(rest.suspects).subspan(begin);
  }
}

void PartsRun::look_at_pairs() {
  const LinkPairs& self = member_.self;
  const std::size_t links = self.none() ? 0 : work_.links.count();
  if (links > 0) work_.links.need_boxes();
  for (; parts_.link < links; ++parts_.link, parts_.other = parts_.link + 1) {
    known_.meter->spend();
    for (; parts_.other < links; ++parts_.other) {
      const NearLinks pair{parts_.link, parts_.other};
      const std::span<const core::Box> boxes = work_.links.boxes();
      if (!core::overlap(boxes[pair.link], boxes[pair.other])) continue;
      if (!self.active(static_cast<std::int32_t>(pair.link),
                       static_cast<std::int32_t>(pair.other))) {
        continue;
      }
      ++parts_.known.counters.link_pairs;
      if (surely_free(work_.links, work_.links, pair)) continue;
      const double free_until = free_at_least_until(work_.links, work_.links, pair);
      push(parts_.open, {std::min(free_until, 1.0), false, kNotKept, pair});
    }
  }
  parts_.stage = StepInParts::Stage::kAnswers;
}

void PartsRun::note(const Contact& contact) {
  parts_.known.contacts.push_back(contact);
  if (contact.status == ContactStatus::kGraze) return;
  if (exact_.options().contacts == Contacts::kFirst) {
    parts_.first_hi = std::min(parts_.first_hi, contact.toc[1]);
  }
}

bool PartsRun::is_more() const {
  // With Contacts::kFirst all that is left may be free until after a touch.
  return !parts_.open.empty() && parts_.open.front().free_until <= parts_.first_hi;
}

void PartsRun::take_next() {
  parts_.now = pop(parts_.open);
  parts_.cursor = {};
  if (!parts_.now->room) return;
  if (parts_.now->rest == kNotKept) {
    triage(parts_.now->pair.link, parts_.again, false);
  } else {
    std::swap(rest_now().candidates, work_.scratch.candidates);
  }
}

void PartsRun::answer_all() {
  for (;;) {
    if (!parts_.now) {
      if (!is_more()) break;
      known_.meter->spend();
      take_next();
    }
    if (!parts_.now->room) {
      answer_pair();
    } else if (!answer_room()) {
      OpenQuestion later = *parts_.now;
      later.free_until = std::max(later.free_until, rest_now().free_until());
      push(parts_.open, later);
      std::swap(rest_now().candidates, work_.scratch.candidates);
    }
    parts_.now.reset();
  }
  parts_.open.clear();
  end_contacts();
}

bool PartsRun::answer_room() {
  LinkRest& rest = rest_now();
  const std::size_t link = parts_.now->pair.link;
  const auto index = static_cast<std::int32_t>(link);
  while (rest.next < rest.groups.size()) {
    const Triage::Group& group = rest.groups[rest.next];
    // With Contacts::kFirst nothing is pruned inside: then nothing need be asked again.
    const auto contact = exact_.check_object(index, work_.links.at0(link), group, core::kToEnd,
                                             work_, known_, parts_.cursor, parts_.known.counters);
    if (contact) note(*contact);
    ++rest.next;
    parts_.cursor = {};
    if (rest.free_until() > parts_.first_hi) return true;
    const bool kept = parts_.now->rest != kNotKept;
    const bool other_first =
        !parts_.open.empty() && parts_.open.front().free_until < rest.free_until();
    if (kept && other_first && rest.next < rest.groups.size()) return false;
  }
  return true;
}

void PartsRun::answer_pair() {
  const NearLinks& pair = parts_.now->pair;
  const bool resume = std::exchange(parts_.cursor.searching, true);
  const std::optional<Contact> contact = contact_of_links(
      work_.links, work_.links, pair, {0, static_cast<std::int32_t>(pair.other)},
      {exact_.options().tolerance, parts_.first_hi, known_.stop, known_.meter, resume},
      work_.scratch.shapes, parts_.known.counters);
  if (contact) note(*contact);
}

void PartsRun::end_contacts() {
  StepReport& report = parts_.known;
  add_inside(report);
  scene::sort_contacts(report.contacts);
  report.safe_until = least_start(report.contacts);
  parts_.stage = StepInParts::Stage::kClearances;
  parts_.link = 0;
  parts_.in_motion = 0;
  if (exact_.options().clearance) ExactStep::begin_clearances(work_.links.count(), report);
}

void PartsRun::lower_to_movers() {
  const SceneView* const scene = exact_.scene();
  const std::size_t count = scene != nullptr ? scene->in_motion() : 0;
  for (; parts_.in_motion < count; ++parts_.in_motion) {
    if (!scene->may_lower(parts_.in_motion, work_.links, parts_.known)) continue;
    known_.meter->spend();
    scene->lower_clearances_to(parts_.in_motion, work_.links, member_.active, known_.stop,
                               parts_.known);
  }
}

void PartsRun::add_clearances() {
  const std::size_t links = exact_.options().clearance ? work_.links.count() : 0;
  for (; parts_.link < links; ++parts_.link) {
    known_.meter->spend();
    exact_.lower_room_clearance(parts_.link, member_, work_, known_, parts_.known);
  }
  if (links > 0 && parts_.link == links) lower_to_movers();
  const std::size_t end = member_.self.none() ? links : 2 * links;
  for (; parts_.link < end; ++parts_.link) {
    known_.meter->spend();
    exact_.lower_self_clearance(parts_.link - links, member_.self, work_, known_, parts_.known);
  }
  if (exact_.options().contacts == Contacts::kFirst) keep_least(parts_.known.contacts);
  parts_.stage = StepInParts::Stage::kDone;
}

}  // namespace tocsin::detect
