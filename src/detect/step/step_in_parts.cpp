#include "detect/step/step_in_parts.h"

#include <algorithm>
#include <new>
#include <utility>

#include "detect/step/parts_run.h"
#include "detect/step/step_problem.h"
#include "scene/tree/contact_order.h"

namespace tocsin::detect {

double least_start(std::span<const Contact> contacts) {
  double out = 1.0;
  for (const Contact& c : contacts) out = std::min(out, c.toc[0]);
  return out;
}

double PartsRun::bound_of_now() const {
  const OpenQuestion& now = *parts_.now;
  const PairCursor& cursor = parts_.cursor;
  if (!now.room) {
    const bool shaped =
        !work_.links.shape(now.pair.link).empty() || !work_.links.shape(now.pair.other).empty();
    if (!shaped || !cursor.searching) return now.free_until;
    return std::max(now.free_until, work_.scratch.shapes.proved_until());
  }
  const LinkRest& rest = now.rest == kNotKept ? parts_.again : parts_.rests[now.rest];
  const std::span<const Suspect> suspects = rest.groups[rest.next].suspects;
  double out = suspects.front().free_until;
  if (work_.links.shape(now.pair.link).empty()) {
    out = cursor.next < suspects.size() ? suspects[cursor.next].free_until : 1.0;
    if (cursor.pair.any()) out = std::min(out, cursor.pair.lo());
  } else if (cursor.searching) {
    out = std::max(out, work_.scratch.shapes.proved_until());
  }
  if (rest.next + 1 < rest.groups.size()) {
    out = std::min(out, rest.groups[rest.next + 1].suspects.front().free_until);
  }
  return std::max(out, now.free_until);
}

double PartsRun::checked_until() const {
  using Stage = StepInParts::Stage;
  if (parts_.stage < Stage::kAnswers) return 0.0;
  double out = parts_.open.empty() ? 1.0 : parts_.open.front().free_until;
  if (parts_.now) out = std::min(out, bound_of_now());
  return std::min(out, 1.0);
}

void PartsRun::add_inside(StepReport& report) const {
  if (!exact_.may_be_inside(parts_.near, work_.links.coarse_box())) return;
  exact_.add_inside(member_.active, work_.links, report);
}

StepReport PartsRun::report() const {
  using Stage = StepInParts::Stage;
  StepReport out = parts_.known;
  if (parts_.stage == Stage::kDone) return out;
  const bool is_first = exact_.options().contacts == Contacts::kFirst;
  out.complete = false;
  if (exact_.options().clearance) out.clearances.assign(work_.links.count(), 0.0);
  if (parts_.stage == Stage::kClearances) {
    if (is_first) keep_least(out.contacts);
    return out;
  }
  out.checked_until = checked_until();
  // A question that is free until a time after the start has the same contact inside a solid as
  // when it is answered: docs/exact.md, "A step in parts".
  if (out.checked_until > 0.0) add_inside(out);
  if (is_first) {
    // What is found so far need not be the first.
    out.checked_until = std::min(out.checked_until, least_start(out.contacts));
    out.contacts.clear();
  }
  std::erase_if(out.contacts, [&](const Contact& c) { return c.toc[0] >= out.checked_until; });
  scene::sort_contacts(out.contacts);
  out.safe_until = std::min(out.checked_until, least_start(out.contacts));
  return out;
}

namespace {

void begin_again(StepInParts& parts, const Step& step) {
  parts.stage = StepInParts::Stage::kMovers;
  parts.link = 0;
  parts.other = 0;
  parts.near = false;
  parts.avatar_was_asked = false;
  parts.in_motion = 0;
  parts.open.clear();
  parts.rests_in_use = 0;
  parts.kept_candidates = 0;
  parts.now.reset();
  parts.cursor = {};
  parts.first_hi = core::kToEnd;
  parts.known = report_of(step, std::nullopt);
}

/// Goes on with a step whose links are set.
StepReport go_on_guarded(const ExactStep& exact, const PartsQuestion& question, StepInParts& parts,
                         Meter& meter) {
  const Workspace work{question.links, question.scratch};
  const Known known{question.coherence, nullptr, &meter.stop(), nullptr, &meter};
  PartsRun run(exact, parts.seen ? *parts.seen : question.member, work, known, parts);
  const auto failed = [&](ErrorCode code, const char* why) {
    parts.stage = StepInParts::Stage::kDone;
    StepReport out;
    out.step = parts.known.step;
    out.frames = parts.known.frames;
    out.error = Error{code, why};
    return out;
  };
  try {
    try {
      run.run();
    } catch (const Spent&) {
      // What is not done is told below.
    }
    return run.report();
  } catch (const std::bad_alloc&) {
    return failed(ErrorCode::kResource, "out of memory while checking a step");
  } catch (const Stopped&) {
    return failed(ErrorCode::kCancelled, "stopped in the midst of a step");
  }
}

}  // namespace

StepReport check_in_parts(const ExactStep& exact, const PartsQuestion& question, const Step& step,
                          const StepBudget& budget, StepInParts& parts) {
  parts.stage = StepInParts::Stage::kDone;
  if (std::optional<Error> problem = problem_with(question.member, step, exact.environment())) {
    return report_of(step, std::move(problem));
  }
  Meter meter(budget);
  try {
    core::Box room;
    Known around;
    around.others = question.others;
    question.links.begin(question.member.avatar, step, exact.options().margin,
                         exact.tree().bounds(), exact.refs_around(around, room));
    parts.seen.reset();
    if (exact.scene() != nullptr && exact.scene()->filters({})) {
      parts.seen = question.member;
      parts.seen->active = exact.scene()->active(question.member, {});
    }
  } catch (const std::bad_alloc&) {
    return report_without_memory(step);
  }
  begin_again(parts, step);
  return go_on_guarded(exact, question, parts, meter);
}

StepReport go_on_in_parts(const ExactStep& exact, const PartsQuestion& question,
                          const StepBudget& budget, StepInParts& parts) {
  Meter meter(budget);
  return go_on_guarded(exact, question, parts, meter);
}

}  // namespace tocsin::detect
