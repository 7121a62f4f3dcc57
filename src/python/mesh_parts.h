// Meshes of other libraries.
#pragma once

#include <pybind11/pybind11.h>

#include <string>

namespace tocsin::python {

struct MeshParts {
  pybind11::object vertices;
  pybind11::object faces;
};

/// Of (vertices, faces), or of an object with these attributes (trimesh.Trimesh). Errors (kInput):
/// of something else; `what` names it.
MeshParts parts_of(const pybind11::handle& mesh, const std::string& what);

}  // namespace tocsin::python
