// The extension module.
#include "python/bindings.h"
#include "tocsin/version.h"

PYBIND11_MODULE(_tocsin, m) {
  // NOLINTNEXTLINE(google-build-using-namespace): the module is this namespace
  using namespace tocsin::python;
  m.doc() = "The classes of Tocsin in C++. Use them as tocsin.NAME.";
  m.attr("__version__") = tocsin::kVersion;
  bind_errors(m);
  bind_motion(m);
  bind_motion_files(m);
  bind_environment(m);
  bind_shape(m);
  bind_avatar(m);
  bind_robot(m);
  bind_detector(m);
  bind_run(m);
  bind_stream(m);
  bind_scene(m);
  bind_nearest(m);
  bind_verify(m);
  bind_render(m);
}
