#include "sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/motion/link_motion.h"

namespace tocsin::oracle::test {
namespace {

Vec3 rounded_to_float(const Vec3& p) {
  return {static_cast<double>(static_cast<float>(p.x)),
          static_cast<double>(static_cast<float>(p.y)),
          static_cast<double>(static_cast<float>(p.z))};
}

// A query as certify wants it.
class CertifyInput {
 public:
  explicit CertifyInput(const LinkQuery& q)
      : axis_{q.chain, q.kind, q.a, q.b, q.radius}, indices_(q.chain.size()) {
    std::iota(indices_.begin(), indices_.end(), 0);
    link = link_motion_of(axis_, indices_);
    for (std::size_t i = 0; i < 3; ++i) triangle.v[i] = core::to_double(q.triangle[i]) - link.ref;
  }
  CertifyInput(const CertifyInput&) = delete;
  CertifyInput& operator=(const CertifyInput&) = delete;

  core::LinkMotion link;
  core::Triangle triangle;

 private:
  MovingAxis axis_;
  std::vector<std::int32_t> indices_;
};

}  // namespace

core::LinkMotion link_motion_of(const MovingAxis& axis, const std::vector<std::int32_t>& chain) {
  core::LinkMotion link;
  link.joints = axis.chain.data();
  link.chain = chain.data();
  link.chain_length = static_cast<std::int32_t>(axis.chain.size());
  link.kind = axis.kind;
  link.a = axis.a;
  link.b = axis.b;
  link.radius = axis.radius;
  link.ref = rounded_to_float(axis.chain.front().c);
  core::ChainBounds bounds;
  for (const core::JointMotion& m : axis.chain) {
    bounds = core::extend(bounds, m, axis.kind, link.ref);
  }
  core::set_bounds(link, bounds);
  return link;
}

core::Certificate certify_query(const LinkQuery& query, double tolerance) {
  const CertifyInput in(query);
  return core::certify(in.link, core::evaluate(in.link, 0.0), in.triangle, tolerance, core::kToEnd);
}

double eta_of(const LinkQuery& query) {
  const CertifyInput in(query);
  double reach = 0.0;
  for (const Vec3& v : in.triangle.v) reach = std::max(reach, core::norm(v));
  return core::rounding_margin(in.link, reach);
}

bool LinkQueries::starts_early(const LinkQuery& query, double lo) {
  const LinkPath path(query.chain, query.kind, query.a, query.b);
  Prover prover(path, query.triangle, query.radius);
  return prover.distance(lo).least > prover.radius() + 8.0L * static_cast<Real>(eta_of(query));
}

std::string describe(const LinkQuery& q) {
  std::string out = fmt::format("{}, radius {:a}, a {}, b {}\n",
                                q.kind == InBetween::kScrew ? "screw" : "translate_rotate",
                                q.radius, numbers(q.a), numbers(q.b));
  for (const Vec3f& v : q.triangle) out += fmt::format("corner {}\n", numbers(core::to_double(v)));
  for (const core::JointMotion& m : q.chain) out += numbers(m);
  return out;
}

}  // namespace tocsin::oracle::test
