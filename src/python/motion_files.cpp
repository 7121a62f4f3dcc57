// Motions, avatar models and rooms in files.
#include <pybind11/stl.h>

#include <filesystem>
#include <optional>
#include <tuple>
#include <utility>

#include "base/lower_case.h"
#include "io/input_files.h"
#include "io/shape/csv_motion.h"
#include "io/shape/mesh_files.h"
#include "io/shape/node_motion.h"
#include "io/unit.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/file_name.h"
#include "python/without_gil.h"
#include "tocsin/io.h"

namespace tocsin::python {
namespace {

std::optional<double> unit_of(const py::object& unit) {
  if (unit.is_none()) return std::nullopt;
  if (py::isinstance<py::str>(unit)) return taken(io::parse_unit(unit.cast<std::string>())).metres;
  return unit.cast<double>();
}

Motion load_take(const py::object& file, const py::object& unit, const std::string& up,
                 const py::object& skeleton, std::optional<double> rate, const std::string& clip,
                 const std::string& skin) {
  MotionOptions options;
  options.unit_metres = unit_of(unit);
  options.up = named<UpAxis>("up", up);
  if (!skeleton.is_none()) options.skeleton = file_name(skeleton);
  options.rate = rate;
  options.clip = clip;
  options.skin = skin;
  Motion motion = interruptible([&options, name = file_name(file)](const std::stop_token&) {
    return taken(load_motion(name, options));
  });
  warn(motion.source().warnings);
  return motion;
}

std::vector<std::string> save(const Motion& motion, const py::object& file) {
  return without_gil(
      [&motion, name = file_name(file)] { return taken(save_motion(motion, name)).warnings; });
}

Environment load_room(const py::object& file, double scale, const std::string& up) {
  const EnvironmentOptions options{scale, named<UpAxis>("up", up)};
  Environment room = interruptible([&options, name = file_name(file)](const std::stop_token&) {
    return taken(load_environment(name, options));
  });
  warn(room.warnings());
  return room;
}

/// Where a body is: of its file, or none.
std::optional<io::BodyMotion> body_motion(const std::filesystem::path& mesh,
                                          const std::optional<std::filesystem::path>& motion) {
  if (motion && base::lower(motion->extension().string()) == ".csv") {
    const auto text = taken(io::read_text_input(*motion, "motion", nullptr));
    return taken(io::parse_csv_motion(text, motion->string()));
  }
  if (motion) return io::BodyMotion{taken(load_motion(*motion)), 0.0};
  const auto objects = taken(load_environment(mesh)).objects().size();
  if (taken(io::read_node_motion(mesh, objects, nullptr))) {
    refuse(ErrorCode::kUsage,
           mesh.string() +
               ": its nodes are animated; give the motion of the body, or use `tocsin "
               "check --body`");
  }
  return std::nullopt;
}

/// (shape, motion or None, seconds at which its frame 0 is).
py::tuple load_body(const py::object& mesh_file, const py::object& motion_file) {
  const std::filesystem::path mesh = file_name(mesh_file);
  std::optional<std::filesystem::path> motion;
  if (!motion_file.is_none()) motion = file_name(motion_file);
  auto [shape, moved, said] = interruptible([&](const std::stop_token&) {
    io::MeshFiles files(nullptr);
    auto read = taken(files.read(mesh));
    auto made = taken(Shape::mesh(std::move(read.corners), std::move(read.triangles)));
    return std::tuple(std::move(made), body_motion(mesh, motion), files.warnings());
  });
  warn(said);
  if (!moved) return py::make_tuple(std::move(shape), py::none(), 0.0);
  warn(moved->motion.source().warnings);
  return py::make_tuple(std::move(shape), std::move(moved->motion), moved->start);
}

constexpr const char* kLoadMotionDoc =
    "Reads a motion: .bvh, .amc, .glb, .gltf, .fbx, .poses or .csv (a robot's plan).\n\n"
    "unit: one unit of the file: metres, or 'm', 'cm', 'mm', 'in', 'cmu'; None: from the file, or\n"
    "by a person's height (Motion.unit_reason). up: the file's axis, 'y', 'z' or 'x'. skeleton:\n"
    "the .asf of an .amc, the .urdf of a .csv. rate: Hz, where the file does not say it. clip, "
    "skin:\n"
    "which animation and skeleton of a .glb, .gltf or .fbx. Errors: 'input', with file, line and "
    "cause.";

constexpr const char* kLoadEnvironmentDoc =
    "Reads a room: .obj, .ply, .glb, .gltf, .wrl, .stl, .dae, .x3d or .fbx.\n\n"
    "scale: one unit of the file in metres. up: the file's axis, 'y', 'z' or 'x'. Errors: "
    "'input',\n"
    "with file, line and cause.";

}  // namespace

std::filesystem::path file_name(const py::handle& file) {
  return py::module_::import("os").attr("fspath")(file).cast<std::string>();
}

void bind_motion_files(py::module_& m) {
  m.def("load_motion", &load_take, py::arg("file"), py::kw_only(), py::arg("unit") = py::none(),
        py::arg("up") = "y", py::arg("skeleton") = py::none(), py::arg("rate") = py::none(),
        py::arg("clip") = "", py::arg("skin") = "", kLoadMotionDoc);
  m.def("save_motion", &save, py::arg("motion"), py::arg("file"),
        "Writes a motion: .bvh, .glb or .poses. Returns what the format could not hold as it was.");
  m.def("load_environment", &load_room, py::arg("file"), py::kw_only(), py::arg("scale") = 1.0,
        py::arg("up") = "y", kLoadEnvironmentDoc);
  m.def("_load_body", &load_body, py::arg("mesh"), py::arg("motion"), "Body.load");
  m.def(
      "save_environment",
      [](const Environment& environment, const py::object& file) {
        without_gil(
            [&environment, name = file_name(file)] { done(save_environment(environment, name)); });
      },
      py::arg("environment"), py::arg("file"), "Writes a room: .obj, .ply or .glb.");
}

}  // namespace tocsin::python
