#include "tocsin/c/motion.h"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "c/convert.h"
#include "c/objects.h"

namespace tocsin::c {
namespace {

std::vector<Joint> joints_of(std::size_t count, const char* const* names,
                             const std::int32_t* parents, const tocsin_transform* rest) {
  need_list(names, count, "names");
  need_list(parents, count, "parents");
  need_list(rest, count, "rest");
  std::vector<Joint> out;
  for (std::size_t i = 0; i < count; ++i) {
    out.push_back({text(names[i], "names"), parents[i], same_bytes<Transform>(rest[i])});
  }
  return out;
}

std::vector<Transform> poses_of(const Skeleton& skeleton, const tocsin_transform* poses,
                                std::size_t frames) {
  const auto joints = static_cast<std::size_t>(skeleton.size());
  if (joints > 0 && frames > std::numeric_limits<std::size_t>::max() / sizeof(Transform) / joints) {
    refuse("no memory holds " + std::to_string(frames) + " frames");
  }
  return copied<Transform>(poses, frames * joints, "poses");
}

const Joint& joint_of(const Skeleton& skeleton, std::size_t joint) {
  if (joint >= skeleton.joints().size()) {
    refuse("there is no joint " + std::to_string(joint) + ": the skeleton has " +
           std::to_string(skeleton.size()));
  }
  return skeleton.joints()[joint];
}

void need_frame(const Motion& motion, std::int64_t frame) {
  if (frame < 0 || frame >= motion.frame_count()) {
    refuse("there is no frame " + std::to_string(frame) + ": the motion has " +
           std::to_string(motion.frame_count()));
  }
}

Step only_step(const Motion& motion, const StepRange& range) {
  return motion.steps(range).value().at(0);
}

}  // namespace
}  // namespace tocsin::c

using namespace tocsin;     // NOLINT(google-build-using-namespace)
using namespace tocsin::c;  // NOLINT(google-build-using-namespace)

extern "C" {

tocsin_status tocsin_skeleton_create(size_t count, const char* const* names, const int32_t* parents,
                                     const tocsin_transform* rest, tocsin_skeleton* out) {
  return making(out, [&] {
    return give_value<tocsin_skeleton>(
        Skeleton::create(joints_of(count, names, parents, rest)).value());
  });
}

tocsin_status tocsin_skeleton_joint_count(tocsin_skeleton skeleton, size_t* count) {
  return guarded([&] {
    const auto from = borrow(skeleton);
    need(count, "count");
    *count = from->joints().size();
  });
}

tocsin_status tocsin_skeleton_joint_name(tocsin_skeleton skeleton, size_t joint, char* buffer,
                                         size_t capacity, size_t* length) {
  return guarded([&] {
    const auto from = borrow(skeleton);
    hand_out_text(joint_of(*from, joint).name, buffer, capacity, length);
  });
}

tocsin_status tocsin_skeleton_parents(tocsin_skeleton skeleton, int32_t* parents, size_t capacity,
                                      size_t* count) {
  return guarded([&] {
    const auto from = borrow(skeleton);
    std::vector<int32_t> all;
    for (const Joint& joint : from->joints()) all.push_back(joint.parent);
    hand_out(std::span<const int32_t>(all), parents, capacity, count);
  });
}

tocsin_status tocsin_skeleton_rest(tocsin_skeleton skeleton, tocsin_transform* rest,
                                   size_t capacity, size_t* count) {
  return guarded([&] {
    const auto from = borrow(skeleton);
    std::vector<Transform> all;
    for (const Joint& joint : from->joints()) all.push_back(joint.rest);
    hand_out(std::span<const Transform>(all), rest, capacity, count);
  });
}

tocsin_status tocsin_skeleton_find(tocsin_skeleton skeleton, const char* name, int32_t* joint) {
  return guarded([&] {
    const auto from = borrow(skeleton);
    need(joint, "joint");
    *joint = from->find(text(name, "name"));
  });
}

tocsin_status tocsin_motion_create(tocsin_skeleton skeleton, double frame_time,
                                   const tocsin_transform* poses, size_t frame_count,
                                   tocsin_motion* out) {
  return making(out, [&] {
    const auto from = borrow(skeleton);
    return give_value<tocsin_motion>(
        Motion::create(*from, frame_time, poses_of(*from, poses, frame_count)).value());
  });
}

tocsin_status tocsin_motion_create_timed(tocsin_skeleton skeleton, double seconds_per_tick,
                                         const double* ticks, const tocsin_transform* poses,
                                         size_t frame_count, tocsin_motion* out) {
  return making(out, [&] {
    const auto from = borrow(skeleton);
    auto at = copied<double>(ticks, frame_count, "ticks");
    auto all = poses_of(*from, poses, frame_count);
    return give_value<tocsin_motion>(
        Motion::create_timed(*from, seconds_per_tick, std::move(at), std::move(all)).value());
  });
}

tocsin_status tocsin_motion_placed(tocsin_motion motion, const tocsin_vec3* translation,
                                   double yaw_degrees, tocsin_motion* out) {
  return making(out, [&] {
    const auto from = borrow(motion);
    need(translation, "translation");
    return give_value<tocsin_motion>(
        from->placed({same_bytes<Vec3>(*translation), yaw_degrees}).value());
  });
}

tocsin_status tocsin_motion_skeleton(tocsin_motion motion, tocsin_skeleton* out) {
  return making(out, [&] { return give_value<tocsin_skeleton>(borrow(motion)->skeleton()); });
}

tocsin_status tocsin_motion_frame_count(tocsin_motion motion, int64_t* count) {
  return guarded([&] {
    const auto from = borrow(motion);
    need(count, "count");
    *count = from->frame_count();
  });
}

tocsin_status tocsin_motion_seconds(tocsin_motion motion, int64_t frame, double* seconds) {
  return guarded([&] {
    const auto from = borrow(motion);
    need(seconds, "seconds");
    need_frame(*from, frame);
    *seconds = from->seconds(frame);
  });
}

tocsin_status tocsin_motion_pose(tocsin_motion motion, int64_t frame, tocsin_transform* pose,
                                 size_t capacity, size_t* count) {
  return guarded([&] {
    const auto from = borrow(motion);
    need_frame(*from, frame);
    hand_out(from->pose(frame), pose, capacity, count);
  });
}

tocsin_status tocsin_motion_warnings(tocsin_motion motion, char* buffer, size_t capacity,
                                     size_t* length) {
  return guarded([&] {
    const auto from = borrow(motion);
    hand_out_text(lines(from->source().warnings), buffer, capacity, length);
  });
}

tocsin_status tocsin_motion_step(tocsin_motion motion, int64_t first, int64_t last,
                                 int32_t in_between, tocsin_step* out) {
  return making(out, [&] {
    const auto from = borrow(motion);
    const InBetween between = in_between_of(in_between);
    need_frame(*from, first);
    need_frame(*from, last);
    if (last <= first) refuse("a step's last frame is after its first");
    return give_value<tocsin_step>(only_step(*from, {first, last, last - first, between}));
  });
}

tocsin_status tocsin_step_create(tocsin_skeleton skeleton, const tocsin_transform* pose0,
                                 const tocsin_transform* pose1, size_t joint_count,
                                 int32_t in_between, tocsin_step* out) {
  return making(out, [&] {
    const auto from = borrow(skeleton);
    const InBetween between = in_between_of(in_between);
    if (joint_count != static_cast<std::size_t>(from->size())) {
      refuse("the poses have " + std::to_string(joint_count) + " joints, the skeleton " +
             std::to_string(from->size()));
    }
    auto poses = copied<Transform>(pose0, joint_count, "pose0");
    const auto second = copied<Transform>(pose1, joint_count, "pose1");
    poses.insert(poses.end(), second.begin(), second.end());
    const Motion motion = Motion::create(*from, 1.0, std::move(poses)).value();
    return give_value<tocsin_step>(only_step(motion, {0, 1, 1, between}));
  });
}

tocsin_status tocsin_step_seconds(tocsin_step step, double t, double* seconds) {
  return guarded([&] {
    const auto from = borrow(step);
    need(seconds, "seconds");
    *seconds = from->seconds(t);
  });
}

tocsin_status tocsin_step_pose(tocsin_step step, double t, tocsin_transform* pose, size_t capacity,
                               size_t* count) {
  return guarded([&] {
    const auto from = borrow(step);
    if (!(t >= 0.0 && t <= 1.0)) refuse("a step's local time is from 0 to 1");
    const auto at = pose_between(from->pose0(), from->pose1(), from->in_between(), t);
    hand_out(std::span<const Transform>(at), pose, capacity, count);
  });
}
}
