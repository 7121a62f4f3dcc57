// FCL 0.7. Its CA takes RSS or OBBRSS trees only; on both it ends.
#include "bodies/shapes_peers.h"

#ifdef TOCSIN_BENCH_FCL

// NOLINTNEXTLINE(llvm-include-order)
#include <fcl/fcl.h>

#include <utility>

namespace tocsin::bench {
namespace {

using Model = fcl::BVHModel<fcl::OBBRSSd>;

std::shared_ptr<const Model> model_of(const Shape& shape) {
  std::vector<fcl::Vector3d> corners;
  std::vector<fcl::Triangle> triangles;
  for (const Vec3& c : shape.corners()) corners.emplace_back(c.x, c.y, c.z);
  for (const TriangleIndices& t : shape.features()) triangles.emplace_back(t[0], t[1], t[2]);
  auto model = std::make_shared<Model>();
  model->beginModel();
  model->addSubModel(corners, triangles);
  model->endModel();
  return model;
}

fcl::Transform3d pose_of(const Transform& pose) {
  const Quat& q = pose.rotation;
  fcl::Transform3d out = fcl::Transform3d::Identity();
  out.linear() = fcl::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix();
  out.translation() = fcl::Vector3d(pose.translation.x, pose.translation.y, pose.translation.z);
  return out;
}

class Fcl final : public Peer {
 public:
  Fcl(std::shared_ptr<const Model> model, std::string name, fcl::CCDSolverType solver,
      std::size_t rounds)
      : model_(std::move(model)),
        name_(std::move(name)),
        request_(rounds, kTocError, fcl::CCDM_LINEAR, fcl::GST_LIBCCD, solver) {}

  [[nodiscard]] std::string name() const override { return name_; }

  PeerAnswer check(const Step& a, const Step& b) override {
    fcl::ContinuousCollisionResultd result;
    fcl::continuousCollide(model_.get(), pose_of(a.pose0()[0]), pose_of(a.pose1()[0]), model_.get(),
                           pose_of(b.pose0()[0]), pose_of(b.pose1()[0]), request_, result);
    return {result.is_collide, result.time_of_contact};
  }

 private:
  static constexpr double kTocError = 1e-4;  // FCL's own choice

  std::shared_ptr<const Model> model_;
  std::string name_;
  fcl::ContinuousCollisionRequestd request_;
};

}  // namespace

Peers fcl_peers(const Shape& shape) {
  const std::shared_ptr<const Model> model = model_of(shape);
  Peers out;
  out.push_back(std::make_unique<Fcl>(model, "FCL, 10 samples a step", fcl::CCDC_NAIVE, 10));
  out.push_back(std::make_unique<Fcl>(model, "FCL, 100 samples a step", fcl::CCDC_NAIVE, 100));
  out.push_back(std::make_unique<Fcl>(model, "FCL, conservative advancement",
                                      fcl::CCDC_CONSERVATIVE_ADVANCEMENT, 10));
  return out;
}

}  // namespace tocsin::bench

#else

namespace tocsin::bench {

Peers fcl_peers(const Shape& /*shape*/) { return {}; }

}  // namespace tocsin::bench

#endif
