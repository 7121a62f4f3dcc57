// Distances of shapes at one time.
#include "tocsin/nearest.h"

#include <pybind11/stl.h>

#include <memory>

#include "python/arrays.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/guarded.h"

namespace tocsin::python {
namespace {

constexpr const char* kBodyDoc =
    "The convex hull of a shape's corners, rounded by its radius. Immutable; make it once a "
    "shape.\n\n"
    "ConvexBody(shape)";

constexpr const char* kPairDoc =
    "Two convex bodies that are asked about again and again while they move. It remembers where "
    "it\n"
    "ended; the answers do not depend on that.\n\n"
    "ConvexPair(first, second)";

constexpr const char* kNearestDoc =
    "How far two shapes are apart at given places, and where. shape, other: Shapes; at, other_at:\n"
    "(7,), qw qx qy qz x y z, frame to world, metres. A dict: distance (metres; below 0 where\n"
    "rounded features overlap), first and second (3,), the points on both surfaces, first_feature\n"
    "and second_feature. Computed to within 2^-40 of the coordinates, not certified.";

using SharedPair = Guarded<ConvexPair>;

const char* word_of(Proximity status) {
  switch (status) {
    case Proximity::kApart:
      return "apart";
    case Proximity::kTouching:
      return "touching";
    case Proximity::kOverlap:
      break;
  }
  return "overlap";
}

py::tuple corners_of(const BodyFeature& feature) {
  py::list out;
  for (std::int32_t i = 0; i < feature.corners; ++i) {
    out.append(feature.corner[static_cast<std::size_t>(i)]);
  }
  return py::tuple(out);
}

py::dict nearest_pair(SharedPair& pair, const py::object& at, const py::object& other_at) {
  const Transform first = transform(at, "at");
  const Transform second = transform(other_at, "other_at");
  const ConvexNearest found =
      pair.with([&](ConvexPair& both) { return taken(both.nearest(first, second)); });
  py::dict out;
  out["status"] = word_of(found.status);
  out["distance"] = found.distance;
  out["error"] = found.error;
  out["first"] = array_of(found.first);
  out["second"] = array_of(found.second);
  out["normal"] = array_of(found.normal);
  out["first_feature"] = corners_of(found.first_feature);
  out["second_feature"] = corners_of(found.second_feature);
  return out;
}

py::dict nearest_shapes(const Shape& shape, const py::object& at, const Shape& other,
                        const py::object& other_at) {
  const Transform first = transform(at, "at");
  const Transform second = transform(other_at, "other_at");
  const ShapeNearest found =
      without_gil([&] { return taken(nearest(shape, first, other, second)); });
  py::dict out;
  out["distance"] = found.distance;
  out["first"] = array_of(found.first);
  out["second"] = array_of(found.second);
  out["first_feature"] = found.first_feature;
  out["second_feature"] = found.second_feature;
  return out;
}

}  // namespace

void bind_nearest(py::module_& m) {
  m.def("nearest", &nearest_shapes, py::arg("shape"), py::arg("at"), py::arg("other"),
        py::arg("other_at"), kNearestDoc);
  py::class_<ConvexBody>(m, "ConvexBody", kBodyDoc)
      .def(py::init([](const Shape& shape) {
             return without_gil([&] { return taken(ConvexBody::make(shape)); });
           }),
           py::arg("shape"))
      .def_property_readonly(
          "corners",
          [](const py::object& self) {
            return view(self.cast<const ConvexBody&>().corners(), self);
          },
          "(n, 3): corners of the hull, the shape's frame, metres; read-only.")
      .def_property_readonly(
          "faces",
          [](const py::object& self) { return view(self.cast<const ConvexBody&>().faces(), self); },
          "(m, 3) uint32: indices into corners, counterclockwise from outside; read-only.")
      .def_property_readonly("radius", &ConvexBody::radius, "Rounding, metres.");
  py::class_<SharedPair>(m, "ConvexPair", kPairDoc)
      .def(py::init([](const ConvexBody& first, const ConvexBody& second) {
             return std::make_unique<SharedPair>(ConvexPair(first, second));
           }),
           py::arg("first"), py::arg("second"))
      .def("nearest", &nearest_pair, py::arg("at"), py::arg("other_at"),
           "Where both are nearest with their frames at these places, (7,) each. A dict: status\n"
           "('apart', 'touching', 'overlap'), distance (metres; below 0: the first must be moved "
           "so\n"
           "far along normal), error (its bound), first, second, normal (3,), first_feature,\n"
           "second_feature (one to three indices into corners).");
}

}  // namespace tocsin::python
