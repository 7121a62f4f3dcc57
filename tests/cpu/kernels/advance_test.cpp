// Advancement of several triangles in lanes against the core's certify, at every SIMD target that
// this machine and compiler have.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

#include "core/query/certify.h"
#include "cpu/kernels/kernels.h"
#include "cpu/kernels/random_queries.h"
#include "cpu/kernels/simd_targets.h"

namespace tocsin::cpu::advance_test {
namespace {

using core::AxisState;
using core::Certificate;
using core::LinkMotion;
using core::Outcome;
using scene::kBlockSize;
using scene::TriangleBlock;
using test::any_link;
using test::any_triangle;
using test::at_every_simd_target;
using test::chance;
using test::empty_block;
using test::put;
using test::RandomLink;
using test::RandomLinks;
using test::relative;

/// Made, and answered by the core, before the targets answer one after the other.
constexpr std::size_t kQueries = 500;

struct Query {
  RandomLink r;
  AxisState at0;
  TriangleBlock block;
  double tolerance = 0.0;
  double stop_after = 0.0;
  int used = 0;
  std::array<Certificate, kBlockSize> expected;
};

/// Fills the query's block with triangles of a link that the early-out finds neither free nor
/// overlapping.
void find_suspects(RandomLinks& random, Query& q) {
  q.block = empty_block();
  q.used = 0;
  const int wanted = chance(random, 0.3) ? 1 : kBlockSize;
  for (int tries = 0; tries < 4 && q.used < wanted; ++tries) {
    TriangleBlock block = empty_block();
    std::array<std::array<Vec3f, 3>, kBlockSize> corners{};
    for (int lane = 0; lane < kBlockSize; ++lane) {
      corners[static_cast<std::size_t>(lane)] = any_triangle(random, q.r.link);
      put(block, lane, corners[static_cast<std::size_t>(lane)]);
    }
    const EarlyOut look = early_out(q.r.link, q.at0, block);
    std::uint32_t suspects = ~(look.overlap | look.free) & 0xffU;
    for (; suspects != 0 && q.used < wanted; suspects &= suspects - 1) {
      put(q.block, q.used++, corners[static_cast<std::size_t>(std::countr_zero(suspects))]);
    }
  }
}

Certificate ask(const Query& q, int lane, double stop_after) {
  const auto corner = [&](int i) {
    const auto& v = q.block.v[i];
    return Vec3f{v[0][lane], v[1][lane], v[2][lane]};
  };
  return core::certify(q.r.link, q.at0, relative({corner(0), corner(1), corner(2)}, q.r.link.ref),
                       q.tolerance, stop_after);
}

/// To the end, a triangle's own answer or a number beside it, any.
double any_stop(RandomLinks& random, const Query& q) {
  const double what = random.uniform(0, 1);
  if (what < 0.4 || q.used == 0) return core::kToEnd;
  if (what > 0.7) return random.uniform(0, 1);
  const Certificate c = ask(q, static_cast<int>(random.uniform(0, q.used)), core::kToEnd);
  const double stop = chance(random, 0.5) ? c.hi : c.lo;
  return chance(random, 0.5) ? stop : std::nextafter(stop, 0.0);
}

void make_march(RandomLinks& random, Query& q) {
  any_link(random, q.r);
  q.at0 = core::evaluate(q.r.link, 0.0);
  find_suspects(random, q);
  q.tolerance = chance(random, 0.8) ? 1e-9 : test::log_uniform(random, 1e-14, 0.1);
  q.stop_after = any_stop(random, q);
  for (int lane = 0; lane < q.used; ++lane) {
    q.expected[static_cast<std::size_t>(lane)] = ask(q, lane, q.stop_after);
  }
}

bool settles(const Certificate& c) {
  return c.outcome == Outcome::kFree || c.outcome == Outcome::kPruned;
}

struct AdvanceShares {
  int suspects = 0;
  int free = 0;
  int pruned = 0;
  int settled = 0;       ///< of free and pruned
  int whole_blocks = 0;  ///< all of whose triangles were settled
};

void expect_advance(const Query& q, AdvanceShares& shares) {
  const Advanced m = advance(q.r.link, q.at0, q.block, q.tolerance, q.stop_after);
  const std::uint32_t in_use = (1U << q.used) - 1U;
  ASSERT_EQ(m.settled & ~in_use, 0U);
  std::uint32_t evaluations = 0;
  for (int lane = 0; lane < q.used; ++lane) {
    const Certificate& c = q.expected[static_cast<std::size_t>(lane)];
    const bool settled = (m.settled >> lane & 1U) != 0;
    ASSERT_TRUE(!settled || settles(c))
        << "lane " << lane << ", outcome " << static_cast<int>(c.outcome) << ", lo " << c.lo;
    evaluations += static_cast<std::uint32_t>(c.evaluations);
    shares.free += c.outcome == Outcome::kFree;
    shares.pruned += c.outcome == Outcome::kPruned;
    shares.settled += settled;
  }
  shares.suspects += q.used;
  if (m.settled != in_use) return;
  // The very path of certify: as many looks.
  ASSERT_EQ(m.evaluations, evaluations);
  ++shares.whole_blocks;
}

TEST(Advance, SettlesWhatCertifyDoes) {
  RandomLinks random(66);
  std::vector<Query> queries(kQueries);
  std::vector<AdvanceShares> shares(hwy::SupportedAndGeneratedTargets().size());
  for (int batch = 0; batch < 65 && !HasFailure(); ++batch) {
    for (Query& q : queries) make_march(random, q);
    std::size_t target = 0;
    at_every_simd_target([&] {
      for (const Query& q : queries) {
        expect_advance(q, shares[target]);
        ASSERT_FALSE(testing::Test::HasFailure()) << "batch " << batch;
      }
      ++target;
    });
  }
  for (const AdvanceShares& s : shares) {
    std::printf("%d suspects: %d free, %d pruned; %d of these settled, %d whole blocks\n",
                s.suspects, s.free, s.pruned, s.settled, s.whole_blocks);
    EXPECT_GE(s.suspects, 100000);
    EXPECT_GT(s.free, s.suspects / 10);
    EXPECT_GT(s.pruned, s.suspects / 10);
    EXPECT_GT(s.settled, (s.free + s.pruned) * 9 / 10);
    EXPECT_GT(s.whole_blocks, 1000);
    EXPECT_EQ(s.settled, shares[0].settled);
  }
}

TEST(Advance, LeavesNonsenseToCertify) {
  RandomLinks random(67);
  RandomLink r;
  const float inf = std::numeric_limits<float>::infinity();
  const std::array<float, 5> nonsense{inf, -inf, std::nanf(""), 3e38F, -2e30F};
  for (int i = 0; i < 400; ++i) {
    any_link(random, r);
    TriangleBlock block = empty_block();
    for (int lane = 0; lane < kBlockSize; ++lane) put(block, lane, any_triangle(random, r.link));
    const int bad = i % kBlockSize;
    const auto any_of_3 = [&] { return static_cast<std::size_t>(random.uniform(0, 3)); };
    block.v[any_of_3()][any_of_3()][bad] = nonsense[static_cast<std::size_t>(i) % nonsense.size()];
    const AxisState at0 = core::evaluate(r.link, 0.0);
    LinkMotion odd = r.link;
    (i % 2 == 0 ? odd.speed : odd.acceleration_b) = i % 4 < 2 ? std::nan("") : 1e200;
    const double nan = std::nan("");
    at_every_simd_target([&] {
      EXPECT_EQ(advance(r.link, at0, block, 1e-9, core::kToEnd).settled >> bad & 1U, 0U);
      EXPECT_EQ(advance(odd, at0, block, 1e-9, core::kToEnd).settled, 0U);
      EXPECT_EQ(advance(r.link, at0, empty_block(), 1e-9, 0.0).settled, 0U);
      EXPECT_EQ(advance(r.link, at0, block, 1e-9, nan).settled,
                advance(r.link, at0, block, 1e-9, core::kToEnd).settled);
    });
  }
}

}  // namespace
}  // namespace tocsin::cpu::advance_test
