// An articulated arm with Eigen, five revolute joints, and a post in its way. The plan is a
// straight line in joint space: every moment of it is proved free, or the first touch is named.
#include <tocsin/eigen.h>
#include <tocsin/tocsin.h>

#include <cstdio>
#include <string>
#include <vector>

using Eigen::Isometry3d;
using Eigen::Vector3d;
using Angles = Eigen::Matrix<double, 5, 1>;

namespace {

struct Revolute {
  Vector3d offset, axis;  ///< from the joint before, in its frame, metres
};
const std::vector<Revolute> kArm{{{0, 0.3, 0}, Vector3d::UnitY()},
                                 {{0, 0.2, 0}, Vector3d::UnitZ()},
                                 {{0.5, 0, 0}, Vector3d::UnitZ()},
                                 {{0.4, 0, 0}, Vector3d::UnitX()},
                                 {{0.1, 0, 0}, Vector3d::UnitZ()}};

/// Joint to parent, one a joint.
void append_pose(const Angles& angles, std::vector<Isometry3d>& poses) {
  for (Eigen::Index i = 0; i < angles.size(); ++i) {
    const auto& [offset, axis] = kArm[static_cast<std::size_t>(i)];
    poses.emplace_back(Eigen::Translation3d(offset) * Eigen::AngleAxisd(angles[i], axis));
  }
}

tocsin::Avatar make_arm() {
  std::vector<tocsin::Joint> joints;
  std::vector<tocsin::Link> links;
  for (std::size_t i = 0; i < kArm.size(); ++i) {
    joints.push_back({"joint " + std::to_string(i), static_cast<int>(i) - 1, {}});
    tocsin::Link link;
    link.name = "link " + std::to_string(i);
    link.joint = static_cast<int>(i);
    link.b = tocsin::from_eigen(i + 1 < kArm.size() ? kArm[i + 1].offset : Vector3d(0.1, 0, 0));
    link.radius = 0.04;
    links.push_back(link);
  }
  return tocsin::Avatar::create("arm", tocsin::Skeleton::create(joints).value(), links).value();
}

/// A post of 2 cm, upright, in the arm's way.
tocsin::Environment make_cell() {
  const auto post = tocsin::Shape::cylinder(0.01, 2.0, 1e-4).value();
  tocsin::ObjectMesh mesh{"post", {}, {post.features().begin(), post.features().end()}};
  const Eigen::Matrix3Xd corners = as_eigen(post.corners()).colwise() + Vector3d(0.6, 0.5, -0.6);
  const Eigen::Matrix3Xf rounded = corners.cast<float>();
  const auto vertices = tocsin::as_tocsin(rounded);
  mesh.vertices.assign(vertices.begin(), vertices.end());
  return tocsin::Environment::create({mesh}).value();
}

}  // namespace

int main() {
  const tocsin::Avatar arm = make_arm();
  std::vector<Isometry3d> plan;
  const Angles goal = (Angles() << 1.57, 0.2, -0.4, 0.5, 0.3).finished();
  for (int k = 0; k <= 10; ++k) append_pose(goal * (k / 10.0), plan);
  const auto poses = tocsin::from_eigen(plan).value();
  const auto motion = tocsin::Motion::create(arm.skeleton(), 0.1, poses).value();
  const auto detector = tocsin::Detector::make(make_cell()).value();
  for (const tocsin::Step& step : motion.steps().value()) {
    const tocsin::StepReport report = detector.check(arm, step).value();
    for (const tocsin::Contact& contact : report.contacts) {
      const Vector3d at = tocsin::to_eigen(contact.point);
      std::printf("link %d touches at %.6f s, %.3f m high\n", contact.link,
                  step.seconds(contact.toc[1]), at.y());
    }
    if (!report.contacts.empty()) return 0;
  }
  std::puts("the plan is free");
}
