// numpy's arrays as the library's values, and back. What comes in may be anything that numpy makes
// an array of, of any strides and any type of real numbers; shapes are checked, and an error says
// what was expected and what came. Whether numbers are finite the library says itself.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tocsin/types.h"

namespace tocsin::python {

namespace py = pybind11;

/// C order. The memory of what was given where that has this form, else a copy.
using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// A shape that is wanted: -1 is any length. `text`: as in the message, "(n, 3)".
struct Wanted {
  std::vector<py::ssize_t> lengths;
  const char* text;
};

/// Errors (kInput): no array of real numbers; another shape.
Doubles doubles(const py::handle& given, std::string_view what, const Wanted& wanted);

/// (3,)
Vec3 point(const py::handle& given, std::string_view what);
/// (n, 3)
std::vector<Vec3> points(const py::handle& given, std::string_view what);
/// (n, 3); rounded to floats once, as files are. Floats keep their bits.
std::vector<Vec3f> float_points(const py::handle& given, std::string_view what);
/// (m, 3) of whole numbers from 0.
std::vector<TriangleIndices> triangles(const py::handle& given, std::string_view what);
/// A pose is qw qx qy qz x y z. (7,), or (n, 7), or (frames, joints, 7).
Transform transform(const py::handle& given, std::string_view what);
std::vector<Transform> transforms(const py::handle& given, std::string_view what,
                                  const Wanted& wanted);

/// An array that nobody may write to, over memory that `owner` keeps alive.
template <class T>
py::array view(const T* data, std::vector<py::ssize_t> shape, const py::object& owner) {
  py::array out(py::dtype::of<T>(), std::move(shape), data, owner);
  py::detail::array_proxy(out.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return out;
}
py::array view(std::span<const Transform> poses, std::vector<py::ssize_t> shape,
               const py::object& owner);
py::array view(std::span<const Vec3> list, const py::object& owner);
py::array view(std::span<const Vec3f> list, const py::object& owner);
py::array view(std::span<const TriangleIndices> list, const py::object& owner);

/// An array of its own.
py::array array_of(const Vec3& v);
py::array array_of(const Transform& t);
py::array array_of(std::span<const double> list);
py::array array_of(std::span<const Transform> list);

/// An array that takes over the memory of `list`. T: a number, or a row with a numpy dtype.
template <class T>
py::array_t<T> moved(std::vector<T>&& list, std::vector<py::ssize_t> shape = {}) {
  auto* const kept = new std::vector<T>(std::move(list));
  const py::capsule owner(kept, [](void* at) { delete static_cast<std::vector<T>*>(at); });
  if (shape.empty()) shape = {static_cast<py::ssize_t>(kept->size())};
  return py::array_t<T>(std::move(shape), kept->data(), owner);
}

}  // namespace tocsin::python
