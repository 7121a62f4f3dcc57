// A session's part in the batches of its room's device.
#include <chrono>
#include <exception>
#include <new>
#include <utility>

#include "core/box.h"
#include "core/vec.h"
#include "scene/step_motion.h"
#include "service/session.h"

namespace tocsin::service {
namespace {

/// Metres, the diagonal of the box around an avatar and its way. A body that runs for a second has
/// half of it. Such a step may meet all of a room, and everybody else in the batch would wait for
/// it: it is checked alone. Smaller: honest ones who stall are checked alone; larger: who leaps may
/// hold up the others.
constexpr double kFarStep = 20.0;

bool goes_far(const Member& member, const Step& step, double margin) {
  scene::StepMotion motion;
  motion.begin(member.avatar, step, margin, core::Box{});
  const core::Box& box = motion.quick_box();
  return !(core::norm(core::to_double(box.hi) - core::to_double(box.lo)) <= kFarStep);
}

/// The report of one of a batch as Detector::check would give it: its avatar is the only one, also
/// where two of its own links meet.
StepReport as_alone(StepReport report) {
  report.avatar = 0;
  for (Contact& c : report.contacts) {
    if (c.other) c.other->avatar = 0;
  }
  return report;
}

}  // namespace

/// Members are lent and come back: who is asked about most often has much to copy.
BatchPart Session::begin_batched(BatchedStep& out) {
  const Step* step = nullptr;
  try {
    {
      const Lock lock(mutex_);
      if (meets_ && meets_->turn) {
        const Turn& turn = *meets_->turn;  // whoever runs the step has it
        if (!closing_ && !turn.met.problem && turn.step) step = &*turn.step;
      } else if (may_step()) {
        take_next();
      }
    }
    if (begun_) {
      begin(*begun_);
      if (begun_->step && !begun_->problem) step = &*begun_->step;
    }
    if (step == nullptr) return BatchPart::kAlone;
    if (goes_far(batching_->member, *step, options_.margin)) return BatchPart::kAloneSlowly;
    out.step = *step;
    out.member = std::move(batching_->member);
    return BatchPart::kJoins;
  } catch (const std::bad_alloc&) {
    return BatchPart::kAlone;  // what has not happened yet is tried again there
  }
}

void Session::end_batched(Member member, BatchedAnswer answer) {
  batching_->member = std::move(member);
  if (answer.report) *answer.report = as_alone(std::move(*answer.report));
  batching_->answer = std::move(answer);
}

Result<StepReport> Session::answer_to(const Step& step, double& device_seconds) {
  if (!batching_ || !batching_->answer || !batching_->answer->report) return check_step(step);
  device_seconds = batching_->answer->seconds;
  StepReport out = std::move(*batching_->answer->report);
  batching_->answer.reset();
  return out;
}

void Session::say_fallback(TrackReport& report) {
  if (!batching_ || batching_->told || batching_->group->device->works()) return;
  report.fallback = batching_->group->device->fallback();
  batching_->told = true;
}

}  // namespace tocsin::service
