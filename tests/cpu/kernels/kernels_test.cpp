// The SIMD kernels against the scalar core, bit for bit, at every SIMD target that this machine and
// compiler have.
#include "cpu/kernels/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <vector>

#include "core/query/certify.h"
#include "core/query/early_out.h"
#include "cpu/kernels/random_queries.h"
#include "cpu/kernels/simd_targets.h"
#include "support/scenes/random_link.h"

namespace tocsin::cpu::kernels_test {
namespace {

using core::AxisState;
using core::Certificate;
using core::LinkMotion;
using core::Outcome;
using core::Triangle;
using scene::kBlockSize;
using scene::TriangleBlock;
using test::any_kind;
using test::any_link;
using test::any_triangle;
using test::at_every_simd_target;
using test::chance;
using test::empty_block;
using test::put;
using test::RandomLink;
using test::RandomLinks;
using test::relative;
using test::set_joints;

constexpr double kTolerance = 1e-9;

// --- links --------------------------------------------------------------------------------

/// Joints that do not turn, turn by nearly or just pi, do not move; zeros of both signs.
void make_peculiar(RandomLinks& random, RandomLink& r) {
  for (std::size_t k = 0; k < r.joints.size(); ++k) {
    const Transform& p0 = r.pose0[k];
    Transform& p1 = r.pose1[k];
    const double what = random.uniform(0, 1);
    if (what < 0.2) p1.rotation = p0.rotation;
    if (what > 0.8) {
      const double missing = what > 0.9 ? 0.0 : std::exp(random.uniform(-37, -3));
      p1.rotation = core::normalized(random.rotation(3.14159265358979312 - missing) * p0.rotation);
    }
    if (chance(random, 0.6)) p1.translation = p0.translation;
    if (chance(random, 0.1)) r.pose0[k].translation = p1.translation = {0.0, -0.0, 0.0};
    if (chance(random, 0.05)) r.pose0[k] = p1 = Transform{};
  }
  if (chance(random, 0.1)) r.link.a = {-0.0, 0.0, -0.0};
  if (chance(random, 0.1)) r.link.b = r.link.a;
  set_joints(r);
}

template <class State>
bool same_bits(const State& a, const State& b) {
  return std::memcmp(&a, &b, sizeof(State)) == 0;
}

/// The frame at the end of the link's chain.
core::FrameMotion frame_of(const LinkMotion& m) {
  return core::frame_motion(m.joints, m.chain, m.chain_length, m.kind, m.ref);
}

/// Queries made, and answered by the core, before the targets answer them one after the other:
/// asking Highway for the targets costs as much as hundreds of queries.
constexpr std::size_t kBatch = 1000;

struct EvaluateQuery {
  RandomLink r;
  std::array<double, 3> times{};
  std::array<AxisState, 3> expected;
  std::array<core::FrameState, 3> frames;
};

void make_query(RandomLinks& random, int i, EvaluateQuery& q) {
  const int joints = chance(random, 0.5) ? 1 + i % 10 : 1 + i % 40;
  random.make(q.r, joints, any_kind(random), 0.5, chance(random, 0.2) ? 3.14 : 0.5, 1.0,
              chance(random, 0.2) ? 1e4 : 3.0);
  if (i % 2 == 0) make_peculiar(random, q.r);
  q.times = {0.0, 1.0, random.uniform(0, 1)};
  for (std::size_t k = 0; k < 3; ++k) {
    q.expected[k] = core::evaluate(q.r.link, q.times[k]);
    q.frames[k] = core::evaluate(frame_of(q.r.link), q.times[k]);
  }
}

TEST(Kernels, EvaluateIsTheCoresBitForBit) {
  std::printf("SIMD targets:");
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    std::printf(" %s", hwy::TargetName(target));
  }
  std::printf("\n");
  RandomLinks random(61);
  std::vector<EvaluateQuery> queries(kBatch);
  for (int batch = 0; batch < 70 && !HasFailure(); ++batch) {
    int i = 0;
    for (EvaluateQuery& q : queries) make_query(random, i++, q);
    at_every_simd_target([&] {
      for (const EvaluateQuery& q : queries) {
        for (std::size_t k = 0; k < 3; ++k) {
          ASSERT_TRUE(same_bits(cpu::evaluate(q.r.link, q.times[k]), q.expected[k]))
              << q.r.link.chain_length << " joints, t = " << q.times[k] << ", batch " << batch;
          ASSERT_TRUE(same_bits(evaluate_frame(frame_of(q.r.link), q.times[k]), q.frames[k]))
              << q.r.link.chain_length << " joints, t = " << q.times[k] << ", batch " << batch;
        }
      }
    });
  }
}

TEST(Kernels, EvaluateTakesChainsOfAnyLength) {
  RandomLinks random(62);
  RandomLink r;
  for (const int joints : {1, 2, 3, 4, 5, 7, 8, 9, 1000, 1001, 16384}) {
    random.make(r, joints, any_kind(random), 0.1, 0.1, 1.0, 1.0);
    // Chains name joints in any order.
    std::reverse(r.joints.begin(), r.joints.end());
    std::reverse(r.chain.begin(), r.chain.end());
    const AxisState expected = core::evaluate(r.link, 0.3);
    const core::FrameMotion frame = frame_of(r.link);
    const core::FrameState expected_frame = core::evaluate(frame, 0.3);
    core::FrameMotion still = frame;
    still.chain_length = 0;
    at_every_simd_target([&] {
      EXPECT_TRUE(same_bits(cpu::evaluate(r.link, 0.3), expected)) << joints << " joints";
      EXPECT_TRUE(same_bits(evaluate_frame(frame, 0.3), expected_frame)) << joints << " joints";
      EXPECT_TRUE(same_bits(evaluate_frame(still, 0.3), core::evaluate(still, 0.3)));
    });
  }
}

// --- the early-out -----------------------------------------------------------------------

/// What the core's own functions say about one triangle.
struct Expected {
  bool overlap = false;
  bool free = false;
  double free_until = 0.0;
};

Expected expected_look(const LinkMotion& link, const AxisState& at0, const Triangle& triangle) {
  const double reach =
      std::max({core::norm(triangle.v[0]), core::norm(triangle.v[1]), core::norm(triangle.v[2])});
  const core::Encounter e{triangle, link.radius, core::rounding_margin(link, reach)};
  const core::Closest c = core::closest_points(at0.a, at0.b, triangle);
  const double distance = std::sqrt(c.squared);
  if (distance <= e.radius - e.eta) return {true, false, 0.0};
  const Vec3 n = distance > core::kLeastLength ? (1.0 / distance) * (c.y - c.x) : Vec3{};
  const double own = core::clear_time(
      distance - (e.radius + e.eta), core::dot(n, at0.va + c.s * (at0.vb - at0.va)),
      core::between(link.acceleration_a, link.acceleration_b, c.s), 1.0);
  const double whole = core::clear_time_at(core::whole_axis(link, at0), e, c, 0.5 * own, 1.0);
  return {false, whole >= core::kToEnd, std::min(core::detail::advance_time(0.0, whole), 1.0)};
}

/// The core's own early-out is what the kernels do, in one lane.
void expect_core_agrees(const LinkMotion& link, const AxisState& at0, const Triangle& triangle,
                        const Expected& look) {
  const core::EarlyOut one = core::early_out(link, at0, triangle);
  EXPECT_EQ(one.kind == core::EarlyOut::Kind::kOverlap, look.overlap);
  EXPECT_EQ(one.kind == core::EarlyOut::Kind::kFree, look.free);
  EXPECT_TRUE(look.free || one.free_until == look.free_until);
}

/// certify must agree with `look` for any stop_after.
void expect_certify_agrees(RandomLinks& random, const LinkMotion& link, const AxisState& at0,
                           const Triangle& triangle, const Expected& look) {
  const Certificate c = core::certify(link, at0, triangle, kTolerance, core::kToEnd);
  EXPECT_EQ(look.overlap, c.outcome == Outcome::kOverlap);
  EXPECT_TRUE(!look.free || (c.outcome == Outcome::kFree && c.evaluations == 1));
  EXPECT_TRUE(c.outcome == Outcome::kFree || c.lo >= look.free_until);
  if (look.free || !(look.free_until > 0.0)) return;
  for (const double stop : {std::nextafter(look.free_until, 0.0),
                            random.uniform(0, 1) * std::nextafter(look.free_until, 0.0)}) {
    const Certificate some = core::certify(link, at0, triangle, kTolerance, stop);
    EXPECT_NE(some.outcome, Outcome::kOverlap);
    EXPECT_TRUE(some.outcome == Outcome::kFree || some.lo > stop);
  }
}

class Shares {
 public:
  void add(const Expected& e) {
    ++all_;
    overlap_ += e.overlap;
    free_ += e.free;
    some_ += !e.overlap && !e.free && e.free_until > 0.0;
    nothing_ += !e.overlap && !(e.free_until > 0.0);
  }
  void expect_all() const {
    std::printf("%d triangles: %d overlap, %d free, %d free for a while, %d nothing proved\n", all_,
                overlap_, free_, some_, nothing_);
    EXPECT_GE(all_, 300000);
    EXPECT_GT(overlap_, all_ / 10);
    EXPECT_GT(free_, all_ / 10);
    EXPECT_GT(some_, all_ / 10);
    EXPECT_GT(nothing_, all_ / 1000);
  }

 private:
  int all_ = 0;
  int overlap_ = 0;
  int free_ = 0;
  int some_ = 0;
  int nothing_ = 0;
};

struct LookQuery {
  RandomLink r;
  AxisState at0;
  TriangleBlock block;
  std::array<Expected, kBlockSize> expected;
};

/// Also asks certify.
void make_query(RandomLinks& random, LookQuery& q, Shares& shares) {
  any_link(random, q.r);
  q.at0 = core::evaluate(q.r.link, 0.0);
  q.block = empty_block();
  q.expected = {};
  const int used = chance(random, 0.3) ? kBlockSize : static_cast<int>(random.uniform(0, 9));
  for (int lane = 0; lane < used; ++lane) {
    const std::array<Vec3f, 3> corners = any_triangle(random, q.r.link);
    put(q.block, lane, corners);
    const Triangle triangle = relative(corners, q.r.link.ref);
    Expected& e = q.expected[static_cast<std::size_t>(lane)];
    e = expected_look(q.r.link, q.at0, triangle);
    shares.add(e);
    expect_certify_agrees(random, q.r.link, q.at0, triangle, e);
    expect_core_agrees(q.r.link, q.at0, triangle, e);
  }
}

void expect_look(const EarlyOut& look, const std::array<Expected, kBlockSize>& expected) {
  for (std::size_t lane = 0; lane < kBlockSize; ++lane) {
    const Expected& e = expected[lane];
    const bool free = (look.free >> lane & 1U) != 0;
    EXPECT_EQ((look.overlap >> lane & 1U) != 0, e.overlap) << "lane " << lane;
    EXPECT_EQ(free, e.free) << "lane " << lane;
    EXPECT_TRUE(free || look.free_until[lane] == e.free_until) << "lane " << lane;
  }
  EXPECT_EQ((look.overlap | look.free) >> kBlockSize, 0U);
}

TEST(Kernels, TheEarlyOutIsCertifys) {
  RandomLinks random(63);
  std::vector<LookQuery> queries(kBatch);
  Shares shares;
  for (int batch = 0; batch < 75 && !HasFailure(); ++batch) {
    for (LookQuery& q : queries) make_query(random, q, shares);
    at_every_simd_target([&] {
      for (const LookQuery& q : queries) {
        expect_look(early_out(q.r.link, q.at0, q.block), q.expected);
        ASSERT_FALSE(HasFailure()) << "batch " << batch;
      }
    });
  }
  shares.expect_all();
}

struct CertifyQuery {
  RandomLink r;
  AxisState at0;
  Triangle triangle{};
  double stop_after = 0.0;
  Certificate expected;
};

TEST(Kernels, CertifyIsTheCores) {
  RandomLinks random(65);
  std::vector<CertifyQuery> queries(20 * kBatch);
  int hits = 0;
  for (CertifyQuery& q : queries) {
    any_link(random, q.r);
    q.at0 = core::evaluate(q.r.link, 0.0);
    q.triangle = relative(any_triangle(random, q.r.link), q.r.link.ref);
    q.stop_after = chance(random, 0.5) ? core::kToEnd : random.uniform(0, 1);
    q.expected = core::certify(q.r.link, q.at0, q.triangle, kTolerance, q.stop_after);
    hits += q.expected.outcome == Outcome::kHit;
  }
  EXPECT_GT(hits, 500);
  at_every_simd_target([&] {
    for (const CertifyQuery& q : queries) {
      const Certificate c = cpu::certify(q.r.link, q.at0, q.triangle, kTolerance, q.stop_after);
      ASSERT_EQ(c.outcome, q.expected.outcome);
      ASSERT_EQ(c.lo, q.expected.lo);
      ASSERT_EQ(c.hi, q.expected.hi);
      ASSERT_EQ(c.limited, q.expected.limited);
      ASSERT_EQ(c.evaluations, q.expected.evaluations);
    }
  });
}

std::array<Vec3f, 3> corners_in(const TriangleBlock& block, int lane) {
  std::array<Vec3f, 3> out;
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = {block.v[i][0][lane], block.v[i][1][lane], block.v[i][2][lane]};
  }
  return out;
}

void expect_suspect(const core::EarlyOut& look) {
  EXPECT_EQ(look.kind, core::EarlyOut::Kind::kSuspect);
  EXPECT_EQ(look.free_until, 0.0);
}

TEST(Kernels, TheEarlyOutLeavesNonsenseToCertify) {
  RandomLinks random(64);
  RandomLink r;
  const float inf = std::numeric_limits<float>::infinity();
  for (int i = 0; i < 400; ++i) {
    any_link(random, r);
    TriangleBlock block = empty_block();
    for (int lane = 0; lane < kBlockSize; ++lane) put(block, lane, any_triangle(random, r.link));
    const int bad = i % kBlockSize;
    const std::array<float, 5> nonsense{inf, -inf, std::nanf(""), 3e38F, -2e30F};
    const auto any_of_3 = [&] { return static_cast<std::size_t>(random.uniform(0, 3)); };
    block.v[any_of_3()][any_of_3()][bad] = nonsense[static_cast<std::size_t>(i) % nonsense.size()];
    const AxisState at0 = core::evaluate(r.link, 0.0);
    LinkMotion odd = r.link;
    (i % 2 == 0 ? odd.speed : odd.acceleration_b) = i % 4 < 2 ? std::nan("") : 1e200;
    for (int lane = 0; lane < kBlockSize; ++lane) {
      const Triangle triangle = relative(corners_in(block, lane), r.link.ref);
      if (lane == bad) expect_suspect(core::early_out(r.link, at0, triangle));
      expect_suspect(core::early_out(odd, at0, triangle));
    }
    at_every_simd_target([&] {
      const EarlyOut look = early_out(r.link, at0, block);
      EXPECT_EQ((look.overlap | look.free) >> bad & 1U, 0U);
      EXPECT_EQ(look.free_until[bad], 0.0);
      const EarlyOut none = early_out(odd, at0, block);
      EXPECT_EQ(none.overlap | none.free, 0U);
      for (const double until : none.free_until) EXPECT_EQ(until, 0.0);
    });
  }
}

}  // namespace
}  // namespace tocsin::cpu::kernels_test
