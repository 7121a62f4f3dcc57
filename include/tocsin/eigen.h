// Eigen's types and Tocsin's, both ways. Header-only, and optional: Tocsin itself does not need
// Eigen, and tocsin/tocsin.h does not include this. A program that does links Eigen3::Eigen.
//
//   as_eigen    a map: Tocsin's memory as Eigen sees it, without a copy; lasts as long as that does
//   as_tocsin   Eigen's memory as Tocsin sees it, without a copy; lasts as long as that does
//   to_eigen    a copy as Eigen's type
//   from_eigen  a copy as Tocsin's type
//
// Positions are columns. Metres; joint-to-parent transforms and the world frame as everywhere
// (tocsin/types.h).
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin {

namespace detail {

/// How far R^T R may be from the identity before a transform is taken for a mistake (a scale, a
/// shear) instead of a rounding: what Tocsin takes of a quaternion's length.
inline constexpr double kRotationTolerance = 1e-3;

// What maps rely on: values without padding, in the order of their names.
static_assert(sizeof(Vec3) == 3 * sizeof(double) && std::is_standard_layout_v<Vec3>);
static_assert(sizeof(Vec3f) == 3 * sizeof(float) && std::is_standard_layout_v<Vec3f>);
static_assert(sizeof(Quat) == 4 * sizeof(double) && offsetof(Quat, w) == 0);
static_assert(sizeof(Transform) == 7 * sizeof(double) && offsetof(Transform, translation) == 32);
static_assert(sizeof(TriangleIndices) == 3 * sizeof(std::uint32_t));

/// Eigen's map of `rows` numbers a value; const where the values are.
template <class Scalar, int kRows, int kColumns, class Value>
auto map_of(Value* values, std::size_t count) {
  using Matrix = Eigen::Matrix<Scalar, kRows, kColumns>;
  constexpr bool kConst = std::is_const_v<Value>;
  using Mapped = std::conditional_t<kConst, const Matrix, Matrix>;
  using Number = std::conditional_t<kConst, const Scalar, Scalar>;
  return Eigen::Map<Mapped>(reinterpret_cast<Number*>(values), kRows,
                            static_cast<Eigen::Index>(count));
}

template <class Value>
using Plain = std::remove_const_t<Value>;

}  // namespace detail

/// A point or vector: Eigen::Map<Vector3d>, of a const one Map<const Vector3d>.
inline auto as_eigen(Vec3& v) { return detail::map_of<double, 3, 1>(&v, 1); }
inline auto as_eigen(const Vec3& v) { return detail::map_of<double, 3, 1>(&v, 1); }
void as_eigen(const Vec3&&) = delete;  // it would outlive what it shows
/// The same of a room's vertex: Map<Vector3f>.
inline auto as_eigen(Vec3f& v) { return detail::map_of<float, 3, 1>(&v, 1); }
inline auto as_eigen(const Vec3f& v) { return detail::map_of<float, 3, 1>(&v, 1); }
void as_eigen(const Vec3f&&) = delete;

/// Points as the columns of a 3 x n matrix: Map<Matrix3Xd>.
template <class Value>
requires std::is_same_v<detail::Plain<Value>, Vec3>
auto as_eigen(std::span<Value> points) {
  return detail::map_of<double, 3, Eigen::Dynamic>(points.data(), points.size());
}
/// Vertices of a room as the columns of a 3 x n matrix: Map<Matrix3Xf>.
template <class Value>
requires std::is_same_v<detail::Plain<Value>, Vec3f>
auto as_eigen(std::span<Value> vertices) {
  return detail::map_of<float, 3, Eigen::Dynamic>(vertices.data(), vertices.size());
}
/// Triangles as the columns of a 3 x n matrix of indices.
template <class Value>
requires std::is_same_v<detail::Plain<Value>, TriangleIndices>
auto as_eigen(std::span<Value> triangles) {
  return detail::map_of<std::uint32_t, 3, Eigen::Dynamic>(triangles.data(), triangles.size());
}
/// Poses as the columns of a 7 x n matrix: the quaternion w, x, y, z, then the translation.
template <class Value>
requires std::is_same_v<detail::Plain<Value>, Transform>
auto as_eigen(std::span<Value> poses) {
  return detail::map_of<double, 7, Eigen::Dynamic>(poses.data(), poses.size());
}

/// The columns of a 3 x n matrix as points, triangles or vertices, of a 7 x n matrix as poses. Of
/// an Eigen::Matrix that stays: of an expression or a map, which would be copied, it does not
/// compile.
inline std::span<const Vec3> as_tocsin(const Eigen::Matrix3Xd& points) {
  return {reinterpret_cast<const Vec3*>(points.data()), static_cast<std::size_t>(points.cols())};
}
inline std::span<const Vec3f> as_tocsin(const Eigen::Matrix3Xf& vertices) {
  return {reinterpret_cast<const Vec3f*>(vertices.data()),
          static_cast<std::size_t>(vertices.cols())};
}
inline std::span<const Transform> as_tocsin(const Eigen::Matrix<double, 7, Eigen::Dynamic>& poses) {
  return {reinterpret_cast<const Transform*>(poses.data()), static_cast<std::size_t>(poses.cols())};
}
inline std::span<const TriangleIndices> as_tocsin(
    const Eigen::Matrix<std::uint32_t, 3, Eigen::Dynamic>& triangles) {
  return {reinterpret_cast<const TriangleIndices*>(triangles.data()),
          static_cast<std::size_t>(triangles.cols())};
}
void as_tocsin(const Eigen::Matrix3Xd&&) = delete;  // it would outlive what it shows
void as_tocsin(const Eigen::Matrix3Xf&&) = delete;
void as_tocsin(const Eigen::Matrix<double, 7, Eigen::Dynamic>&&) = delete;
void as_tocsin(const Eigen::Matrix<std::uint32_t, 3, Eigen::Dynamic>&&) = delete;

inline Eigen::Vector3d to_eigen(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Eigen::Vector3f to_eigen(const Vec3f& v) { return {v.x, v.y, v.z}; }
/// The same rotation. Eigen keeps the scalar last, so that no map shows one as the other.
inline Eigen::Quaterniond to_eigen(const Quat& q) { return {q.w, q.x, q.y, q.z}; }
/// x -> rotation(x) + translation; the rotation's matrix is off by rounding.
inline Eigen::Isometry3d to_eigen(const Transform& t) {
  Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
  out.linear() = to_eigen(t.rotation).toRotationMatrix();
  out.translation() = to_eigen(t.translation);
  return out;
}
/// One a joint, as Motion::pose() and Step::pose0() give them.
inline std::vector<Eigen::Isometry3d> to_eigen(std::span<const Transform> pose) {
  std::vector<Eigen::Isometry3d> out;
  out.reserve(pose.size());
  for (const Transform& joint : pose) out.push_back(to_eigen(joint));
  return out;
}

inline Vec3 from_eigen(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }
inline Vec3f from_eigen(const Eigen::Vector3f& v) { return {v.x(), v.y(), v.z()}; }
/// Not normalised: whatever takes it refuses a length that is not 1.
inline Quat from_eigen(const Eigen::Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }
/// The rotation is the nearest unit quaternion's, up to rounding. Errors (kInput): a matrix that is
/// no rotation within 1e-3 (it scales, shears or mirrors), or is not finite.
inline Result<Transform> from_eigen(const Eigen::Isometry3d& t) {
  const Eigen::Matrix3d r = t.linear();
  const double off = (r.transpose() * r - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff();
  if (!(off <= detail::kRotationTolerance) || !r.allFinite() || r.determinant() < 0.0) {
    return {ErrorCode::kInput,
            "the matrix of a transform is no rotation: R^T R is off the identity by " +
                std::to_string(off) + ", the determinant is " + std::to_string(r.determinant())};
  }
  if (!t.translation().allFinite()) return {ErrorCode::kInput, "a translation is not finite"};
  return Transform{from_eigen(Eigen::Quaterniond(r).normalized()),
                   from_eigen(Eigen::Vector3d(t.translation()))};
}
/// A pose, or the poses of several frames one after the other: what Motion::create() takes. Errors
/// (kInput): as above, naming the entry.
inline Result<std::vector<Transform>> from_eigen(std::span<const Eigen::Isometry3d> poses) {
  std::vector<Transform> out;
  out.reserve(poses.size());
  for (std::size_t i = 0; i < poses.size(); ++i) {
    const Result<Transform> pose = from_eigen(poses[i]);
    if (!pose.ok()) {
      return {pose.error().code, "transform " + std::to_string(i) + ": " + pose.error().message};
    }
    out.push_back(pose.value());
  }
  return out;
}

}  // namespace tocsin
