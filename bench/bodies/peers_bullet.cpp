// Bullet: conservative advancement of two convex bodies that move and turn. It has nothing of the
// kind for bodies that are not convex.
#include "bodies/shapes_peers.h"

#ifdef TOCSIN_BENCH_BULLET

// NOLINTNEXTLINE(llvm-include-order)
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

namespace tocsin::bench {
namespace {

btTransform pose_of(const Transform& pose) {
  const auto number = [](double x) { return static_cast<btScalar>(x); };
  const Quat& q = pose.rotation;
  const Vec3& t = pose.translation;
  return btTransform(btQuaternion(number(q.x), number(q.y), number(q.z), number(q.w)),
                     btVector3(number(t.x), number(t.y), number(t.z)));
}

class Bullet final : public Peer {
 public:
  explicit Bullet(const Shape& shape) {
    for (const Vec3& c : shape.corners()) {
      hull_.addPoint(pose_of({{}, c}).getOrigin(), false);
    }
    hull_.recalcLocalAabb();
    hull_.setMargin(0);  // else the bodies are larger than they are
  }

  [[nodiscard]] std::string name() const override { return "Bullet, conservative advancement"; }

  PeerAnswer check(const Step& a, const Step& b) override {
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    btContinuousConvexCollision cast(&hull_, &hull_, &simplex, &depth);
    btConvexCast::CastResult result;
    const bool touches =
        cast.calcTimeOfImpact(pose_of(a.pose0()[0]), pose_of(a.pose1()[0]), pose_of(b.pose0()[0]),
                              pose_of(b.pose1()[0]), result);
    return {touches, static_cast<double>(result.m_fraction)};
  }

 private:
  btConvexHullShape hull_;
};

}  // namespace

Peers bullet_peers(const Shape& shape, bool convex) {
  Peers out;
  if (convex) out.push_back(std::make_unique<Bullet>(shape));
  return out;
}

}  // namespace tocsin::bench

#else

namespace tocsin::bench {

Peers bullet_peers(const Shape& /*shape*/, bool /*convex*/) { return {}; }

}  // namespace tocsin::bench

#endif
