// Robots: URDF, and motions of joint values.
#include "tocsin/robot.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <filesystem>
#include <map>
#include <utility>

#include "io/robot/srdf.h"
#include "python/arrays.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/file_name.h"
#include "python/without_gil.h"

namespace tocsin::python {
namespace {

constexpr const char* kRobotDoc =
    "A robot of a URDF: links with collision shapes on joints. Immutable.\n\n"
    "Robot(urdf)\n"
    "Reads the file by liburdfdom, and the meshes that it names. Metres and radians, in the "
    "file's\n"
    "axes. Errors: 'input', with file, line and cause.";

constexpr const char* kRobotMotionDoc =
    "The motion of joint values. times: (rows,) seconds, increasing; the motion's frame 0 is at 0 "
    "s.\n"
    "values: {name: (rows,)} in radians or metres, of the names in Robot.values; joints without "
    "one\n"
    "stay at 0. up: 'y', 'z' or 'x': the axis of the robot that points up. Between two rows a "
    "value\n"
    "goes straight from one to the other. Warns of values outside of limits. Errors: 'input', "
    "naming\n"
    "the row, from 0: numbers that are not finite, a joint that turns by pi or more between two "
    "rows.";

constexpr const char* kIgnoredDoc =
    "Patterns 'LINK:LINK' of the pairs that no joint moves apart, and of those that an SRDF "
    "disables:\n"
    "for Member(..., ignore_itself=). avatar: of Robot.model on Robot.skeleton(). srdf: a file, or "
    "None.\n"
    "Warns of links that the SRDF names and the robot does not have.";

Motion motion_of(const Robot& robot, const py::object& times,
                 const std::map<std::string, py::object>& values, const std::string& up) {
  const Doubles at = doubles(times, "times", {{-1}, "(rows,)"});
  const py::ssize_t rows = at.shape(0);
  std::vector<std::string> names;
  std::vector<double> table(static_cast<std::size_t>(rows) * values.size());
  for (const auto& [name, column] : values) {
    const Doubles numbers = doubles(column, fmt::format("values[{:?}]", name), {{rows}, "(rows,)"});
    for (py::ssize_t row = 0; row < rows; ++row) {
      table[static_cast<std::size_t>(row) * values.size() + names.size()] = numbers.data()[row];
    }
    names.push_back(name);
  }
  const auto axis = named<UpAxis>("up", up);
  const std::span<const double> when(at.data(), static_cast<std::size_t>(rows));
  Motion out = without_gil([&] { return taken(robot.motion(when, names, table, axis)); });
  warn(out.source().warnings);
  return out;
}

std::vector<std::string> ignored(const Robot& robot, const Avatar& avatar, const py::object& srdf) {
  std::filesystem::path file;
  if (!srdf.is_none()) file = file_name(srdf);
  RobotPairs pairs = without_gil([&] { return taken(robot.ignored_pairs(avatar, file)); });
  warn(pairs.warnings);
  return std::move(pairs.patterns);
}

}  // namespace

void bind_robot(py::module_& m) {
  py::class_<Robot>(m, "Robot", kRobotDoc)
      .def(py::init([](const py::object& urdf) {
             return without_gil([file = file_name(urdf)] { return taken(Robot::load(file)); });
           }),
           py::arg("urdf"))
      .def_property_readonly("file", &Robot::file, "The URDF, as given.")
      .def_property_readonly(
          "model", [](const Robot& robot) { return robot.model(); },
          "Its links as an AvatarModel, for Avatar.bind.")
      .def_property_readonly("values", &Robot::values,
                             "Names of the joint values that move it, as columns of a plan.")
      .def_property_readonly(
          "srdf", [](const Robot& robot) { return io::srdf_beside(robot.file()).string(); },
          "The .srdf beside it with the same name; '' if there is none.")
      .def(
          "skeleton",
          [](const Robot& robot, const std::string& up) {
            return taken(robot.skeleton(named<UpAxis>("up", up)));
          },
          py::arg("up") = "y", "A joint for each link, called like it; at rest all values are 0.")
      .def("motion", &motion_of, py::arg("times"), py::arg("values"), py::arg("up") = "y",
           kRobotMotionDoc)
      .def("ignored_pairs", &ignored, py::arg("avatar"), py::arg("srdf") = py::none(), kIgnoredDoc);
}

}  // namespace tocsin::python
