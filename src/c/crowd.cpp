// Crowds: several avatars, live.
#include <string>
#include <utility>
#include <vector>

#include "c/answers.h"
#include "c/convert.h"
#include "c/live_options.h"
#include "tocsin/c/live.h"

namespace tocsin::c {
namespace {

void begin_motions(LiveCrowd& crowd) {
  std::vector<LiveMotion> live;
  for (const Member& member : crowd.members) {
    live.push_back(live_motion_of(member.avatar.skeleton(), crowd.seconds_per_tick));
  }
  crowd.live = std::move(live);
  crowd.lost = false;
}

/// All poses are looked at before one is taken.
std::vector<std::vector<Transform>> taken_poses(const LiveCrowd& crowd,
                                                const tocsin_transform* poses, std::size_t joints) {
  std::size_t needed = 0;
  for (const LiveMotion& live : crowd.live) {
    needed += static_cast<std::size_t>(live.skeleton().size());
  }
  need_joints(joints, needed);
  need_list(poses, joints, "poses");
  std::vector<std::vector<Transform>> out;
  for (const LiveMotion& live : crowd.live) {
    out.push_back(taken_pose(live, poses));
    poses += live.skeleton().size();
  }
  return out;
}

/// The motions have the same ticks: one that is refused is refused by the first, and nothing
/// changes.
std::vector<Step> next_steps(LiveCrowd& crowd, std::vector<std::vector<Transform>> poses,
                             double tick) {
  std::vector<Step> out;
  out.reserve(crowd.live.size());
  for (std::size_t i = 0; i < crowd.live.size(); ++i) {
    out.push_back(
        next_step(crowd.live[i], std::move(poses[i]), tick, crowd.in_between, crowd.lost));
  }
  return out;
}

}  // namespace
}  // namespace tocsin::c

using namespace tocsin;     // NOLINT(google-build-using-namespace)
using namespace tocsin::c;  // NOLINT(google-build-using-namespace)

extern "C" {

tocsin_status tocsin_crowd_create(tocsin_detector detector, const tocsin_member* members,
                                  size_t count, const tocsin_live_options* options,
                                  tocsin_crowd* out) {
  return making(out, [&] {
    const auto from = borrow(detector);
    need_list(members, count, "members");
    const auto asked = read_options(options, "options");
    auto made = std::make_shared<LiveCrowd>();
    for (size_t i = 0; i < count; ++i) made->members.push_back(*borrow(members[i]));
    made->in_between = in_between_of(asked.in_between);
    if (asked.seconds_per_tick != 0.0) made->seconds_per_tick = asked.seconds_per_tick;
    begin_motions(*made);
    made->crowd.emplace(*from, made->members);
    return give<tocsin_crowd>(std::move(made));
  });
}

tocsin_status tocsin_crowd_push(tocsin_crowd crowd, const tocsin_transform* poses,
                                size_t joint_count, double tick,
                                const tocsin_check_options* options, tocsin_reports reports) {
  return answering(reports, [&](Reports& out) {
    const Use to(crowd);
    const Asked asked = asked_of(options);
    need_last_pose(to->lost);
    to->last = next_steps(*to, taken_poses(*to, poses, joint_count), tick);
    answer(out, to->crowd->check(to->last, asked.run));
  });
}

tocsin_status tocsin_crowd_again(tocsin_crowd crowd, const tocsin_check_options* options,
                                 tocsin_reports reports) {
  return answering(reports, [&](Reports& out) {
    const Use to(crowd);
    const Asked asked = asked_of(options);
    if (to->last.empty()) refuse("no instant was pushed");
    answer(out, to->crowd->check(to->last, asked.run));
  });
}

tocsin_status tocsin_crowd_check(tocsin_crowd crowd, const tocsin_step* steps, size_t count,
                                 const tocsin_check_options* options, tocsin_reports reports) {
  return answering(reports, [&](Reports& out) {
    const Use to(crowd);
    need_list(steps, count, "steps");
    if (count != to->members.size()) {
      refuse("there are " + std::to_string(count) + " steps for " +
             std::to_string(to->members.size()) + " members");
    }
    std::vector<Step> all;
    for (size_t i = 0; i < count; ++i) all.push_back(*borrow(steps[i]));
    answer(out, to->crowd->check(all, asked_of(options).run));
  });
}

tocsin_status tocsin_crowd_restart(tocsin_crowd crowd) {
  return guarded([&] {
    const Use to(crowd);
    begin_motions(*to);
  });
}

tocsin_status tocsin_crowd_set_detector(tocsin_crowd crowd, tocsin_detector detector) {
  return guarded([&] {
    const Use to(crowd);
    const auto from = borrow(detector);
    Crowd other(*from, to->members);
    to->crowd = std::move(other);
  });
}
}
