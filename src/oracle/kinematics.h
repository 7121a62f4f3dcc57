// Where a link is at a time: the motion that the stored doubles of a step's JointMotions define
// (core/motion/joint_motion.h, docs/exact.md "Motion"), evaluated root to leaf with 3x3 matrices.
//
// Over any number type T with + - * /, a constructor from double, and a sine_cosine found by
// argument-dependent lookup: long double for verdicts, double for drafts, intervals in the tests.
#pragma once

#include <span>
#include <vector>

#include "core/motion/joint_motion.h"
#include "oracle/number.h"
#include "tocsin/motion.h"

namespace tocsin::oracle {

/// The end points of a link's axis at one time, relative to the path's origin, metres.
template <class T>
struct Axis {
  Vec<T> a;
  Vec<T> b;
};

/// The point of the axis at the part s of its length.
template <class T>
Vec<T> between(const Axis<T>& axis, T s) {
  return axis.a + s * (axis.b - axis.a);
}

inline void sine_cosine(Real x, Real& sine, Real& cosine) {
  sine = std::sin(x);
  cosine = std::cos(x);
}
inline void sine_cosine(double x, double& sine, double& cosine) {
  sine = std::sin(x);
  cosine = std::cos(x);
}

/// One joint's motion with everything that does not depend on t worked out.
template <class T>
class JointPath {
 public:
  /// `origin` is subtracted from the translation: the path's origin for a root, zero otherwise.
  JointPath(const core::JointMotion& m, InBetween kind, const Vec3& origin)
      : screw_(kind == InBetween::kScrew), turns_(m.w > 0.0), w_(m.w) {
    for (int i = 0; i < 3; ++i) {
      still_.at[i][0] = T(m.r0.row[i].x);
      still_.at[i][1] = T(m.r0.row[i].y);
      still_.at[i][2] = T(m.r0.row[i].z);
    }
    const Matrix<T> turn = cross_matrix(widen<T>(m.u));
    sine_ = turn * still_;
    versine_ = turn * sine_;
    start_ = widen<T>(m.c) - widen<T>(origin);
    drift_ = screw_ ? T(m.h) * widen<T>(m.u) : widen<T>(m.s);
    swing_ = widen<T>(m.v);
    swing_across_ = outer(widen<T>(m.u), swing_);
  }

  /// P(t) and T(t).
  void at(const T& t, Matrix<T>& rotation, Vec<T>& translation) const {
    rotation = still_;
    translation = start_ + t * drift_;
    if (!turns_) {
      if (screw_) translation = translation + t * swing_;
      return;
    }
    T half_sine(0.0);
    T half_cosine(0.0);
    sine_cosine(T(0.5) * (w_ * t), half_sine, half_cosine);
    const T sine = T(2.0) * (half_sine * half_cosine);
    const T versine = T(2.0) * (half_sine * half_sine);  // 1 - cos(wt)
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        rotation.at[i][j] =
            rotation.at[i][j] + (sine * sine_.at[i][j] + versine * versine_.at[i][j]);
      }
    }
    if (screw_) {
      translation = translation + ((sine / w_) * swing_ + (versine / w_) * swing_across_);
    }
  }

 private:
  bool screw_;
  bool turns_;
  T w_;
  Matrix<T> still_;      // R0
  Matrix<T> sine_;       // [u]x R0
  Matrix<T> versine_;    // [u]x [u]x R0
  Vec<T> start_;         // c - origin
  Vec<T> drift_;         // s, or h u for a screw
  Vec<T> swing_;         // v
  Vec<T> swing_across_;  // u x v
};

/// The frame of a chain's last joint at one time: x -> rotation x + origin.
template <class T>
struct Frame {
  Matrix<T> rotation;
  Vec<T> origin;

  [[nodiscard]] Vec<T> operator()(const Vec<T>& x) const { return origin + rotation * x; }
};

/// That frame over a step.
template <class T>
class FramePath {
 public:
  /// `chain` runs from a root to the joint. None: the frame stands still, its origin at `origin`.
  FramePath(std::span<const core::JointMotion> chain, InBetween kind, const Vec3& origin) {
    joints_.reserve(chain.size());
    for (const core::JointMotion& joint : chain) {
      joints_.emplace_back(joint, kind, joints_.empty() ? origin : Vec3{});
    }
  }

  [[nodiscard]] Frame<T> at(const T& t) const {
    Frame<T> frame;
    if (joints_.empty()) {
      for (int i = 0; i < 3; ++i) frame.rotation.at[i][i] = T(1.0);
      return frame;
    }
    joints_.front().at(t, frame.rotation, frame.origin);
    Matrix<T> rotation;
    Vec<T> translation;
    for (std::size_t k = 1; k < joints_.size(); ++k) {
      joints_[k].at(t, rotation, translation);
      frame.origin = frame.origin + frame.rotation * translation;
      frame.rotation = frame.rotation * rotation;
    }
    return frame;
  }

 private:
  std::vector<JointPath<T>> joints_;
};

/// A link's axis over a step.
template <class T>
class AxisPath {
 public:
  /// `chain` runs from a root to the link's joint; `a` and `b` are in that joint's frame.
  AxisPath(std::span<const core::JointMotion> chain, InBetween kind, const Vec3& a, const Vec3& b,
           const Vec3& origin)
      : frame_(chain, kind, origin), a_(widen<T>(a)), b_(widen<T>(b)) {}

  [[nodiscard]] Axis<T> at(const T& t) const {
    const Frame<T> frame = frame_.at(t);
    return {frame(a_), frame(b_)};
  }

 private:
  FramePath<T> frame_;
  Vec<T> a_;
  Vec<T> b_;
};

}  // namespace tocsin::oracle
