#include "pair_sweep.h"

#include <fmt/format.h>

#include <numeric>

#include "core/query/link_pair.h"
#include "sweep.h"

namespace tocsin::oracle::test {
namespace {

std::string describe(const MovingAxis& axis) {
  std::string out = fmt::format("{}, radius {:a}, a {}, b {}\n",
                                axis.kind == InBetween::kScrew ? "screw" : "translate_rotate",
                                axis.radius, numbers(axis.a), numbers(axis.b));
  for (const core::JointMotion& m : axis.chain) out += numbers(m);
  return out;
}

std::vector<std::int32_t> counted(std::size_t n) {
  std::vector<std::int32_t> out(n);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

}  // namespace

PairInput::PairInput(const PairQuery& query)
    : chains_{counted(query.first.chain.size()), counted(query.second.chain.size())} {
  first = link_motion_of(query.first, chains_[0]);
  second = link_motion_of(query.second, chains_[1]);
}

core::Certificate PairInput::certify(double tolerance) const {
  return core::certify_pair(first, core::evaluate(first, 0.0), second, core::evaluate(second, 0.0),
                            tolerance, core::kToEnd);
}

core::Certificate certify_query(const PairQuery& query, double tolerance) {
  return PairInput(query).certify(tolerance);
}

bool PairQueries::starts_early(const PairQuery& query, double lo) {
  const LinkPath first = path_of(query.first);
  const LinkPath second = path_of(query.second);
  PairProver prover(first, second, radius_of(query));
  const PairInput in(query);
  const Real eta = core::rounding_margin(in.first, in.second);
  return prover.distance(lo).least > prover.radius() + 8.0L * eta;
}

std::string describe(const PairQuery& q) { return describe(q.first) + describe(q.second); }

}  // namespace tocsin::oracle::test
