// Skeleton, Step, Steps, Motion and LiveMotion, from arrays.
#include "tocsin/motion.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include "io/rest_frame.h"
#include "python/arrays.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/live_motion.h"
#include "python/without_gil.h"
#include "tocsin/skeleton.h"

namespace tocsin::python {
namespace {

constexpr const char* kSkeletonDoc =
    "A tree of joints, parents before children. Immutable.\n\n"
    "Skeleton(names, parents, rest=None)\n"
    "names: n joint names. parents: (n,) whole numbers; -1 is a root; a parent comes before its\n"
    "children. rest: (n, 7), the rest pose: each joint's frame in its parent's, qw qx qy qz x y "
    "z,\n"
    "metres; None: the identity. Errors: 'input' for no joint, a parent that does not come first,\n"
    "numbers that are not finite, a quaternion that is not of unit length within 1e-3.";

constexpr const char* kMotionDoc =
    "A skeleton's pose at successive frames. Immutable.\n\n"
    "Motion(skeleton, poses, frame_time=None, times=None)\n"
    "poses: (frames, joints, 7), each joint's frame in its parent's (a root's in the world's):\n"
    "qw qx qy qz x y z, metres, Y up. They are copied once; quaternions are then normalised.\n"
    "frame_time: seconds from frame to frame. times: (frames,) seconds, increasing, in its place;\n"
    "frame 0 becomes second 0. Errors: 'input', naming frame and joint, for numbers that are not\n"
    "finite, quaternions that are not of unit length within 1e-3, places beyond 1e6 m.";

constexpr const char* kStepDoc =
    "The motion from one pose to a later one; local time t runs from 0 to 1.\n\n"
    "frames: its first and last frame. index: its first frame, by which reports name it.";

constexpr const char* kStepsDoc =
    "A list of steps, as Motion.steps gives it: len(), indices, slices.";

Skeleton make_skeleton(const std::vector<std::string>& names, const py::object& parents,
                       const py::object& rest) {
  const Doubles parent = doubles(parents, "parents", {{-1}, "(joints,)"});
  const auto count = static_cast<py::ssize_t>(names.size());
  if (parent.shape(0) != count) {
    refuse(ErrorCode::kInput, fmt::format("parents: expected one for each of the {} names, got {}",
                                          count, parent.shape(0)));
  }
  std::vector<Transform> places(names.size());
  if (!rest.is_none()) places = transforms(rest, "rest", {{count, 7}, "(joints, 7)"});
  std::vector<Joint> joints;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double index = parent.data()[i];
    // Before the conversion, which has no meaning for what is no whole number.
    if (!(index >= -1.0 && index < static_cast<double>(i) && index == static_cast<int>(index))) {
      refuse(ErrorCode::kInput,
             fmt::format("parents: joint {} has {}, not -1 or a joint before it", i, index));
    }
    joints.push_back({names[i], static_cast<int>(index), places[i]});
  }
  return taken(Skeleton::create(std::move(joints)));
}

Motion make_motion(const Skeleton& skeleton, const py::object& poses,
                   const std::optional<double>& frame_time, const py::object& times) {
  if (frame_time.has_value() != times.is_none()) {
    refuse(ErrorCode::kUsage, "Motion: give frame_time or times");
  }
  const py::ssize_t joints = skeleton.size();
  const Doubles array = doubles(poses, "poses", {{-1, -1, 7}, "(frames, joints, 7)"});
  if (array.shape(1) != joints) {
    refuse(ErrorCode::kInput,
           fmt::format("poses: expected an array of shape (frames, {}, 7), as the skeleton has {} "
                       "joints, got ({}, {}, 7)",
                       joints, joints, array.shape(0), array.shape(1)));
  }
  std::vector<double> ticks;
  if (!times.is_none()) {
    const Doubles at = doubles(times, "times", {{array.shape(0)}, "(frames,)"});
    ticks.assign(at.data(), at.data() + at.size());
  }
  const auto* const first = reinterpret_cast<const Transform*>(array.data());
  const auto count = static_cast<std::size_t>(array.shape(0) * array.shape(1));
  return without_gil([&] {
    std::vector<Transform> list(first, first + count);
    if (frame_time) return taken(Motion::create(skeleton, *frame_time, std::move(list)));
    return taken(Motion::create_timed(skeleton, 1.0, std::move(ticks), std::move(list)));
  });
}

py::array poses_of(const py::object& self) {
  const auto& motion = self.cast<const Motion&>();
  const py::ssize_t joints = motion.skeleton().size();
  const auto first = motion.frame_count() > 0 ? motion.pose(0) : std::span<const Transform>();
  return view(first, {motion.frame_count(), joints, 7}, self);
}

py::array times_of(const Motion& motion) {
  std::vector<double> out;
  for (std::int64_t f = 0; f < motion.frame_count(); ++f) out.push_back(motion.seconds(f));
  return moved(std::move(out));
}

std::optional<std::pair<double, double>> rest_frame_of(const Motion& motion) {
  const auto rest = without_gil([&] { return io::rest_frame(motion); });
  if (!rest) return std::nullopt;
  return std::pair(rest->degrees, rest->usual);
}

StepList steps_of(const Motion& motion, std::int64_t first, std::int64_t last, std::int64_t stride,
                  const std::string& in_between, bool still) {
  const StepRange range{first, last, stride, named<InBetween>("in_between", in_between), still};
  return without_gil([&] { return taken(motion.steps(range)); });
}

void bind_skeleton(py::module_& m) {
  py::class_<Skeleton>(m, "Skeleton", kSkeletonDoc)
      .def(py::init(&make_skeleton), py::arg("names"), py::arg("parents"),
           py::arg("rest") = py::none())
      .def("__len__", &Skeleton::size)
      .def_property_readonly(
          "names",
          [](const Skeleton& s) {
            std::vector<std::string> out;
            for (const Joint& joint : s.joints()) out.push_back(joint.name);
            return out;
          },
          "Names of the joints.")
      .def_property_readonly(
          "parents",
          [](const Skeleton& s) {
            std::vector<std::int32_t> out;
            for (const Joint& joint : s.joints()) out.push_back(joint.parent);
            return moved(std::move(out));
          },
          "(joints,) int32: index of each joint's parent, -1 of a root.")
      .def_property_readonly(
          "rest",
          [](const Skeleton& s) {
            std::vector<Transform> out;
            for (const Joint& joint : s.joints()) out.push_back(joint.rest);
            return array_of(out);
          },
          "(joints, 7): the rest pose, qw qx qy qz x y z, metres.")
      .def("find", &Skeleton::find, py::arg("name"),
           "Index of the first joint of exactly this name, or -1.");
}

void bind_step(py::module_& m) {
  py::class_<Step>(m, "Step", kStepDoc)
      .def_property_readonly("frames", &Step::frames, "First and last frame.")
      .def_property_readonly("index", &Step::index, "First frame.")
      .def("seconds", &Step::seconds, py::arg("t"), "Seconds since frame 0 at local time t.")
      .def_property_readonly(
          "pose0", [](const Step& s) { return array_of(s.pose0()); },
          "(joints, 7): the first pose, qw qx qy qz x y z, metres.")
      .def_property_readonly(
          "pose1", [](const Step& s) { return array_of(s.pose1()); }, "(joints, 7): the last pose.")
      .def(
          "pose",
          [](const Step& s, double t) {
            return array_of(pose_between(s.pose0(), s.pose1(), s.in_between(), t));
          },
          py::arg("t"), "(joints, 7): the pose at local time t, to rounding.");
  const auto at = [](const StepList& steps, py::ssize_t i) {
    const auto size = static_cast<py::ssize_t>(steps.size());
    if (i < -size || i >= size) throw py::index_error();
    return steps[static_cast<std::size_t>(i < 0 ? i + size : i)];
  };
  py::class_<StepList>(m, "Steps", kStepsDoc)
      .def(py::init(
               [](const std::vector<Step>& steps) { return StepList(steps.begin(), steps.end()); }),
           py::arg("steps"))
      .def("__len__", [](const StepList& steps) { return steps.size(); })
      .def("__getitem__", at)
      .def("__getitem__",
           [](const StepList& steps, const py::slice& slice) {
             std::size_t first = 0, last = 0, stride = 0, count = 0;
             if (!slice.compute(steps.size(), &first, &last, &stride, &count)) {
               throw py::error_already_set();
             }
             StepList out;
             for (std::size_t i = 0; i < count; ++i) out.push_back(steps[first + i * stride]);
             return out;
           })
      .def(
          "__iter__",
          [](const StepList& steps) { return py::make_iterator(steps.begin(), steps.end()); },
          py::keep_alive<0, 1>());
}

void bind_motion_class(py::module_& m) {
  py::class_<Motion>(m, "Motion", kMotionDoc)
      .def(py::init(&make_motion), py::arg("skeleton"), py::arg("poses"),
           py::arg("frame_time") = py::none(), py::arg("times") = py::none())
      .def("__len__", &Motion::frame_count)
      .def_property_readonly("skeleton", &Motion::skeleton, "Its Skeleton.")
      .def_property_readonly("poses", &poses_of,
                             "(frames, joints, 7) float64, read-only and without a copy: qw qx qy "
                             "qz x y z, metres.")
      .def_property_readonly("frame_time", &Motion::frame_time,
                             "Seconds from frame to frame; of frames at any times, 1.")
      .def_property_readonly("times", &times_of, "(frames,): seconds of each frame.")
      .def(
          "placed",
          [](const Motion& motion, const py::object& translation, double yaw_degrees) {
            const Placement place{point(translation, "translation"), yaw_degrees};
            return without_gil([&] { return taken(motion.placed(place)); });
          },
          py::arg("translation"), py::arg("yaw_degrees") = 0.0,
          "The same motion with every root moved to R_y(yaw) p + translation. translation: (3,)\n"
          "metres. R_y(90) maps +z to +x.")
      .def("steps", &steps_of, py::arg("first") = 0, py::arg("last") = -1, py::arg("stride") = 1,
           py::kw_only(), py::arg("in_between") = "screw", py::arg("still") = false,
           "The steps from frame `first` to `last` (-1: the last one), in order. A step joins\n"
           "frames f and f + stride; frames left over form one last, shorter step.\n"
           "in_between: 'screw' or 'translate_rotate'. still: every frame is a step that does not\n"
           "move, which is what a check of sampled frames sees.")
      .def_property_readonly(
          "rest_frame", &rest_frame_of,
          "Where frame 0 shows the rest pose and is no part of the motion: by how\n"
          "many degrees a joint turns to frame 1, and by how many at most then.\n"
          "Else None.")
      .def_property_readonly(
          "file", [](const Motion& motion) { return motion.source().file; },
          "The file that it was read from; empty: arrays.")
      .def_property_readonly(
          "unit_metres", [](const Motion& motion) { return motion.source().unit_metres; },
          "One unit of the file in metres.")
      .def_property_readonly(
          "unit_reason", [](const Motion& motion) { return motion.source().unit_reason; },
          "Why the unit is what it is.")
      .def_property_readonly(
          "warnings", [](const Motion& motion) { return motion.source().warnings; },
          "What was tolerated while reading, with file and line.");
}

}  // namespace

Step LivePoses::next(std::vector<Transform> pose, double tick, InBetween in_between) {
  const std::scoped_lock lock(mutex_);
  done(motion_.take(pose));
  return taken(motion_.next(std::move(pose), tick, in_between));
}

void bind_motion(py::module_& m) {
  bind_skeleton(m);
  bind_step(m);
  bind_motion_class(m);
  py::class_<LivePoses>(
      m, "LiveMotion",
      "A motion that grows pose by pose, for live streams. Keeps two poses.\n\n"
      "LiveMotion(skeleton, translation=(0, 0, 0), yaw_degrees=0, frame_time=1)\n"
      "frame_time: seconds of a tick. translation: (3,) metres: where the avatar stands.")
      .def(py::init([](const Skeleton& skeleton, const py::object& translation, double yaw,
                       double frame_time) {
             return std::make_unique<LivePoses>(taken(LiveMotion::create(
                 skeleton, {point(translation, "translation"), yaw}, frame_time)));
           }),
           py::arg("skeleton"), py::arg("translation") = py::make_tuple(0.0, 0.0, 0.0),
           py::arg("yaw_degrees") = 0.0, py::arg("frame_time") = 1.0)
      .def(
          "next",
          [](LivePoses& self, const py::object& pose, double tick, const std::string& in_between) {
            auto list = transforms(pose, "pose", {{-1, 7}, "(joints, 7)"});
            const auto between = named<InBetween>("in_between", in_between);
            return without_gil([&] { return self.next(std::move(list), tick, between); });
          },
          py::arg("pose"), py::arg("tick"), py::arg("in_between") = "screw",
          "The step from the pose before to this one; of the first pose one that does not move.\n"
          "pose: (joints, 7), qw qx qy qz x y z, metres. tick: frame times since any origin,\n"
          "later than the last. Errors change nothing.");
}

}  // namespace tocsin::python
