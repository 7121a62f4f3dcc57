// Environment, from arrays.
#include "tocsin/environment.h"

#include <pybind11/stl.h>

#include "python/arrays.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/mesh_parts.h"
#include "python/without_gil.h"

namespace tocsin::python {
namespace {

constexpr const char* kEnvironmentDoc =
    "What avatars can touch: named objects, each a list of triangles. Immutable.\n\n"
    "Environment(objects)\n"
    "objects: {name: mesh}. A mesh is (vertices, faces) or has these attributes, as those of\n"
    "trimesh do: vertices (n, 3) in the world, metres, Y up, kept as 32-bit floats (a float32 "
    "array\n"
    "keeps its bits); faces (m, 3) whole numbers from 0. Errors: 'input', naming object and\n"
    "triangle, for indices out of range and for vertices that are not finite or beyond 1e6 m.";

Environment make_environment(const py::dict& objects) {
  std::vector<ObjectMesh> meshes;
  for (const auto& [name, mesh] : objects) {
    const std::string called = py::str(name);
    const auto [vertices, faces] = parts_of(mesh, called);
    meshes.push_back({called, float_points(vertices, called + ": vertices"),
                      triangles(faces, called + ": faces")});
  }
  return without_gil([&] { return taken(Environment::create(std::move(meshes))); });
}

py::array bounds_of(const Environment& room) {
  const auto box = room.bounds();
  const std::vector<float> flat{box[0].x, box[0].y, box[0].z, box[1].x, box[1].y, box[1].z};
  return py::array_t<float>({2, 3}, flat.data());
}

/// (objects + 1,): where each object's triangles begin.
py::array starts_of(const Environment& room) {
  std::vector<std::int64_t> out{0};
  for (const Object& object : room.objects()) out.push_back(out.back() + object.triangle_count);
  return moved(std::move(out));
}

}  // namespace

MeshParts parts_of(const py::handle& mesh, const std::string& what) {
  if (py::hasattr(mesh, "vertices") && py::hasattr(mesh, "faces")) {
    return {mesh.attr("vertices"), mesh.attr("faces")};
  }
  if (py::isinstance<py::sequence>(mesh) && !py::isinstance<py::array>(mesh) &&
      py::len(mesh) == 2) {
    const auto pair = py::reinterpret_borrow<py::sequence>(mesh);
    return {pair[0], pair[1]};
  }
  refuse(ErrorCode::kInput,
         what + ": expected (vertices, faces), or an object that has these attributes");
}

void bind_environment(py::module_& m) {
  py::class_<Environment>(m, "Environment", kEnvironmentDoc)
      .def(py::init(&make_environment), py::arg("objects"))
      .def_static(
          "merge",
          [](const std::vector<Environment>& parts) { return taken(Environment::merge(parts)); },
          py::arg("parts"), "One environment with all objects of all parts, in order.")
      .def_property_readonly(
          "objects",
          [](const Environment& room) {
            std::vector<std::string> out;
            for (const Object& object : room.objects()) out.push_back(object.name);
            return out;
          },
          "Names of the objects; contacts name objects by their index here.")
      .def_property_readonly(
          "starts", &starts_of,
          "(objects + 1,) int64: triangles of object i are faces[starts[i]:starts[i + 1]].")
      .def_property_readonly(
          "vertices",
          [](const py::object& self) {
            return view(self.cast<const Environment&>().vertices(), self);
          },
          "(n, 3) float32, read-only and without a copy: metres.")
      .def_property_readonly(
          "faces",
          [](const py::object& self) {
            return view(self.cast<const Environment&>().triangles(), self);
          },
          "(m, 3) uint32, read-only and without a copy: all objects' triangles, as indices into\n"
          "vertices.")
      .def_property_readonly("bounds", &bounds_of,
                             "(2, 3) float32: the least box around all triangles, metres.")
      .def(
          "with_vertices",
          [](const Environment& room, const py::object& vertices) {
            auto list = float_points(vertices, "vertices");
            return without_gil([&] { return taken(room.with_vertices(std::move(list))); });
          },
          py::arg("vertices"),
          "A new version with other vertices, (n, 3), as many; this one does not change.")
      .def_property_readonly(
          "warnings",
          [](const Environment& room) {
            return std::vector<std::string>(room.warnings().begin(), room.warnings().end());
          },
          "What was tolerated while reading, with file and line.");
}

}  // namespace tocsin::python
