#include "detect/choice/sample_steps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>

namespace tocsin::detect {

namespace {

constexpr int kWalkFrames = 32;
constexpr double kFrameTime = 1.0 / 30.0;  // seconds; of no importance: only poses are checked
constexpr double kFarFromTriangle = 0.5;   // metres
constexpr double kStride = 0.02;           // metres a frame
constexpr double kTurn = 0.026;  // tangent of half an angle: 3 degrees a frame about each axis
constexpr double kBend = 0.3;    // the same: how far a walk's first pose is bent, 33 degrees

/// A bone of the sample body, from its parent's joint to its own; metres, Y up.
struct Bone {
  int parent;
  Vec3 offset;
  double radius;
};
constexpr std::array<Bone, 16> kBody{{{-1, {0.0, 0.0, 0.0}, 0.0},
                                      {0, {0.0, 0.2, 0.0}, 0.13},
                                      {1, {0.0, 0.3, 0.0}, 0.14},
                                      {2, {0.0, 0.25, 0.0}, 0.09},
                                      {2, {0.18, 0.05, 0.0}, 0.06},
                                      {4, {0.28, 0.0, 0.0}, 0.05},
                                      {5, {0.25, 0.0, 0.0}, 0.04},
                                      {2, {-0.18, 0.05, 0.0}, 0.06},
                                      {7, {-0.28, 0.0, 0.0}, 0.05},
                                      {8, {-0.25, 0.0, 0.0}, 0.04},
                                      {0, {0.1, -0.05, 0.0}, 0.09},
                                      {10, {0.0, -0.42, 0.0}, 0.08},
                                      {11, {0.0, -0.4, 0.0}, 0.05},
                                      {0, {-0.1, -0.05, 0.0}, 0.09},
                                      {13, {0.0, -0.42, 0.0}, 0.08},
                                      {14, {0.0, -0.4, 0.0}, 0.05}}};

class Numbers {
 public:
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(bits_() >> 11U) * 0x1p-53);
  }
  Vec3 vector(double most) {
    return {between(-most, most), between(-most, most), between(-most, most)};
  }
  std::uint32_t below(std::size_t count) { return static_cast<std::uint32_t>(bits_() % count); }

 private:
  std::mt19937_64 bits_{0x70C5111ULL};
};

/// A turn by twice the arc tangent of v's length about v.
Quat turn(const Vec3& v) {
  const double length = std::sqrt(1.0 + v.x * v.x + v.y * v.y + v.z * v.z);
  return {1.0 / length, v.x / length, v.y / length, v.z / length};
}

Quat product(const Quat& p, const Quat& q) {
  const Quat r{
      p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
      p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
  const double length = std::sqrt(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z);
  return {r.w / length, r.x / length, r.y / length, r.z / length};
}

Vec3 sum(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }

Skeleton body_skeleton() {
  std::vector<Joint> joints;
  for (const Bone& bone : kBody) {
    joints.push_back({std::to_string(joints.size()), bone.parent, {{}, bone.offset}});
  }
  return Skeleton::create(std::move(joints)).value();
}

Avatar body(const Skeleton& skeleton) {
  std::vector<Link> links;
  for (const Bone& bone : kBody) {
    if (bone.parent < 0) continue;
    links.push_back({std::to_string(links.size()), bone.parent, {}, bone.offset, bone.radius});
  }
  return Avatar::create("sample", skeleton, std::move(links)).value();
}

/// Somewhere near the room's triangles, metres.
Vec3 place_by(const Environment& environment, Numbers& numbers) {
  const auto corners = environment.corners(numbers.below(environment.triangles().size()));
  Vec3 at = numbers.vector(kFarFromTriangle);
  for (const Vec3f& c : corners) at = sum(at, {c.x / 3.0, c.y / 3.0, c.z / 3.0});
  return at;
}

void append_walk(const Environment& environment, Numbers& numbers, std::vector<Transform>& poses) {
  std::array<Transform, kBody.size()> pose;
  for (std::size_t j = 0; j < pose.size(); ++j) {
    pose[j] = {turn(numbers.vector(kBend)), kBody[j].offset};
  }
  pose[0].translation = place_by(environment, numbers);
  for (int frame = 0; frame < kWalkFrames; ++frame) {
    poses.insert(poses.end(), pose.begin(), pose.end());
    pose[0].translation = sum(pose[0].translation, numbers.vector(kStride));
    for (Transform& joint : pose) {
      joint.rotation = product(joint.rotation, turn(numbers.vector(kTurn)));
    }
  }
}

}  // namespace

SampleSteps::SampleSteps(const Environment& environment, std::size_t count) {
  const Skeleton skeleton = body_skeleton();
  member_ = body(skeleton);
  Numbers numbers;
  std::vector<Transform> poses;
  const std::size_t walks = count / (kWalkFrames - 1) + 1;
  for (std::size_t w = 0; w < walks; ++w) append_walk(environment, numbers, poses);
  const auto motion = Motion::create(skeleton, kFrameTime, std::move(poses));
  // A room may lie so far out that no avatar may be there: then there are no steps.
  if (!motion) return;
  for (std::size_t w = 0; w < walks; ++w) {
    const auto first = static_cast<std::int64_t>(w) * kWalkFrames;
    const StepList walk = motion->steps({first, first + kWalkFrames - 1}).value();
    steps_.insert(steps_.end(), walk.begin(), walk.end());
  }
  steps_.resize(std::min(steps_.size(), count));
}

std::vector<Question> SampleSteps::questions(std::size_t count) const {
  std::vector<Question> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back({&member_, &steps_[i], i});
  return out;
}

}  // namespace tocsin::detect
