// Bodies with meshes that tumble, for the selftest and bench_shapes. Made by numbers, no files.
#pragma once

#include <cstddef>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/member.h"
#include "tocsin/motion.h"

namespace tocsin::selftest {

/// A closed ball with waves, 2 rings around triangles or so.
struct WavyBall {
  int rings = 20;
  int around = 20;
  double size = 0.5;   ///< metres
  double waves = 0.1;  ///< parts of the size; 0: convex
};
Shape wavy_ball(const WavyBall& ball);

/// A capsule's surface as a mesh, which lies inside of it.
Shape capsule_mesh(const Vec3& a, const Vec3& b, double radius, int triangles);

/// The avatar with such a mesh in place of every link.
Avatar meshed(const Avatar& avatar, int triangles);

/// Some bodies, each with a take of its own.
struct MeshScene {
  std::vector<Member> members;
  std::vector<std::vector<Step>> steps;  ///< per instant, of every member
};

/// A body of one joint that goes through these poses, at 60 Hz.
struct MeshBody {
  Shape shape;
  std::vector<Transform> poses;
};
/// Precondition: all have as many poses, two or more.
MeshScene scene_of(const std::vector<MeshBody>& bodies, InBetween in_between = InBetween::kScrew);

/// Two bodies: one turns in its place, the other comes past it again and again while it tumbles.
/// `nearest`, `farthest`: distance of the middles, metres; `degrees`: turn of both a step.
struct TwoBodies {
  Shape shape;
  double nearest = 0.9;
  double farthest = 1.3;
  double degrees = 10.0;
  std::size_t steps = 600;
  InBetween in_between = InBetween::kScrew;
};
MeshScene two_bodies(const TwoBodies& how);

/// `count` convex balls in a cube of which they fill `density`, that drift and turn.
MeshScene many_bodies(std::size_t count, double density, std::size_t steps);

}  // namespace tocsin::selftest
