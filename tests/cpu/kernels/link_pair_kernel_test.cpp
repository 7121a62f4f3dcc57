// certify_pair with the SIMD states of cpu/kernels/kernels.h: the scalar code's very bits at every
// target.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "core/query/link_pair.h"
#include "cpu/kernels/kernels.h"
#include "cpu/kernels/simd_targets.h"
#include "support/scenes/random_link.h"

namespace tocsin::cpu::link_pair_kernel_test {
namespace {

using core::LinkMotion;

/// The link that hangs on some joints of another's.
LinkMotion on_chain(const LinkMotion& link, const std::vector<core::JointMotion>& joints,
                    const std::vector<std::int32_t>& chain) {
  LinkMotion out = link;
  out.chain = chain.data();
  out.chain_length = static_cast<std::int32_t>(chain.size());
  core::ChainBounds bounds;
  for (const std::int32_t k : chain) {
    bounds = core::extend(bounds, joints[static_cast<std::size_t>(k)], out.kind, out.ref);
  }
  core::set_bounds(out, bounds);
  return out;
}

void expect_same(const LinkMotion& a, const LinkMotion& b) {
  const core::Certificate scalar =
      core::certify_pair(a, core::evaluate(a, 0), b, core::evaluate(b, 0), 1e-9, core::kToEnd);
  const core::Certificate simd = core::certify_pair<cpu::evaluate>(
      a, cpu::evaluate(a, 0), b, cpu::evaluate(b, 0), 1e-9, core::kToEnd);
  EXPECT_EQ(scalar.outcome, simd.outcome);
  EXPECT_EQ(scalar.lo, simd.lo);
  EXPECT_EQ(scalar.hi, simd.hi);
  EXPECT_EQ(scalar.evaluations, simd.evaluations);
}

TEST(LinkPairKernels, GiveTheScalarBits) {
  test::at_every_simd_target([] {
    test::RandomLinks random(141);
    for (int i = 0; i < 600; ++i) {
      const InBetween kind = i % 2 == 0 ? InBetween::kScrew : InBetween::kTranslateRotate;
      test::RandomLink a;
      test::RandomLink b;
      random.make(a, 1 + i % 9, kind, 0.3, i % 3 == 0 ? 3.1 : 0.3, 0.5, 0.5);
      random.make(b, 1 + i % 5, kind, 0.3, 0.3, 0.5, 0.5);
      expect_same(a.link, b.link);
      // Two links of one avatar: one hangs on all joints, the other on the first few, so that
      // nothing is left of its chain, or leaves them there.
      std::vector<std::int32_t> chain;
      for (std::int32_t k = 0; k < (1 + i % 9) / 2; ++k) chain.push_back(k);
      if (chain.empty()) continue;
      expect_same(a.link, on_chain(a.link, a.joints, chain));
      chain.push_back(static_cast<std::int32_t>(a.joints.size()) - 1);
      LinkMotion branch = on_chain(a.link, a.joints, chain);
      branch.b = branch.a;
      expect_same(a.link, branch);
    }
  });
}

}  // namespace
}  // namespace tocsin::cpu::link_pair_kernel_test
