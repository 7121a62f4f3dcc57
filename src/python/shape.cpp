// Shape, from arrays and files.
#include "tocsin/shape.h"

#include <pybind11/stl.h>

#include <optional>
#include <utility>

#include "io/shape/mesh_files.h"
#include "python/arrays.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/file_name.h"
#include "python/mesh_parts.h"
#include "python/without_gil.h"

namespace tocsin::python {
namespace {

constexpr const char* kShapeDoc =
    "What a link or a body looks like, fixed to its joint: points, segments and triangles, all\n"
    "rounded by one radius (metres; 0: surfaces without thickness). Immutable. Made by mesh(),\n"
    "convex(), box(), sphere(), capsule(), cylinder(), cone(), load(). Errors of all: 'input',\n"
    "naming corner or triangle, for numbers that are not finite or beyond 1e6 m.";

Shape mesh(const py::object& vertices, const py::object& faces, double radius) {
  py::object corners = vertices;
  py::object indices = faces;
  if (faces.is_none()) {
    MeshParts parts = parts_of(vertices, "mesh");
    corners = std::move(parts.vertices);
    indices = std::move(parts.faces);
  }
  auto list = points(corners, "vertices");
  auto sides = triangles(indices, "faces");
  return without_gil([&] { return taken(Shape::mesh(std::move(list), std::move(sides), radius)); });
}

Shape load_shape(const py::object& file, double radius) {
  return interruptible([name = file_name(file), radius](const std::stop_token&) {
    io::MeshFiles files(nullptr);
    auto mesh = taken(files.read(name));
    return taken(Shape::mesh(std::move(mesh.corners), std::move(mesh.triangles), radius));
  });
}

Shape placed(const Shape& shape, const py::object& place, const py::object& scale) {
  const Transform at = transform(place, "place");
  return taken(shape.placed({at.translation, at.rotation, point(scale, "scale")}));
}

template <class Class>
void bind_makers(Class& shape) {
  shape
      .def_static(
          "mesh", &mesh, py::arg("vertices"), py::arg("faces") = py::none(),
          py::arg("radius") = 0.0,
          "Every triangle. vertices: (n, 3) metres, faces: (m, 3) whole numbers from 0; or\n"
          "one object that has these attributes.")
      .def_static("load", &load_shape, py::arg("file"), py::arg("radius") = 0.0,
                  "The triangles of a file of any room format, all objects together, metres.")
      .def_static(
          "convex",
          [](const py::object& list, double radius) {
            return taken(Shape::convex(points(list, "points"), radius));
          },
          py::arg("points"), py::arg("radius") = 0.0,
          "The surface of the convex hull of points, (n, 3) metres.")
      .def_static(
          "box",
          [](const py::object& half, double radius) {
            return taken(Shape::box(point(half, "half"), radius));
          },
          py::arg("half"), py::arg("radius") = 0.0,
          "A box about the origin; half: (3,) half of its edges, metres.")
      .def_static(
          "sphere",
          [](double radius, const py::object& centre) {
            return taken(Shape::sphere(point(centre, "centre"), radius));
          },
          py::arg("radius"), py::arg("centre") = py::make_tuple(0.0, 0.0, 0.0),
          "A sphere, exact. radius: metres, at least 1e-6. centre: (3,).")
      .def_static(
          "capsule",
          [](const py::object& a, const py::object& b, double radius) {
            return taken(Shape::capsule(point(a, "a"), point(b, "b"), radius));
          },
          py::arg("a"), py::arg("b"), py::arg("radius"),
          "All points within radius of the segment a b, exact. a, b: (3,) metres.")
      .def_static(
          "cylinder",
          [](double base, double height, double tolerance, double radius) {
            return taken(Shape::cylinder(base, height, tolerance, radius));
          },
          py::arg("base_radius"), py::arg("height"), py::arg("tolerance"), py::arg("radius") = 0.0,
          "A prism that holds the cylinder and reaches at most `tolerance` metres beyond it. Axis\n"
          "y, from -height/2 to height/2.")
      .def_static(
          "cone",
          [](double base, double height, double tolerance, double radius) {
            return taken(Shape::cone(base, height, tolerance, radius));
          },
          py::arg("base_radius"), py::arg("height"), py::arg("tolerance"), py::arg("radius") = 0.0,
          "The same of a cone; its tip is up.");
}

}  // namespace

void bind_shape(py::module_& m) {
  py::class_<Shape> shape(m, "Shape", kShapeDoc);
  bind_makers(shape);
  shape
      .def("placed", &placed, py::arg("place"), py::arg("scale") = py::make_tuple(1.0, 1.0, 1.0),
           "The shape put somewhere else in the frame. place: (7,), qw qx qy qz x y z, metres;\n"
           "scale: (3,) along its own axes, applied first.")
      .def_property_readonly(
          "corners",
          [](const py::object& self) { return view(self.cast<const Shape&>().corners(), self); },
          "(n, 3) float64, read-only and without a copy: metres.")
      .def_property_readonly(
          "features",
          [](const py::object& self) { return view(self.cast<const Shape&>().features(), self); },
          "(m, 3) uint32, read-only and without a copy: indices into corners; equal ones make a\n"
          "segment or a point.")
      .def_property_readonly("radius", &Shape::radius, "Rounding of all features, metres.");
}

}  // namespace tocsin::python
