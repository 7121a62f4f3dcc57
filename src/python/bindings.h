// What Python sees, in the order in which it is declared: `tocsin._tocsin`. The package around it
// is in python/tocsin, whose stubs (_tocsin.pyi) state types.
#pragma once

#include <pybind11/pybind11.h>

namespace tocsin::python {

namespace py = pybind11;

void bind_errors(py::module_& m);
void bind_motion(py::module_& m);
void bind_motion_files(py::module_& m);
void bind_environment(py::module_& m);
void bind_shape(py::module_& m);
void bind_avatar(py::module_& m);
void bind_robot(py::module_& m);
void bind_detector(py::module_& m);
void bind_run(py::module_& m);
void bind_stream(py::module_& m);
void bind_scene(py::module_& m);
void bind_nearest(py::module_& m);
void bind_verify(py::module_& m);
void bind_render(py::module_& m);

}  // namespace tocsin::python
