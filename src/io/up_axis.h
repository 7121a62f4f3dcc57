// Turning a file's up axis to Y: (x, y, z) -> (x, z, -y) for Z up, (-y, x, z) for X up.
#pragma once

#include "tocsin/types.h"

namespace tocsin::io {

/// A point in Tocsin's axes. Exact: components move and change sign.
constexpr Vec3 turned_up(const Vec3& p, UpAxis up) {
  switch (up) {
    case UpAxis::kZ:
      return {p.x, p.z, -p.y};
    case UpAxis::kX:
      return {-p.y, p.x, p.z};
    case UpAxis::kY:
      break;
  }
  return p;
}

/// The same as a rotation: -90 degrees about x for Z up, 90 degrees about z for X up.
constexpr Quat up_rotation(UpAxis up) {
  constexpr double kHalfRoot = 0x1.6a09e667f3bcdp-1;  // sqrt(1/2), rounded
  switch (up) {
    case UpAxis::kZ:
      return {kHalfRoot, -kHalfRoot, 0.0, 0.0};
    case UpAxis::kX:
      return {kHalfRoot, 0.0, 0.0, kHalfRoot};
    case UpAxis::kY:
      break;
  }
  return {};
}

/// As messages write it: 'Y'.
constexpr char letter_of(UpAxis up) {
  return up == UpAxis::kX ? 'X' : up == UpAxis::kZ ? 'Z' : 'Y';
}

}  // namespace tocsin::io
