#include "python/arrays.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <limits>

#include "io/to_float.h"
#include "python/errors.h"

namespace tocsin::python {
namespace {

// Arrays are taken as these, and these as arrays.
static_assert(sizeof(Vec3) == 3 * sizeof(double));
static_assert(sizeof(Transform) == 7 * sizeof(double));
static_assert(sizeof(Vec3f) == 3 * sizeof(float));
static_assert(sizeof(TriangleIndices) == 3 * sizeof(std::uint32_t));

std::string type_name(const py::handle& given) {
  return py::str(py::type::of(given).attr("__name__"));
}

[[noreturn]] void refuse_array(std::string_view what, std::string_view wanted,
                               std::string_view found) {
  refuse(ErrorCode::kInput, fmt::format("{}: expected {}, got {}", what, wanted, found));
}

std::string shape_text(const py::array& array) {
  std::vector<py::ssize_t> shape(array.shape(), array.shape() + array.ndim());
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

/// An array of anything.
py::array any_array(const py::handle& given, std::string_view what, std::string_view wanted) {
  py::array out = py::array::ensure(given);
  if (!out) {  // the error is cleared
    refuse_array(what, wanted, fmt::format("{} that numpy makes no array of", type_name(given)));
  }
  // The numbers behind a mask are there all the same, and would be taken.
  if (py::hasattr(given, "mask") && py::hasattr(given, "filled")) {
    refuse_array(what, wanted, "a masked array; fill it first (.filled())");
  }
  return out;
}

void check_shape(const py::array& array, std::string_view what, const Wanted& wanted) {
  bool fits = array.ndim() == static_cast<py::ssize_t>(wanted.lengths.size());
  for (py::ssize_t i = 0; fits && i < array.ndim(); ++i) {
    const py::ssize_t length = wanted.lengths[static_cast<std::size_t>(i)];
    fits = length < 0 || array.shape(i) == length;
  }
  if (fits) return;
  refuse_array(what, fmt::format("an array of shape {}", wanted.text), shape_text(array));
}

/// True for floating point, signed and unsigned numbers.
bool is_real(const py::array& array) {
  const char kind = array.dtype().kind();
  return kind == 'f' || kind == 'i' || kind == 'u';
}

/// Numbers of an array of shape (n, 3), as T from type From.
template <class T, class From>
const T* as(const From* data) {
  return reinterpret_cast<const T*>(data);  // NOLINT: their layouts are asserted to be equal
}

std::size_t rows(const py::array& array) { return static_cast<std::size_t>(array.shape(0)); }

const Wanted kPoints{{-1, 3}, "(n, 3)"};

}  // namespace

Doubles doubles(const py::handle& given, std::string_view what, const Wanted& wanted) {
  const std::string expected = fmt::format("an array of shape {}", wanted.text);
  const py::array array = any_array(given, what, expected);
  if (!is_real(array)) {
    refuse_array(what, expected + " of real numbers",
                 fmt::format("dtype {}", std::string(py::str(array.dtype()))));
  }
  check_shape(array, what, wanted);
  return Doubles(array);
}

Vec3 point(const py::handle& given, std::string_view what) {
  const Doubles array = doubles(given, what, {{3}, "(3,)"});
  return {array.at(0), array.at(1), array.at(2)};
}

std::vector<Vec3> points(const py::handle& given, std::string_view what) {
  const Doubles array = doubles(given, what, kPoints);
  const auto* const first = as<Vec3>(array.data());
  return {first, first + rows(array)};
}

std::vector<Vec3f> float_points(const py::handle& given, std::string_view what) {
  using Floats = py::array_t<float, py::array::c_style>;
  if (py::isinstance<Floats>(given)) {
    const auto floats = py::reinterpret_borrow<Floats>(given);
    check_shape(floats, what, kPoints);
    const auto* const first = as<Vec3f>(floats.data());
    return {first, first + rows(floats)};
  }
  const Doubles array = doubles(given, what, kPoints);
  const auto* const first = as<Vec3>(array.data());
  std::vector<Vec3f> out;
  out.reserve(rows(array));
  for (std::size_t i = 0; i < rows(array); ++i) out.push_back(io::to_float(first[i]));
  return out;
}

std::vector<TriangleIndices> triangles(const py::handle& given, std::string_view what) {
  const Wanted wanted{{-1, 3}, "(m, 3)"};
  const py::array array = any_array(given, what, "an array of shape (m, 3)");
  check_shape(array, what, wanted);
  const char kind = array.dtype().kind();
  // What is empty has numpy's usual type, of floating point.
  if (kind != 'i' && kind != 'u' && array.size() > 0) {
    refuse_array(what, "whole numbers",
                 fmt::format("dtype {}", std::string(py::str(array.dtype()))));
  }
  const py::array_t<std::int64_t, py::array::c_style | py::array::forcecast> wide(array);
  std::vector<TriangleIndices> out(rows(array));
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int64_t index = wide.data()[3 * i + k];
      if (index < 0 || index > std::numeric_limits<std::uint32_t>::max()) {
        refuse(
            ErrorCode::kInput,
            fmt::format("{}: triangle {} has the index {}; vertices count from 0", what, i, index));
      }
      out[i][k] = static_cast<std::uint32_t>(index);
    }
  }
  return out;
}

Transform transform(const py::handle& given, std::string_view what) {
  return transforms(given, what, {{7}, "(7,)"}).front();
}

std::vector<Transform> transforms(const py::handle& given, std::string_view what,
                                  const Wanted& wanted) {
  const Doubles array = doubles(given, what, wanted);
  const auto* const first = as<Transform>(array.data());
  return {first, first + static_cast<std::size_t>(array.size()) / 7};
}

py::array view(std::span<const Transform> poses, std::vector<py::ssize_t> shape,
               const py::object& owner) {
  return view(as<double>(poses.data()), std::move(shape), owner);
}

py::array view(std::span<const Vec3> list, const py::object& owner) {
  return view(as<double>(list.data()), {static_cast<py::ssize_t>(list.size()), 3}, owner);
}

py::array view(std::span<const Vec3f> list, const py::object& owner) {
  return view(as<float>(list.data()), {static_cast<py::ssize_t>(list.size()), 3}, owner);
}

py::array view(std::span<const TriangleIndices> list, const py::object& owner) {
  return view(as<std::uint32_t>(list.data()), {static_cast<py::ssize_t>(list.size()), 3}, owner);
}

py::array array_of(const Vec3& v) { return py::array_t<double>(3, &v.x); }

py::array array_of(const Transform& t) { return py::array_t<double>(7, &t.rotation.w); }

py::array array_of(std::span<const double> list) {
  return py::array_t<double>(static_cast<py::ssize_t>(list.size()), list.data());
}

py::array array_of(std::span<const Transform> list) {
  return py::array_t<double>({static_cast<py::ssize_t>(list.size()), py::ssize_t{7}},
                             as<double>(list.data()));
}

}  // namespace tocsin::python
