// The test of nodes: what it proves of two boxes holds at sampled times, where their distance is
// found by projecting from one to the other in turn.
#include "core/query/box_pair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/scenes/random_link.h"

namespace tocsin::core::box_pair_test {
namespace {

using test::RandomLink;
using test::RandomLinks;

FrameMotion box_frame(const LinkMotion& m) {
  return frame_motion(m.joints, m.chain, m.chain_length, m.kind, m.ref);
}

OrientedBox random_box(RandomLinks& random, bool flat) {
  OrientedBox box;
  box.center = random.vector(0, 0.3);
  const Mat3 turn = to_matrix(normalized(random.rotation(random.uniform(0, 3.1))));
  double diagonal = 0.0;
  for (int i = 0; i < 3; ++i) {
    box.axis[i] = turn.row[i];
    box.half[i] = i == 2 && flat ? 0.0 : random.uniform(0.01, 0.3);
    diagonal += box.half[i] * box.half[i];
  }
  box.reach = norm(box.center) + std::sqrt(diagonal);
  return box;
}

/// The point of a box, with its frame in a state, that is nearest to p.
Vec3 nearest_point(const OrientedBox& box, const FrameState& s, const Vec3& shift, const Vec3& p) {
  const PlacedBox at = placed(box, s, shift);
  const Vec3 d = p - at.center;
  Vec3 out = at.center;
  for (int i = 0; i < 3; ++i) {
    out = out + std::clamp(dot(d, at.unit[i]), -box.half[i], box.half[i]) * at.unit[i];
  }
  return out;
}

double distance(const BoxPair& pair, const FrameState& a, const FrameState& b) {
  Vec3 p = position_of(a, pair.a.center);
  double apart = 0.0;
  for (int i = 0; i < 400; ++i) {
    const Vec3 q = nearest_point(pair.b, b, pair.shift, p);
    p = nearest_point(pair.a, a, {}, q);
    apart = norm(p - q);
  }
  return apart;
}

TEST(BoxPair, StaysApartForAsLongAsIsProved) {
  RandomLinks random(3101);
  int proved = 0;
  int ended = 0;
  int nothing = 0;
  for (int i = 0; i < 4000; ++i) {
    RandomLink first;
    RandomLink second;
    random.make(first, 1 + i % 3, test::kind_of(i), 0.3, i % 2 == 0 ? 2.0 : 0.3, 0.6, 0.5);
    random.make(second, 1 + i % 2, test::kind_of(i / 2), 0.3, 0.5, 0.6, 0.5);
    const FrameMotion f = box_frame(first.link);
    const FrameMotion g = box_frame(second.link);
    const OrientedBox a = random_box(random, i % 4 == 0);
    const OrientedBox b = random_box(random, i % 5 == 0);
    const double begin = i % 3 == 0 ? 0.0 : random.uniform(0, 0.9);
    const FrameState at_a = evaluate(f, begin);
    const FrameState at_b = evaluate(g, begin);
    const BoxPair pair{a,
                       b,
                       at_a,
                       at_b,
                       g.ref - f.ref,
                       acceleration_at(f, a.reach) + acceleration_at(g, b.reach),
                       i % 2 == 0 ? 0.0 : random.uniform(0, 0.2),
                       1.0 - begin};
    const double clear = clear_time_of_boxes(pair);
    const double least = distance(pair, at_a, at_b);
    ++(clear >= pair.left ? ended : clear > 0.0 ? proved : nothing);
    // Where boxes are apart, some direction says so.
    if (pair.reach == 0.0) {
      EXPECT_TRUE(clear > 0.0 || least < 2e-2) << i;
    }
    if (!(clear > 0.0)) continue;
    for (int k = 0; k <= 20; ++k) {
      const double t = begin + std::min(clear, pair.left) * (k / 20.0) * (1.0 - 1e-12);
      EXPECT_GT(distance(pair, evaluate(f, t), evaluate(g, t)), pair.reach - 1e-12)
          << i << " " << t;
    }
  }
  EXPECT_GE(proved, 400);
  EXPECT_GE(ended, 400);
  EXPECT_GE(nothing, 400);
}

/// Two edges that cross: only the direction across both parts them.
TEST(BoxPair, EdgesAreToldApart) {
  const double s = std::sqrt(0.5);
  const OrientedBox a{{0, 0, 0}, {{1, 0, 0}, {0, s, s}, {0, -s, s}}, {2.0, 0.5, 0.5}, 3.0};
  const OrientedBox b{{0, 0, 0}, {{s, 0, s}, {0, 1, 0}, {-s, 0, s}}, {0.5, 2.0, 0.5}, 3.0};
  const FrameState still{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {}, {}, {}, {}, {}};
  const double touching = 2 * 0.5 * std::sqrt(2.0);
  for (const double gap : {1e-6, 0.1}) {
    EXPECT_EQ(clear_time_of_boxes({a, b, still, still, {0.8, -0.6, touching + gap}, 0.0, 0.0, 1.0}),
              kToEnd);
    EXPECT_EQ(clear_time_of_boxes({a, b, still, still, {0.8, -0.6, touching - gap}, 0.0, 0.0, 1.0}),
              0.0);
  }
}

}  // namespace
}  // namespace tocsin::core::box_pair_test
