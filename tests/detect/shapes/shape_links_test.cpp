// Links with shapes: what Detector reports against certify of every pair of features.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/vector/vec.h"
#include "detect/shapes/random_shape.h"
#include "support/scenes/random_crowd.h"
#include "tocsin/certify.h"
#include "tocsin/detector.h"

namespace tocsin::shape_links_test {
namespace {

using test::RandomLinks;

/// The avatar with a shape in place of every other link.
Avatar with_shapes(RandomLinks& random, const Avatar& avatar, int number) {
  std::vector<Link> links(avatar.links().begin(), avatar.links().end());
  for (std::size_t i = static_cast<std::size_t>(number) % 2; i < links.size(); i += 2) {
    Shape shape = test::random_shape(random, number + static_cast<int>(i), 0.15);
    links[i] = link_of_shape(links[i].name, links[i].joint, std::move(shape));
  }
  return Avatar::create("shaped", avatar.skeleton(), std::move(links)).value();
}

/// All features of a link as hulls.
std::vector<MovingHull> hulls_of(const Avatar& avatar, std::size_t link, const Step& step) {
  const Link& l = avatar.links()[link];
  if (l.shape.empty()) return {{step, l.joint, {l.a, l.b}, l.radius}};
  std::vector<MovingHull> out;
  for (const auto& [i, j, k] : l.shape.features()) {
    const auto c = l.shape.corners();
    std::vector<Vec3> corners{c[i], c[j], c[k]};
    if (j == k) corners.pop_back();
    if (i == j && j == k) corners.pop_back();
    out.push_back({step, l.joint, corners, l.shape.radius()});
  }
  return out;
}

/// What is known of a pair from all of its features: the strongest, and the least times.
struct Known {
  std::optional<ContactStatus> status;
  double lo = 1.0;
  double hi = 1.0;
};

void fold(Known& known, const std::vector<MovingHull>& f, const std::vector<MovingHull>& g,
          double margin) {
  for (const MovingHull& one : f) {
    for (const MovingHull& other : g) {
      const auto c = certify(one, other, {margin, 1e-9}).value();
      if (!c) continue;
      known.lo = std::min(known.lo, c->toc[0]);
      if (c->status != ContactStatus::kGraze) known.hi = std::min(known.hi, c->toc[1]);
      if (!known.status || c->status < *known.status) known.status = c->status;
    }
  }
}

struct Count {
  int touching = 0;
  int free = 0;
};

/// The contact must be there if any feature touches, and nowhere else. What rounding decides either
/// way (a graze, or nothing) is left.
void expect_known(const Contact* contact, const Known& known, Count& count) {
  if (!known.status) {
    EXPECT_TRUE(contact == nullptr || contact->status == ContactStatus::kGraze);
    ++count.free;
    return;
  }
  if (*known.status == ContactStatus::kGraze) return;
  ASSERT_NE(contact, nullptr);
  EXPECT_EQ(contact->status, *known.status);
  EXPECT_LE(contact->toc[0], known.hi);
  EXPECT_LE(known.lo, contact->toc[1]);
  EXPECT_NEAR(contact->toc[1], known.hi, 1e-6);
  ++count.touching;
}

/// A triangle of the room as a hull that stands still.
MovingHull triangle_of(const Environment& room, std::uint32_t triangle) {
  static const Motion still =
      Motion::create(Skeleton::create({{"room", -1, {}}}).value(), 1.0, {{}, {}}).value();
  MovingHull out{still.steps().value()[0], 0, {}, 0.0};
  for (const Vec3f& v : room.corners(triangle)) out.corners.push_back(core::to_double(v));
  return out;
}

const Contact* find(const StepReport& report, std::int32_t link, const Touched& party) {
  const auto at = std::find_if(
      report.contacts.begin(), report.contacts.end(),
      [&](const Contact& c) { return c.link == link && c.party() == party && !c.inside; });
  return at == report.contacts.end() ? nullptr : &*at;
}

TEST(ShapeLinks, TouchTheRoomWhereAFeatureDoes) {
  RandomLinks random(2101);
  Count shaped;
  for (int i = 0; i < 40; ++i) {
    const Environment room = test::random_room(random, 4, 12, 0.6);
    const test::RandomTake take = test::random_take(random, 4, 3, i % 3 == 0 ? 2.0 : 0.4, 0.3);
    const Member member{with_shapes(random, take.avatar, i), {}, {}};
    DetectorOptions options;
    options.margin = i % 4 == 0 ? 0.01 : 0.0;
    const Detector detector = Detector::make(room, options).value();
    for (const Step& step : take.motion.steps().value()) {
      const StepReport report = detector.check(member, step);
      ASSERT_FALSE(report.error) << report.error->message;
      for (std::size_t l = 0; l < member.avatar.links().size(); ++l) {
        if (member.avatar.links()[l].shape.empty()) continue;
        const auto hulls = hulls_of(member.avatar, l, step);
        for (std::uint32_t o = 0; o < room.objects().size(); ++o) {
          const Object& object = room.objects()[o];
          Known known;
          for (std::uint32_t t = 0; t < object.triangle_count; ++t) {
            // The margin grows both of two hulls; a room has none.
            auto grown = hulls;
            for (MovingHull& h : grown) h.radius += options.margin;
            fold(known, grown, {triangle_of(room, object.first_triangle + t)}, 0.0);
          }
          const Contact* const c = find(report, static_cast<std::int32_t>(l), RoomTriangle{o, 0});
          expect_known(c, known, shaped);
          if (c != nullptr) {
            EXPECT_TRUE(c->link_feature.has_value());
          }
        }
      }
    }
  }
  EXPECT_GE(shaped.touching, 100);
  EXPECT_GE(shaped.free, 100);
}

TEST(ShapeLinks, MeetWhereTheirFeaturesDo) {
  RandomLinks random(2102);
  Count count;
  for (int i = 0; i < 100; ++i) {
    test::RandomCrowd crowd = test::random_crowd(random, 2, 2, 0.4, i % 2 == 0);
    for (Member& member : crowd.members) {
      member.avatar = with_shapes(random, member.avatar, i);
      member.self = i % 2 == 0 ? LinkPairs::of(member.avatar) : LinkPairs{};
    }
    const std::vector<Step> steps = crowd.at(0);
    DetectorOptions options;
    options.margin = i % 4 == 0 ? 0.01 : 0.0;
    const Detector detector = Detector::make(Environment(), options).value();
    const auto reports = detector.check_batch(crowd.members, steps, {.meet = true});
    const auto hulls = [&](std::size_t avatar, std::size_t link) {
      return hulls_of(crowd.members[avatar].avatar, link, steps[avatar]);
    };
    for (std::size_t p = 0; p < 2; ++p) {
      for (std::size_t q = p; q < 2; ++q) {
        for (std::size_t a = 0; a < crowd.members[p].avatar.links().size(); ++a) {
          for (std::size_t b = 0; b < crowd.members[q].avatar.links().size(); ++b) {
            if (p == q && (b <= a || !crowd.members[p].self.active(static_cast<std::int32_t>(a),
                                                                   static_cast<std::int32_t>(b)))) {
              continue;
            }
            if (crowd.members[p].avatar.links()[a].shape.empty() &&
                crowd.members[q].avatar.links()[b].shape.empty()) {
              continue;
            }
            Known known;
            fold(known, hulls(p, a), hulls(q, b), options.margin);
            const OtherLink other{static_cast<std::int32_t>(q), static_cast<std::int32_t>(b)};
            expect_known(find(reports[p], static_cast<std::int32_t>(a), other), known, count);
          }
        }
      }
    }
  }
  EXPECT_GE(count.touching, 150);
  EXPECT_GE(count.free, 200);
}

/// A capsule is a line swept sphere.
TEST(ShapeLinks, ACapsuleIsALink) {
  RandomLinks random(2103);
  int touching = 0;
  for (int i = 0; i < 40; ++i) {
    const Environment room = test::random_room(random, 4, 12, 0.6);
    const test::RandomTake take = test::random_take(random, 5, 3, 0.5, 0.3);
    std::vector<Link> links(take.avatar.links().begin(), take.avatar.links().end());
    for (Link& l : links) {
      l = link_of_shape(l.name, l.joint, Shape::capsule(l.a, l.b, l.radius).value());
    }
    const Avatar avatar =
        Avatar::create("capsules", take.avatar.skeleton(), std::move(links)).value();
    const Detector detector = Detector::make(room, {}).value();
    for (const Step& step : take.motion.steps().value()) {
      const StepReport plain = detector.check({take.avatar, {}, {}}, step);
      const StepReport shaped = detector.check({avatar, {}, {}}, step);
      for (const Contact& c : plain.contacts) {
        if (c.status == ContactStatus::kGraze) continue;
        const Contact* const other = find(shaped, c.link, c.party());
        ASSERT_NE(other, nullptr);
        EXPECT_EQ(other->status, c.status);
        EXPECT_NEAR(other->toc[1], c.toc[1], 1e-6);
        ++touching;
      }
    }
  }
  EXPECT_GE(touching, 60);
}

/// How far a clearance may be below the least distance (detect/step/clearance.h).
double allowed(double clearance) { return std::max(1e-3, 0.01 * clearance) + 1e-9; }

TEST(ShapeLinks, ACapsulesClearanceIsThatOfALink) {
  RandomLinks random(2104);
  int apart = 0;
  for (int i = 0; i < 30; ++i) {
    const Environment room = test::random_room(random, 2, 12, 1.0);
    test::RandomCrowd crowd = test::random_crowd(random, 2, 3, 0.8, true);
    std::vector<Member> shaped = crowd.members;
    for (Member& member : shaped) {
      std::vector<Link> links(member.avatar.links().begin(), member.avatar.links().end());
      for (Link& l : links) {
        l = link_of_shape(l.name, l.joint, Shape::capsule(l.a, l.b, l.radius).value());
      }
      member.avatar =
          Avatar::create("capsules", member.avatar.skeleton(), std::move(links)).value();
    }
    const Detector detector = Detector::make(room, {.clearance = true}).value();
    const std::vector<Step> steps = crowd.at(0);
    const auto plain = detector.check_batch(crowd.members, steps, {.meet = true});
    const auto answers = detector.check_batch(shaped, steps, {.meet = true});
    for (std::size_t k = 0; k < plain.size(); ++k) {
      ASSERT_EQ(plain[k].clearances.size(), answers[k].clearances.size());
      for (std::size_t l = 0; l < plain[k].clearances.size(); ++l) {
        const double want = plain[k].clearances[l];
        EXPECT_NEAR(answers[k].clearances[l], want, allowed(want)) << i << " " << k << " " << l;
        if (want > 0.0) ++apart;
      }
    }
  }
  EXPECT_GE(apart, 100);
}

/// A flat box that turns above a floor: its capsule is much thicker, and reaches the floor.
TEST(ShapeLinks, ClearanceIsThatOfTheShape) {
  const Environment room =
      Environment::create({{"floor", {{-9, 0, -9}, {9, 0, -9}, {0, 0, 9}}, {{0, 2, 1}}}}).value();
  const Skeleton skeleton = Skeleton::create({{"body", -1, {}}}).value();
  const Shape box = Shape::box({0.5, 0.05, 0.5}).value();
  const Avatar avatar = Avatar::create("box", skeleton, {link_of_shape("box", 0, box)}).value();
  const Motion motion = Motion::create(skeleton, 1.0,
                                       {{{1, 0, 0, 0}, {0, 0.3, 0}},
                                        {{std::sqrt(0.5), 0, std::sqrt(0.5), 0}, {0, 0.2, 0}}})
                            .value();
  const Detector detector = Detector::make(room, {.clearance = true}).value();
  const StepReport report = detector.check({avatar, {}, {}}, motion.steps().value()[0]);
  EXPECT_TRUE(report.contacts.empty());
  EXPECT_LE(report.clearances[0], 0.15);
  EXPECT_GE(report.clearances[0], 0.15 - allowed(0.15));
}

/// A shape wholly inside a closed object touches nothing of its surface.
TEST(ShapeLinks, InsideASolidTouchesIt) {
  ObjectMesh crate;
  crate.name = "crate";
  const Shape box = Shape::box({1, 1, 1}).value();
  for (const Vec3& c : box.corners()) {
    crate.vertices.push_back(
        {static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)});
  }
  crate.triangles.assign(box.features().begin(), box.features().end());
  const Environment room = Environment::create({crate}).value();
  const Skeleton skeleton = Skeleton::create({{"body", -1, {}}}).value();
  // Its capsule holds the origin; the ring itself does not.
  std::vector<Vec3> corners;
  std::vector<TriangleIndices> triangles;
  for (std::uint32_t i = 0; i < 8; ++i) {
    const double turn = 0.7853981633974483 * i;
    corners.push_back({0.3 * std::cos(turn), 0.0, 0.3 * std::sin(turn)});
    triangles.push_back({i, (i + 1) % 8, (i + 1) % 8});
  }
  const Shape ring = Shape::mesh(corners, triangles, 0.01).value();
  const Avatar avatar = Avatar::create("ring", skeleton, {link_of_shape("ring", 0, ring)}).value();
  const auto at = [&](double x) {
    const Transform pose{{}, {x, 0, 0}};
    const Motion motion = Motion::create(skeleton, 1.0, {pose, pose}).value();
    return Detector::make(room, {}).value().check({avatar, {}, {}}, motion.steps().value()[0]);
  };
  const StepReport inside = at(0.0);
  ASSERT_EQ(inside.contacts.size(), 1U);
  EXPECT_TRUE(inside.contacts[0].inside);
  EXPECT_EQ(inside.contacts[0].status, ContactStatus::kOverlap);
  ASSERT_TRUE(inside.contacts[0].depth);
  EXPECT_NEAR(*inside.contacts[0].depth, 0.7 + 0.01, 1e-6);
  EXPECT_TRUE(at(3.0).contacts.empty());
  const StepReport across = at(1.1);
  ASSERT_EQ(across.contacts.size(), 1U);
  EXPECT_FALSE(across.contacts[0].inside);
}

}  // namespace
}  // namespace tocsin::shape_links_test
