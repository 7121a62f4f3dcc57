#include "detect/step/exact_step.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <new>
#include <utility>

#include "core/query/certify.h"
#include "detect/shapes/shape_clearance.h"
#include "detect/step/clearance.h"
#include "detect/step/contact_at.h"
#include "detect/step/step_problem.h"
#include "scene/tree/may_touch.h"

namespace tocsin::detect {

namespace {

/// Fewer suspects than this are certified one by one: one lane costs as much.
constexpr std::size_t kLeastTogether = 2;

constexpr core::Certificate kOverlapping{core::Outcome::kOverlap, 0.0, 0.0, false, 0};

}  // namespace

StepReport report_of(const Step& step, std::optional<Error> error) {
  StepReport report;
  report.step = step.index();
  report.frames = step.frames();
  report.error = std::move(error);
  return report;
}

StepReport report_without_memory(const Step& step) {
  return report_of(step, Error{ErrorCode::kResource, "out of memory while checking a step"});
}

void set_avatar(StepReport& report, std::int32_t avatar) {
  report.avatar = avatar;
  for (Contact& c : report.contacts) {
    if (OtherLink* const other = c.other()) other->avatar = avatar;
  }
}

Error pairs_need_certify() {
  return {ErrorCode::kUsage, "image space knows no pairs of links: they need certify"};
}

void keep_least(std::vector<Contact>& contacts) {
  if (contacts.empty()) return;
  contacts = {*std::min_element(
      contacts.begin(), contacts.end(),
      [](const Contact& p, const Contact& q) { return order_of_first(p) < order_of_first(q); })};
}

ExactStep::ExactStep(Environment environment, const DetectorOptions& options,
                     std::shared_ptr<const cpu::TreeCuller> tree,
                     std::shared_ptr<const SceneView> scene)
    : environment_(std::move(environment)),
      options_(options),
      tree_(std::move(tree)),
      scene_(std::move(scene)),
      solid_(environment_, options_.surfaces),
      farthest_(scene::farthest_coordinate(tree_->bounds())) {}

std::uint32_t ExactStep::advance(const core::LinkMotion& motion, const core::AxisState& at0,
                                 std::span<const Suspect> suspects, double stop_after,
                                 const Workspace& work, StepCounters& counters) const {
  constexpr std::size_t kAtOnce = scene::kBlockSize;
  const std::span<const Suspect> next = suspects.first(std::min(suspects.size(), kAtOnce));
  if (next.size() < kLeastTogether) return 0;
  work.scratch.together.clear();
  for (const Suspect& s : next) {
    if (s.free_until > stop_after) break;
    work.scratch.together.add(work.scratch.candidates.block(s.candidate / kAtOnce),
                              1U << s.candidate % kAtOnce);
  }
  const cpu::Advanced m =
      cpu::advance(motion, at0, work.scratch.together.block(0), options_.tolerance, stop_after);
  counters.evaluations += m.evaluations;
  return m.settled;
}

PairContact ExactStep::check_pair(const scene::SweptLink& swept, const core::AxisState& at0,
                                  const Triage::Group& group, double stop_after,
                                  const Workspace& work, const Known& known, PairCursor& cursor,
                                  StepCounters& counters) const {
  const core::LinkMotion& motion = swept.motion;
  const std::uint32_t first = environment_.objects()[group.object].first_triangle;
  PairContact& pair = cursor.pair;
  if (group.overlap != scene::kNone) {
    pair.add(group.overlap - first, kOverlapping);
    return pair;
  }
  const auto limit = [&] { return std::min(pair.stop_after(), stop_after); };
  for (std::size_t& i = cursor.next; i < group.suspects.size(); ++i) {
    const Suspect& suspect = group.suspects[i];
    // This one and all that follow are proved free beyond the best touch so far.
    if (suspect.free_until > limit()) break;
    spend(known.meter);
    // The first is likely to touch, and tells how far the others matter: most of them are settled
    // together.
    if (i > 0 && (i - 1) % scene::kBlockSize == 0) {
      cursor.settled = advance(motion, at0, group.suspects.subspan(i), limit(), work, counters);
    }
    if (i > 0 && (cursor.settled >> (i - 1) % scene::kBlockSize & 1U) != 0) continue;
    const core::Certificate c =
        cpu::certify(motion, at0, triangle_of(environment_, suspect.triangle, motion.ref),
                     options_.tolerance, limit());
    counters.evaluations += static_cast<std::uint64_t>(c.evaluations);
    // What no touch was proved of, and a volume of the link's proves free, depends on no tree.
    if (c.outcome == core::Outcome::kGraze &&
        !scene::may_graze(swept, environment_.corners(suspect.triangle), farthest_)) {
      continue;
    }
    pair.add(suspect.triangle - first, c);
  }
  return pair;
}

bool ExactStep::triage(std::int32_t link, const ActivePairs& active, const Workspace& work,
                       const core::AxisState& at0, StepCounters& counters) const {
  const scene::SweptLink& swept = work.links.swept(static_cast<std::size_t>(link));
  const bool shaped = !work.links.shape(static_cast<std::size_t>(link)).empty();
  work.scratch.triage.fill(environment_, active, link, swept.motion, at0, work.scratch.candidates,
                           shaped, counters);
  return !work.scratch.triage.groups().empty();
}

void ExactStep::cull(std::int32_t link, const scene::SweptLink& swept, const Workspace& work,
                     const Known& known, StepCounters& counters) const {
  work.scratch.candidates.clear();
  if (known.kept != nullptr) {
    add_candidates(*known.kept, link, environment_, scene::NearTest(swept, farthest_),
                   work.scratch.candidates, counters);
    return;
  }
  scene::CullCounters cost;
  tree_->cull(swept, work.scratch.candidates, cost);
  ++counters.tree_queries;
  counters.volume_tests += cost.volume_tests;
  counters.primitive_tests += cost.primitive_tests;
  counters.updates += cost.updates;
}

void ExactStep::check_link(std::int32_t link, const ActivePairs& active, const Workspace& work,
                           const Known& known, StepReport& report, double& first_hi) const {
  const scene::SweptLink& swept = work.links.swept(static_cast<std::size_t>(link));
  cull(link, swept, work, known, report.counters);
  if (work.scratch.candidates.empty()) return;
  const core::AxisState at0 = cpu::evaluate(swept.motion, 0.0);
  if (!triage(link, active, work, at0, report.counters)) return;
  for (const Triage::Group& group : work.scratch.triage.groups()) {
    const std::optional<Contact> c =
        check_object(link, at0, group, first_hi, work, known, report.counters);
    if (!c) continue;
    report.contacts.push_back(*c);
    const bool touches = c->status != ContactStatus::kGraze;
    if (options_.contacts == Contacts::kFirst && touches) first_hi = std::min(first_hi, c->toc[1]);
  }
}

std::optional<Contact> ExactStep::check_object(std::int32_t link, const core::AxisState& at0,
                                               const Triage::Group& group, double stop_after,
                                               const Workspace& work, const Known& known,
                                               StepCounters& counters) const {
  PairCursor cursor;
  return check_object(link, at0, group, stop_after, work, known, cursor, counters);
}

std::optional<Contact> ExactStep::check_object(std::int32_t link, const core::AxisState& at0,
                                               const Triage::Group& group, double stop_after,
                                               const Workspace& work, const Known& known,
                                               PairCursor& cursor, StepCounters& counters) const {
  const auto index = static_cast<std::size_t>(link);
  const scene::SweptLink& swept = work.links.swept(index);
  if (work.links.shape(index).empty()) {
    const PairContact pair =
        check_pair(swept, at0, group, stop_after, work, known, cursor, counters);
    if (!pair.any()) return std::nullopt;
    return contact_of(link, group.object, environment_, swept.motion, at0, pair);
  }
  std::vector<std::uint32_t>& triangles = work.scratch.triangles;
  triangles.clear();
  for (const Suspect& suspect : group.suspects) triangles.push_back(suspect.triangle);
  std::sort(triangles.begin(), triangles.end());
  const bool resume = std::exchange(cursor.searching, true);
  return work.scratch.shapes.with_room(
      work.links, index, {environment_, group.object, triangles},
      {options_.tolerance, stop_after, known.stop, known.meter, resume}, counters);
}

Contact ExactStep::ask_again(const Contact& contact, const core::AxisState& at0,
                             const Workspace& work, const Known& known,
                             StepCounters& counters) const {
  const auto groups = work.scratch.triage.groups();
  const std::uint32_t object = contact.room()->object;
  const auto group =
      std::lower_bound(groups.begin(), groups.end(), object,
                       [](const auto& g, std::uint32_t wanted) { return g.object < wanted; });
  if (group == groups.end() || group->object != object) {
    return contact;  // cannot be: it was there before
  }
  return check_object(contact.link, at0, *group, core::kToEnd, work, known, counters)
      .value_or(contact);
}

void ExactStep::keep_first(const ActivePairs& active, const Workspace& work, const Known& known,
                           StepReport& report) const {
  if (report.contacts.empty()) return;
  // What ends a graze or a wide bracket may have been pruned because another pair touches earlier.
  // Those that could be first are asked again without, or the answer would depend on the order of
  // the links.
  std::int32_t looked_at = -1;  // contacts come link by link: each link is looked at once
  core::AxisState at0;
  for (Contact& c : report.contacts) {
    if (c.status == ContactStatus::kOverlap || c.toc[0] > report.safe_until || !c.room()) {
      continue;
    }
    known.go_on();
    if (c.link != looked_at) {
      looked_at = c.link;
      const scene::SweptLink& swept = work.links.swept(static_cast<std::size_t>(c.link));
      cull(c.link, swept, work, known, report.counters);
      at0 = cpu::evaluate(swept.motion, 0.0);
      triage(c.link, active, work, at0, report.counters);
    }
    c = ask_again(c, at0, work, known, report.counters);
  }
  keep_least(report.contacts);
}

bool ExactStep::check_links(const ActivePairs& active, const Workspace& work, const Known& known,
                            StepReport& report, double& first_hi) const {
  StepCounters& counters = report.counters;
  if (known.kept != nullptr) {
    counters = known.kept->counters;
    for (const auto& of_link : known.kept->links) {
      known.go_on();
      check_link(of_link.link, active, work, known, report, first_hi);
    }
    return true;
  }
  Coherence* const coherence = known.coherence;
  const auto is_clear = [&](const core::Box& box) {
    ++counters.tree_queries;
    return tree_->clear_of(box);
  };
  // Paper 004, section 5: the avatar's box first. Most steps of most avatars end here.
  const core::Box& whole = work.links.coarse_box();
  if (coherence != nullptr ? coherence->avatar_is_clear(whole, counters) : is_clear(whole)) {
    return false;
  }
  for (std::size_t i = 0; i < work.links.count(); ++i) {
    const core::Box box = work.links.coarse_box(i);
    if (coherence != nullptr ? coherence->link_is_clear(i, box, counters) : is_clear(box)) continue;
    ++counters.near_links;
    known.go_on();
    check_link(static_cast<std::int32_t>(i), active, work, known, report, first_hi);
  }
  return true;
}

StepReport ExactStep::check(const Member& member, const Step& step, const Workspace& work,
                            const Known& known) const {
  if (std::optional<Error> problem = problem_with(member, step, environment_)) {
    return report_of(step, std::move(problem));
  }
  try {
    if (!scene_ || !scene_->filters(known.asker)) return check_sound(member, step, work, known);
    Member seen = member;
    seen.active = scene_->active(member, known.asker);
    return check_sound(seen, step, work, known);
  } catch (const std::bad_alloc&) {
    return report_without_memory(step);
  } catch (const Stopped&) {
    return report_of(step, Error{ErrorCode::kCancelled, "stopped in the midst of a step"});
  }
}

const core::Box* ExactStep::refs_around(const Known& known, core::Box& room) const {
  if (!scene_ || scene_->movers().size() == 0) return known.others;
  room = scene_->movers().refs();
  if (known.others != nullptr) room = core::join(room, *known.others);
  return &room;
}

void ExactStep::add_movers(const Member& member, const Workspace& work, const Known& known,
                           StepReport& report) const {
  if (!scene_) return;
  scene_->add_contacts(work.links, member.active, known.asker,
                       {options_.tolerance, core::kToEnd, known.stop}, report);
}

bool ExactStep::may_be_inside(bool near, const core::Box& links) const {
  if (solid_.none()) return false;
  const bool moving = scene_ && scene_->in_motion() > 0;
  return near || moving || !nothing_around(links);
}

StepReport ExactStep::check_sound(const Member& member, const Step& step, const Workspace& work,
                                  const Known& known) const {
  StepReport report = report_of(step, std::nullopt);
  core::Box room;
  work.links.begin(member.avatar, step, options_.margin, tree_->bounds(), refs_around(known, room));
  double first_hi = core::kToEnd;
  const bool near = check_links(member.active, work, known, report, first_hi);
  add_movers(member, work, known, report);
  if (may_be_inside(near, work.links.coarse_box())) {
    add_inside(member.active, work.links, report, known.asker);
  }
  if (known.asker) scene_->add_held(*known.asker, report);
  if (!member.self.none()) check_self(member.self, work, known, report, first_hi);
  report.safe_until = 1.0;
  for (const Contact& c : report.contacts) {
    report.safe_until = std::min(report.safe_until, c.toc[0]);
  }
  if (options_.clearance) add_clearances(member, work, known, report);
  if (options_.contacts == Contacts::kFirst) keep_first(member.active, work, known, report);
  return report;
}

void ExactStep::begin_clearances(std::size_t links, StepReport& report) {
  report.clearances.assign(links, HUGE_VAL);
  for (const Contact& c : report.contacts) {
    report.clearances[static_cast<std::size_t>(c.link)] = 0.0;
    if (const OtherLink* const other = c.other()) {
      report.clearances[static_cast<std::size_t>(other->link)] = 0.0;
    }
  }
}

void ExactStep::add_clearances(const Member& member, const Workspace& work, const Known& known,
                               StepReport& report) const {
  begin_clearances(work.links.count(), report);
  lower_clearances(member, work, known, report);
}

void ExactStep::lower_room_clearance(std::size_t link, const Member& member, const Workspace& work,
                                     const Known& known, StepReport& report) const {
  if (!(report.clearances[link] > 0.0)) return;
  known.go_on();
  const std::function<bool(std::uint32_t)> wanted = [&](std::uint32_t triangle) {
    return member.active.active(static_cast<std::int32_t>(link), environment_.object_of(triangle));
  };
  report.clearances[link] =
      work.links.shape(link).empty()
          ? proved_clearance(work.links.motion(link), *tree_, wanted)
          : shape_clearance(work.links, link, {environment_, *tree_, wanted}, known.stop);
}

void ExactStep::lower_mover_clearances(const Member& member, const Workspace& work,
                                       const Known& known, StepReport& report) const {
  if (!scene_) return;
  scene_->lower_clearances(work.links, member.active, known.asker, known.stop, report);
}

void ExactStep::lower_clearances(const Member& member, const Workspace& work, const Known& known,
                                 StepReport& report) const {
  for (std::size_t i = 0; i < work.links.count(); ++i) {
    lower_room_clearance(i, member, work, known, report);
  }
  lower_mover_clearances(member, work, known, report);
  if (member.self.none()) return;
  for (std::size_t i = 0; i < work.links.count(); ++i) {
    lower_self_clearance(i, member.self, work, known, report);
  }
}

void ExactStep::add_room_clearances(const Question& question, StepReport& report) const {
  thread_local OwnWorkspace own;
  own.links.begin(question.member->avatar, *question.step, options_.margin, tree_->bounds());
  lower_clearances(*question.member, {own.links, own.scratch}, {}, report);
}

}  // namespace tocsin::detect
