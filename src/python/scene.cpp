// Mesh and Scene.
#include "tocsin/scene.h"

#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "python/arrays.h"
#include "python/bindings.h"
#include "python/errors.h"
#include "python/guarded.h"
#include "python/mesh_parts.h"
#include "python/object_reports.h"
#include "python/step_answer.h"

namespace tocsin::python {
namespace {

constexpr const char* kMeshDoc =
    "Triangles that many objects of scenes share: kept once, with their tree. Immutable.\n\n"
    "Mesh(vertices, faces)\n"
    "vertices: (n, 3) metres, kept as 32-bit floats; faces: (m, 3) whole numbers from 0. Or one\n"
    "object that has these attributes.";

constexpr const char* kSceneDoc =
    "Objects that come, go, move, change shape and are switched on and off, while others ask.\n\n"
    "Scene(*, contacts='pairs', margin=0, tolerance=1e-9, clearance=False, surfaces=())\n"
    "Options: of all snapshots' detectors. An object that move() or deform() was told of moves\n"
    "during the step that the next snapshot is asked about; in the one after it stands at the "
    "end.\n"
    "Places are (7,), qw qx qy qz x y z, metres. Errors change nothing; 'usage': an id that there\n"
    "is not.";

using SharedScene = Guarded<Scene>;
using Id = std::uint64_t;

Mesh make_mesh(const py::object& vertices, const py::object& faces) {
  MeshParts parts{vertices, faces};
  if (faces.is_none()) parts = parts_of(vertices, "mesh");
  auto corners = float_points(parts.vertices, "vertices");
  auto sides = triangles(parts.faces, "faces");
  return without_gil([&] { return taken(Mesh::create(std::move(corners), std::move(sides))); });
}

ShapePlacement placement(const py::object& place, const py::object& scale) {
  ShapePlacement out;
  out.scale = point(scale, "scale");
  if (place.is_none()) return out;
  const Transform at = transform(place, "place");
  out.translation = at.translation;
  out.rotation = at.rotation;
  return out;
}

/// A call that changes an object and says whether it did.
template <class Change>
void change(SharedScene& self, Change&& make) {
  self.with([&](Scene& scene) { done(make(scene)); });
}

template <class Class>
void bind_objects(Class& scene) {
  const auto unit = py::make_tuple(1.0, 1.0, 1.0);
  scene
      .def(
          "add",
          [](SharedScene& self, const std::string& name, const Mesh& mesh, const py::object& place,
             const py::object& scale) {
            const ShapePlacement at = placement(place, scale);
            return self.with(
                [&](Scene& s) { return static_cast<Id>(taken(s.add(name, mesh, at))); });
          },
          py::arg("name"), py::arg("mesh"), py::arg("place") = py::none(), py::arg("scale") = unit,
          "Adds an object; returns its id. No two have one name.")
      .def(
          "add_environment",
          [](SharedScene& self, const Environment& room) {
            std::vector<Id> out;
            for (const ObjectId id : self.with([&](Scene& s) { return taken(s.add(room)); })) {
              out.push_back(static_cast<Id>(id));
            }
            return out;
          },
          py::arg("environment"), "Adds all objects of a room, where they stand: their ids.")
      .def(
          "remove",
          [](SharedScene& self, Id id) {
            change(self, [&](Scene& s) { return s.remove(ObjectId{id}); });
          },
          py::arg("object"), "Removes an object.")
      .def(
          "replace",
          [](SharedScene& self, Id id, const Mesh& mesh) {
            change(self, [&](Scene& s) { return s.replace(ObjectId{id}, mesh); });
          },
          py::arg("object"), py::arg("mesh"), "It has another mesh from now on.")
      .def(
          "place",
          [](SharedScene& self, Id id, const py::object& place, const py::object& scale) {
            const ShapePlacement at = placement(place, scale);
            change(self, [&](Scene& s) { return s.place(ObjectId{id}, at); });
          },
          py::arg("object"), py::arg("place"), py::arg("scale") = unit,
          "It stands there from now on. A jump: nothing is claimed about the way.")
      .def(
          "move",
          [](SharedScene& self, Id id, const py::object& to, const std::string& in_between) {
            const Transform at = transform(to, "to");
            const auto between = named<InBetween>("in_between", in_between);
            change(self, [&](Scene& s) { return s.move(ObjectId{id}, at, between); });
          },
          py::arg("object"), py::arg("to"), py::arg("in_between") = "screw",
          "It moves there, in the step that the next snapshot is asked about.")
      .def(
          "deform",
          [](SharedScene& self, Id id, const py::object& vertices, const py::object& place,
             const py::object& scale) {
            if (vertices.is_none() && place.is_none()) {
              refuse(ErrorCode::kUsage, "deform: vertices, or a place, or both");
            }
            std::vector<Vec3f> list;
            if (!vertices.is_none()) list = float_points(vertices, "vertices");
            const ShapePlacement to = placement(place, scale);
            change(self, [&](Scene& s) {
              return place.is_none() ? s.deform(ObjectId{id}, std::move(list))
                                     : s.deform(ObjectId{id}, std::move(list), to);
            });
          },
          py::arg("object"), py::arg("vertices"), py::arg("place") = py::none(),
          py::arg("scale") = unit,
          "Its corners move to these, (n, 3) in the mesh's coordinates, on straight lines, in the\n"
          "step that the next snapshot is asked about. With a place it also goes there, or to\n"
          "another scale: each corner on a straight line; vertices may be None: those that it "
          "has.");
}

template <class Class>
void bind_activity(Class& scene) {
  const auto of_object = [&scene](const char* name, Status (Scene::*call)(ObjectId),
                                  const char* doc) {
    scene.def(
        name,
        [call](SharedScene& self, Id id) {
          change(self, [&](Scene& s) { return (s.*call)(ObjectId{id}); });
        },
        py::arg("object"), doc);
  };
  of_object("activate", &Scene::activate, "It can be touched, as at first.");
  of_object("deactivate", &Scene::deactivate, "It touches nothing.");
  of_object("clear_switch", &Scene::clear_switch, "Takes an object away from its switch.");
  const auto of_pair = [&scene](const char* name, Status (Scene::*call)(ObjectId, ObjectId),
                                const char* doc) {
    scene.def(
        name,
        [call](SharedScene& self, Id a, Id b) {
          change(self, [&](Scene& s) { return (s.*call)(ObjectId{a}, ObjectId{b}); });
        },
        py::arg("a"), py::arg("b"), doc);
  };
  of_pair("activate_pair", &Scene::activate_pair, "These two are checked against each other.");
  of_pair("deactivate_pair", &Scene::deactivate_pair, "These two are not.");
  const auto of_pattern = [&scene](const char* name, Status (Scene::*call)(std::string_view),
                                   const char* doc) {
    scene.def(
        name,
        [call](SharedScene& self, const std::string& pattern) {
          change(self, [&](Scene& s) { return (s.*call)(pattern); });
        },
        py::arg("pattern"), doc);
  };
  of_pattern("activate_pairs", &Scene::activate_pairs,
             "Pairs 'LINK:OBJECT' or 'OBJECT:OBJECT', shell globs; the latest word counts.");
  of_pattern("deactivate_pairs", &Scene::deactivate_pairs, "The same, switched off.");
}

template <class Class>
void bind_switches(Class& scene) {
  scene
      .def(
          "add_switch",
          [](SharedScene& self) {
            return self.with([](Scene& s) { return static_cast<Id>(s.add_switch()); });
          },
          "Adds a switch, of whose objects at most one is there: its id.")
      .def(
          "set_switch",
          [](SharedScene& self, Id id, Id parent) {
            change(self, [&](Scene& s) { return s.set_switch(ObjectId{id}, SwitchId{parent}); });
          },
          py::arg("object"), py::arg("parent"), "Puts an object under a switch.")
      .def(
          "choose",
          [](SharedScene& self, Id parent, Id id) {
            change(self, [&](Scene& s) { return s.choose(SwitchId{parent}, ObjectId{id}); });
          },
          py::arg("parent"), py::arg("object"), "Of the switch's objects this one is there.")
      .def(
          "choose_none",
          [](SharedScene& self, Id parent) {
            change(self, [&](Scene& s) { return s.choose_none(SwitchId{parent}); });
          },
          py::arg("parent"), "None of the switch's objects is there, as at first.");
}

template <class Class>
void bind_questions(Class& scene) {
  scene
      .def(
          "find",
          [](SharedScene& self, const std::string& name) {
            return self.with([&](Scene& s) { return static_cast<Id>(taken(s.find(name))); });
          },
          py::arg("name"), "The id of the object of this name. Error if there is none.")
      .def(
          "index_of",
          [](SharedScene& self, Id id) {
            return self.with([&](Scene& s) { return taken(s.index_of(ObjectId{id})); });
          },
          py::arg("object"), "Its index in the environment of snapshots, which contacts name.")
      .def("__len__",
           [](SharedScene& self) { return self.with([](Scene& s) { return s.size(); }); })
      .def(
          "snapshot",
          [](SharedScene& self) { return self.with([](Scene& s) { return taken(s.snapshot()); }); },
          "The scene as it is, a Detector for any number of readers; also ends the motions that\n"
          "the last snapshot had.");
}

ObjectReports objects_of(std::vector<ObjectReport>&& reports) {
  ObjectReports out;
  for (ObjectReport& one : reports) {
    out.emplace_back(one.object, StepAnswer{std::move(one.report).value(), {}});
  }
  return out;
}

py::tuple check_all(const Detector& scene, const std::vector<Member>& members,
                    const std::vector<Step>& steps, int threads) {
  SceneReport report = interruptible([&](const std::stop_token& stop) {
    return check_scene(scene, members, steps, {.threads = threads, .stop = stop});
  });
  std::vector<StepAnswer> answers;
  for (std::size_t i = 0; i < report.members.size(); ++i) {
    StepReport one = std::move(report.members[i]).value();
    answers.push_back({std::move(one), steps[i]});
  }
  return py::make_tuple(std::move(answers), objects_of(std::move(report.objects)));
}

}  // namespace

ObjectReports check_objects(const Detector& detector, int threads) {
  return objects_of(interruptible([&](const std::stop_token& stop) {
    return detector.check_objects({.threads = threads, .stop = stop});
  }));
}

void bind_scene(py::module_& m) {
  py::class_<Mesh>(m, "Mesh", kMeshDoc)
      .def(py::init(&make_mesh), py::arg("vertices"), py::arg("faces") = py::none())
      .def_static(
          "of", [](const Shape& shape) { return taken(Mesh::of(shape)); }, py::arg("shape"),
          "The surface of a Shape: a box, a cylinder, a cone, a hull, a mesh without a radius.")
      .def_property_readonly("triangle_count", &Mesh::triangle_count, "How many triangles.")
      .def_property_readonly("closed", &Mesh::closed, "True if it is closed: it may be solid.");
  py::class_<SharedScene> scene(m, "Scene", kSceneDoc);
  scene.def(py::init([](const std::string& contacts, double margin, double tolerance,
                        bool clearance, const std::vector<std::string>& surfaces) {
              DetectorOptions options;
              options.contacts = named<Contacts>("contacts", contacts);
              options.margin = margin;
              options.tolerance = tolerance;
              options.clearance = clearance;
              options.surfaces = surfaces;
              return std::make_unique<SharedScene>(taken(Scene::make(options)));
            }),
            py::kw_only(), py::arg("contacts") = "pairs", py::arg("margin") = 0.0,
            py::arg("tolerance") = 1e-9, py::arg("clearance") = false,
            py::arg("surfaces") = py::make_tuple());
  bind_objects(scene);
  bind_activity(scene);
  bind_switches(scene);
  bind_questions(scene);
  m.def("check_scene", &check_all, py::arg("scene"), py::arg("members"), py::arg("steps"),
        py::kw_only(), py::arg("threads") = 0,
        "Everything that moves against everything else, all at the same time: (reports of\n"
        "members, Detector.check_objects). scene: a snapshot; steps[i]: of members[i].");
}

}  // namespace tocsin::python
