// k-DOPs hold what they are made of, against projections in long double; as boxes they are boxes.
#include "core/bounds/kdop.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "support/scenes/random_link.h"

namespace tocsin::core::kdop_test {
namespace {

using test::RandomLinks;

template <class T>
class KdopTest : public testing::Test {};

template <int K>
struct Of {
  static constexpr int k = K;
};
using AllK = testing::Types<Of<6>, Of<14>, Of<18>, Of<26>>;
TYPED_TEST_SUITE(KdopTest, AllK, );

/// D.p with 11 more digits than a double has.
long double project(const KdopDirection& d, const Vec3& p) {
  return static_cast<long double>(d.x) * static_cast<long double>(p.x) +
         static_cast<long double>(d.y) * static_cast<long double>(p.y) +
         static_cast<long double>(d.z) * static_cast<long double>(p.z);
}
long double length(const KdopDirection& d) {
  return std::sqrt(static_cast<long double>(d.x * d.x + d.y * d.y + d.z * d.z));
}
long double norm_1(const Vec3& p) {
  return std::fabs(static_cast<long double>(p.x)) + std::fabs(static_cast<long double>(p.y)) +
         std::fabs(static_cast<long double>(p.z));
}

Vec3f to_float(const Vec3& p) {
  return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
}

/// Random coordinates of very different sizes; so few bits apart that long double adds them
/// exactly.
Vec3f uneven(RandomLinks& random) {
  const auto any = [&] { return random.uniform(-1, 1) * std::exp2(random.uniform(-18, 18)); };
  return to_float({any(), any(), any()});
}

/// The interval must hold [low, high], and not be much wider: two floats' distance, and doubles'
/// rounding at the size of the coordinates.
void expect_tight(float lo, float hi, long double low, long double high, long double size) {
  EXPECT_LE(static_cast<long double>(lo), low);
  EXPECT_GE(static_cast<long double>(hi), high);
  const long double slack = 0x1p-48L * size;
  EXPECT_LE(low - static_cast<long double>(lo), 0x1p-22L * std::fabs(low) + slack);
  EXPECT_LE(static_cast<long double>(hi) - high, 0x1p-22L * std::fabs(high) + slack);
}

void expect_same_bits(const Box& a, const Box& b) {
  const auto bits = [](const Box& x) { return std::bit_cast<std::array<std::uint32_t, 6>>(x); };
  EXPECT_EQ(bits(a), bits(b));
}

TYPED_TEST(KdopTest, DirectionsAreTheAxesAndNoTwoAreTheSame) {
  constexpr int K = TypeParam::k;
  const auto& d = kKdopDirections<K>;
  for (std::size_t i = 0; i < d.size(); ++i) {
    const int terms = d[i].x * d[i].x + d[i].y * d[i].y + d[i].z * d[i].z;
    EXPECT_EQ(i < 3, terms == 1);
    for (std::size_t j = 0; j < i; ++j) {
      const int dot = d[i].x * d[j].x + d[i].y * d[j].y + d[i].z * d[j].z;
      const int other = d[j].x * d[j].x + d[j].y * d[j].y + d[j].z * d[j].z;
      EXPECT_LT(dot * dot, terms * other) << i << " is parallel to " << j;
    }
  }
  std::array<int, K / 2> order = kTestOrder<K>;
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], static_cast<int>(i));
}

TEST(Kdop, LengthsAreRoundedUpAndNoMore) {
  EXPECT_EQ(kLengthUp[1], 1.0);
  for (const int terms : {2, 3}) {
    const double up = kLengthUp[terms];
    EXPECT_GT(std::fma(up, up, -static_cast<double>(terms)), 0.0);
    const double down = std::nextafter(up, 0.0);
    EXPECT_LT(std::fma(down, down, -static_cast<double>(terms)), 0.0);
  }
}

TYPED_TEST(KdopTest, HoldsTheTriangleAndHardlyMore) {
  constexpr int K = TypeParam::k;
  RandomLinks random(301);
  for (int n = 0; n < 20000; ++n) {
    const std::array<Vec3f, 3> v{uneven(random), uneven(random), uneven(random)};
    const Kdop<K> kdop = kdop_of<K>(v[0], v[1], v[2]);
    long double size = 0.0L;
    for (const Vec3f& p : v) size = std::max(size, norm_1(to_double(p)));
    for (std::size_t i = 0; i < K / 2; ++i) {
      long double low = HUGE_VALL;
      long double high = -HUGE_VALL;
      for (const Vec3f& p : v) {
        low = std::min(low, project(kKdopDirections<K>[i], to_double(p)));
        high = std::max(high, project(kKdopDirections<K>[i], to_double(p)));
      }
      expect_tight(kdop.lo[i], kdop.hi[i], low, high, size);
    }
    for (const Vec3f& p : v) EXPECT_TRUE(contains(kdop, kdop_of<K>(p)));
    expect_same_bits(box_of(kdop), join(box_of(v[0]), join(box_of(v[1]), box_of(v[2]))));
  }
}

TEST(Kdop, SumsThatADoubleCannotHoldAreRoundedOutward) {
  // 1 + 2^-60 + 2^-100 is 1 as a double, and a float: nothing but the slack moves it.
  ASSERT_EQ(kKdopDirections<26>[3].z, 1);  // (1, 1, 1)
  ASSERT_EQ(kKdopDirections<26>[7].y, 1);  // (1, 1, 0)
  for (const float sign : {1.0F, -1.0F}) {
    const Vec3f p{1.0F, sign * 0x1p-60F, sign * 0x1p-100F};
    const Vec3 q = to_double(p);
    for (const Kdop<26>& v : {kdop_of<26>(p), swept_kdop<26>(q, q, q, q, 0.0, 0.0),
                              swept_kdop<26>(q, q, q, q, 0x1p-70, 0x1p-90)}) {
      for (const std::size_t i : {std::size_t{3}, std::size_t{7}}) {
        EXPECT_TRUE(sign > 0.0F ? v.hi[i] > 1.0F : v.lo[i] < 1.0F);
        EXPECT_LE(v.lo[i], 1.0F);
        EXPECT_GE(v.hi[i], 1.0F);
      }
    }
  }
}

TEST(Kdop, OfTheOriginIsAPoint) {
  const Kdop<26> v = kdop_of<26>(Vec3f{});
  for (std::size_t i = 0; i < 13; ++i) {
    EXPECT_EQ(v.lo[i], 0.0F);
    EXPECT_EQ(v.hi[i], 0.0F);
  }
}

TYPED_TEST(KdopTest, EmptyOverlapsNothingAndJoinsAsNothing) {
  constexpr int K = TypeParam::k;
  const Kdop<K> empty;
  const Kdop<K> some = kdop_of<K>({1, 2, 3}, {2, 0, 1}, {-4, 1, 1});
  EXPECT_FALSE(overlap(empty, some));
  EXPECT_FALSE(overlap(some, empty));
  EXPECT_FALSE(overlap(empty, empty));
  EXPECT_TRUE(overlap(some, some));
  EXPECT_TRUE(contains(some, empty));
  EXPECT_FALSE(contains(empty, some));
  const Kdop<K> same = join(empty, some);
  EXPECT_EQ(same.lo, some.lo);
  EXPECT_EQ(same.hi, some.hi);
}

TYPED_TEST(KdopTest, OverlapAsksEveryDirection) {
  constexpr int K = TypeParam::k;
  RandomLinks random(302);
  const Kdop<K> a = kdop_of<K>({-1, -1, -1}, {1, 1, 1}, {1, -1, 1});
  for (std::size_t i = 0; i < K / 2; ++i) {
    Kdop<K> b = a;
    b.lo[i] = b.hi[i] = a.hi[i];  // closed: to touch is to overlap
    EXPECT_TRUE(overlap(a, b) && overlap(b, a));
    b.lo[i] = b.hi[i] = std::nextafter(a.hi[i], HUGE_VALF);
    EXPECT_FALSE(overlap(a, b) || overlap(b, a));
  }
  int apart = 0;
  for (int n = 0; n < 20000; ++n) {
    const auto triangle = [&] {
      const Vec3 at = random.vector(0, 2);
      return kdop_of<K>(to_float(at), to_float(at + random.direction()),
                        to_float(at + random.direction()));
    };
    const Kdop<K> p = triangle();
    const Kdop<K> q = triangle();
    bool separate = false;
    for (std::size_t i = 0; i < K / 2; ++i) {
      separate = separate || p.hi[i] < q.lo[i] || q.hi[i] < p.lo[i];
    }
    ASSERT_EQ(overlap(p, q), !separate);
    if (separate) ++apart;
    const Kdop<K> both = join(p, q);
    EXPECT_TRUE(contains(both, p) && contains(both, q));
    for (std::size_t i = 0; i < K / 2; ++i) {
      EXPECT_TRUE(both.lo[i] == p.lo[i] || both.lo[i] == q.lo[i]);
      EXPECT_TRUE(both.hi[i] == p.hi[i] || both.hi[i] == q.hi[i]);
    }
  }
  EXPECT_GT(apart, 1000);
}

TEST(Kdop, NeedlesSideBySideAreToldApartWhereBoxesAreNot) {
  // Along (1, 1, 0), half a metre apart in x; by hand: (1, -1, 0).p is 0 and 0.5.
  const Vec3f a{0, 0, 0};
  const Vec3f b{1, 1, 0};
  const Vec3f c{0.5F, 0, 0};
  const Vec3f d{1.5F, 1, 0};
  EXPECT_TRUE(overlap(kdop_of<6>(a, b, b), kdop_of<6>(c, d, d)));
  EXPECT_FALSE(overlap(kdop_of<14>(a, b, b), kdop_of<14>(c, d, d)));
  EXPECT_FALSE(overlap(kdop_of<18>(a, b, b), kdop_of<18>(c, d, d)));
  EXPECT_FALSE(overlap(kdop_of<26>(a, b, b), kdop_of<26>(c, d, d)));
}

/// Four balls at about `where` metres from the origin.
struct Balls {
  std::array<Vec3, 4> centre;  // a0, b0, a1, b1
  double grow_a = 0.0;
  double grow_b = 0.0;

  Balls(RandomLinks& random, double where) {
    const Vec3 at = where * random.direction();
    for (Vec3& p : centre) p = at + random.vector(0, 1);
    grow_a = random.uniform(0, 0.2);
    grow_b = random.uniform(0, 0.2);
  }
  [[nodiscard]] double grow(std::size_t i) const { return i % 2 == 0 ? grow_a : grow_b; }
  template <int K>
  [[nodiscard]] Kdop<K> swept() const {
    return swept_kdop<K>(centre[0], centre[1], centre[2], centre[3], grow_a, grow_b);
  }
};

TYPED_TEST(KdopTest, SweptHoldsFourBallsAndHardlyMore) {
  constexpr int K = TypeParam::k;
  RandomLinks random(303);
  for (int n = 0; n < 20000; ++n) {
    const Balls balls(random, std::exp2(random.uniform(-20, 20)));
    const Kdop<K> kdop = balls.template swept<K>();
    long double size = 0.2L;
    for (const Vec3& p : balls.centre) size = std::max(size, norm_1(p));
    for (std::size_t i = 0; i < K / 2; ++i) {
      const KdopDirection& d = kKdopDirections<K>[i];
      long double low = HUGE_VALL;
      long double high = -HUGE_VALL;
      for (std::size_t j = 0; j < 4; ++j) {
        const long double reach = length(d) * static_cast<long double>(balls.grow(j));
        low = std::min(low, project(d, balls.centre[j]) - reach);
        high = std::max(high, project(d, balls.centre[j]) + reach);
      }
      // Along the axes the box's one rounding of x - grow is the caller's.
      const long double unpaid = i < 3 ? 0x1p-53L * size * 2.0L : 0.0L;
      expect_tight(kdop.lo[i], kdop.hi[i], low + unpaid, high - unpaid, 8.0L * size);
    }
  }
}

TYPED_TEST(KdopTest, SweptAlongTheAxesIsTheBox) {
  constexpr int K = TypeParam::k;
  RandomLinks random(304);
  for (int n = 0; n < 20000; ++n) {
    const Balls r(random, n % 2 == 0 ? 5.0 : 0.0);
    const auto& [a0, b0, a1, b1] = r.centre;
    const Box all = join(grown_box(a0, a1, r.grow_a), grown_box(b0, b1, r.grow_b));
    expect_same_bits(box_of(r.swept<K>()), all);
  }
}

TYPED_TEST(KdopTest, OverlapsWhateverTouchesTheSweptHull) {
  constexpr int K = TypeParam::k;
  RandomLinks random(305);
  for (int n = 0; n < 20000; ++n) {
    const Balls balls(random, random.uniform(0, 100));
    const Kdop<K> swept = balls.template swept<K>();
    // A point well inside the hull: a mixture of points of the balls.
    std::array<double, 4> weight{};
    for (double& w : weight) w = std::pow(random.uniform(0, 1), 3.0);
    const double sum = std::accumulate(weight.begin(), weight.end(), 1e-9);
    Vec3 point{};
    const Vec3 off = 0.99 * random.direction();
    for (std::size_t i = 0; i < 4; ++i) {
      point = point + (weight[i] / sum) * (balls.centre[i] + balls.grow(i) * off);
    }
    if (balls.grow_a + balls.grow_b < 0.01) continue;
    // Triangles with that point for a corner, in an edge, and in the middle.
    const Vec3 u = random.vector(0, 2);
    const Vec3 w = random.vector(0, 2);
    const auto f = [&](const Vec3& by) { return to_float(point + by); };
    EXPECT_TRUE(overlap(swept, kdop_of<K>(f({}), f(u), f(w))));
    EXPECT_TRUE(overlap(swept, kdop_of<K>(f(u), f(-1.0 * u), f(w))));
    EXPECT_TRUE(overlap(kdop_of<K>(f(u), f(w), f(-0.5 * u - 0.5 * w)), swept));
  }
}

}  // namespace
}  // namespace tocsin::core::kdop_test
