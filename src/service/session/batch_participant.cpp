#include "service/session/batch_participant.h"

#include <chrono>
#include <new>
#include <optional>
#include <utility>

#include "core/bounds/box.h"
#include "core/vector/vec.h"
#include "scene/swept/step_motion.h"

namespace tocsin::service {
namespace {

/// Metres: a diagonal of the box around an avatar during a step. A longer step is checked alone,
/// because it may touch all of a room, and the whole batch would wait for it. A body that runs for
/// a second has half of it. Smaller: sessions of honest clients whose stream stalls are checked
/// alone. Larger: an avatar that leaps may delay the others.
constexpr double kFarStep = 20.0;

bool goes_far(const Member& member, const Step& step, double margin) {
  scene::StepMotion motion;
  motion.begin(member.avatar, step, margin, core::Box{});
  const core::Box& box = motion.coarse_box();
  return !(core::norm(core::to_double(box.hi) - core::to_double(box.lo)) <= kFarStep);
}

/// The report as Detector::check would give it: the avatar has index 0, also in contacts of its own
/// links.
StepReport as_alone(StepReport report) {
  report.avatar = 0;
  for (Contact& c : report.contacts) {
    if (c.other()) c.other()->avatar = 0;
  }
  return report;
}

}  // namespace

BatchParticipant::BatchParticipant(SessionControl& control, StepPipeline& pipeline,
                                   const MeetingParticipant* meets,
                                   std::shared_ptr<BatchGroup> group, Member member, double margin)
    : control_(control),
      pipeline_(pipeline),
      meets_(meets),
      group_(std::move(group)),
      margin_(margin),
      member_(std::move(member)) {}

/// Null: there is no step for a device.
const Step* BatchParticipant::next_step() {
  std::optional<NextFrame> next;
  {
    const SessionControl::Lock lock = control_.lock();
    const Turn* const turn = meets_ != nullptr ? meets_->turn() : nullptr;
    if (turn != nullptr) {
      const bool has_step = goes_on(control_.work().state()) && !turn->result.problem && turn->step;
      return has_step ? &*turn->step : nullptr;
    }
    if (control_.work().may_step()) {
      pipeline_.make_room();
      next = control_.work().queue().take();
    }
  }
  if (next) pipeline_.begin(std::move(*next), std::chrono::steady_clock::now());
  const BegunStep* const begun = pipeline_.begun();
  return begun != nullptr && begun->step && !begun->problem ? &*begun->step : nullptr;
}

/// The Member is moved out and comes back, because a copy at every step would be expensive.
BatchPart BatchParticipant::begin(BatchedStep& out) {
  try {
    const Step* const step = next_step();
    if (step == nullptr) return BatchPart::kAlone;
    if (goes_far(member_, *step, margin_)) return BatchPart::kAloneSlowly;
    out.step = *step;
    out.member = std::move(member_);
    return BatchPart::kJoins;
  } catch (const std::bad_alloc&) {
    return BatchPart::kAlone;  // the worker tries again
  }
}

void BatchParticipant::end(Member member, BatchedAnswer answer) {
  member_ = std::move(member);
  if (answer.report) *answer.report = as_alone(std::move(*answer.report));
  pipeline_.checker().leave(std::move(answer));
}

}  // namespace tocsin::service
