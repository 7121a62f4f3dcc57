// Streams: one avatar, live.
#include <string>
#include <utility>
#include <vector>

#include "c/answers.h"
#include "c/convert.h"
#include "c/live_options.h"
#include "tocsin/c/live.h"

namespace tocsin::c {
namespace {

/// Checks a step, which go_on() is about from now on.
StepReport check_step(LiveStream& stream, const Step& step, const Asked& asked) {
  stream.last = step;
  stream.failed = true;  // until there is an answer
  StepReport report = asked.limited ? stream.stream->check_within(step, asked.budget)
                                    : stream.stream->check(step, asked.budget.stop);
  stream.failed = report.error.has_value();
  return report;
}

StepReport continue_step(LiveStream& stream, const Asked& asked) {
  if (stream.failed && stream.last) return check_step(stream, *stream.last, asked);
  if (!stream.stream->has_rest()) {
    refuse("there is nothing to continue: the last report was complete, or there is none");
  }
  stream.failed = true;
  StepReport report = stream.stream->go_on(asked.budget);
  stream.failed = report.error.has_value();
  return report;
}

}  // namespace

LiveMotion live_motion_of(const Skeleton& skeleton, double seconds_per_tick) {
  return LiveMotion::create(skeleton, {}, seconds_per_tick).value();
}

std::vector<Transform> taken_pose(const LiveMotion& live, const tocsin_transform* pose) {
  const auto joints = static_cast<std::size_t>(live.skeleton().size());
  auto out = copied<Transform>(pose, joints, "pose");
  static_cast<void>(live.take(out).value());
  return out;
}

void need_joints(std::size_t given, std::size_t needed) {
  if (given == needed) return;
  refuse("there are " + std::to_string(given) + " joints where " + std::to_string(needed) +
         " are needed");
}

Step next_step(LiveMotion& live, std::vector<Transform> pose, double tick, InBetween in_between,
               bool& lost) {
  try {
    return live.next(std::move(pose), tick, in_between).value();
  } catch (const std::bad_alloc&) {
    lost = true;
    throw;
  }
}

void need_last_pose(bool lost) {
  if (lost) {
    throw Failure{TOCSIN_ERROR_RESOURCE,
                  "the last pose was lost when memory ran out: restart, and begin a new motion"};
  }
}

}  // namespace tocsin::c

using namespace tocsin;     // NOLINT(google-build-using-namespace)
using namespace tocsin::c;  // NOLINT(google-build-using-namespace)

extern "C" {

tocsin_status tocsin_stream_create(tocsin_detector detector, tocsin_member member,
                                   const tocsin_live_options* options, tocsin_stream* out) {
  return making(out, [&] {
    const auto from = borrow(detector);
    const auto who = borrow(member);
    const auto asked = read_options(options, "options");
    auto made = std::make_shared<LiveStream>();
    made->member = *who;
    made->in_between = in_between_of(asked.in_between);
    if (asked.seconds_per_tick != 0.0) made->seconds_per_tick = asked.seconds_per_tick;
    made->live = live_motion_of(who->avatar.skeleton(), made->seconds_per_tick);
    made->stream.emplace(*from, *who);
    return give<tocsin_stream>(std::move(made));
  });
}

tocsin_status tocsin_stream_push(tocsin_stream stream, const tocsin_transform* pose,
                                 size_t joint_count, double tick,
                                 const tocsin_check_options* options, tocsin_reports reports) {
  return answering(reports, [&](Reports& out) {
    const Use to(stream);
    const Asked asked = asked_of(options);
    need_last_pose(to->lost);
    need_joints(joint_count, static_cast<std::size_t>(to->live.skeleton().size()));
    const Step step =
        next_step(to->live, taken_pose(to->live, pose), tick, to->in_between, to->lost);
    answer(out, check_step(*to, step, asked));
  });
}

tocsin_status tocsin_stream_check(tocsin_stream stream, tocsin_step step,
                                  const tocsin_check_options* options, tocsin_reports reports) {
  return answering(reports, [&](Reports& out) {
    const Use to(stream);
    const auto way = borrow(step);
    answer(out, check_step(*to, *way, asked_of(options)));
  });
}

tocsin_status tocsin_stream_go_on(tocsin_stream stream, const tocsin_check_options* options,
                                  tocsin_reports reports) {
  return answering(reports, [&](Reports& out) {
    const Use to(stream);
    answer(out, continue_step(*to, asked_of(options)));
  });
}

tocsin_status tocsin_stream_restart(tocsin_stream stream) {
  return guarded([&] {
    const Use to(stream);
    to->live = live_motion_of(to->member.avatar.skeleton(), to->seconds_per_tick);
    to->lost = false;
  });
}

tocsin_status tocsin_stream_set_detector(tocsin_stream stream, tocsin_detector detector) {
  return guarded([&] {
    const Use to(stream);
    const auto from = borrow(detector);
    Stream other(*from, to->member);
    to->stream = std::move(other);
  });
}
}
