// Objects that change their shape are checked while their corners move, against dense samples in
// long double.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/sanitized.h"
#include "detect/scene/random_world.h"
#include "support/long_distance.h"
#include "support/scenes/random_scene.h"
#include "tocsin/scene.h"

namespace tocsin::deforming_test {
namespace {

using test::LongAxis;
using test::LongVec;
using test::RandomLinks;

using Corners = std::array<LongVec, 3>;

/// True if the segment goes through the triangle.
bool pierces(const LongAxis& s, const Corners& c) {
  const auto volume = [](const LongVec& a, const LongVec& b, const LongVec& d) {
    return a.cross(b).dot(d);
  };
  const long double from = volume(c[0] - s.a, c[1] - s.a, c[2] - s.a);
  const long double to = volume(c[0] - s.b, c[1] - s.b, c[2] - s.b);
  if (from * to > 0) return false;
  const LongVec d = s.b - s.a;
  const long double u = volume(c[0] - s.a, c[1] - s.a, d);
  const long double v = volume(c[1] - s.a, c[2] - s.a, d);
  const long double w = volume(c[2] - s.a, c[0] - s.a, d);
  return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

long double point_distance(const LongVec& p, const Corners& c) {
  const LongVec n = (c[1] - c[0]).cross(c[2] - c[0]);
  long double least = std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    least = std::min(least, test::distance_to(p, {c[i], c[(i + 1) % 3]}));
  }
  if (!(n.norm() > 0)) return least;
  bool inside = true;
  for (std::size_t i = 0; i < 3; ++i) {
    inside = inside && (c[(i + 1) % 3] - c[i]).cross(p - c[i]).dot(n) >= 0;
  }
  return inside ? std::min(least, std::fabs((p - c[0]).dot(n)) / n.norm()) : least;
}

long double distance(const LongAxis& s, const Corners& c) {
  if (pierces(s, c)) return 0;
  long double least = std::min(point_distance(s.a, c), point_distance(s.b, c));
  for (std::size_t i = 0; i < 3; ++i) {
    least = std::min(least, test::long_distance(s, LongAxis{c[i], c[(i + 1) % 3]}));
  }
  return least;
}

/// A mesh that changes from one set of corners to another.
struct Change {
  std::vector<TriangleIndices> triangles;
  std::vector<Vec3f> from;
  std::vector<Vec3f> to;

  [[nodiscard]] Corners at(std::size_t triangle, long double t) const {
    Corners out;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3f& p = from[triangles[triangle][k]];
      const Vec3f& q = to[triangles[triangle][k]];
      out[k] = (1 - t) * LongVec(p.x, p.y, p.z) + t * LongVec(q.x, q.y, q.z);
    }
    return out;
  }
};

/// A link's axis by the public pose, whose error is far below what is asked of it.
LongAxis axis_at(const Avatar& avatar, const Step& step, std::size_t link, double t) {
  const std::vector<Transform> local =
      pose_between(step.pose0(), step.pose1(), step.in_between(), t);
  const Link& of = avatar.links()[link];
  Vec3 a = of.a;
  Vec3 b = of.b;
  for (int j = of.joint; j >= 0;
       j = avatar.skeleton().joints()[static_cast<std::size_t>(j)].parent) {
    const Transform& m = local[static_cast<std::size_t>(j)];
    a = m.translation + core::rotate(m.rotation, a);
    b = m.translation + core::rotate(m.rotation, b);
  }
  return {test::wide(a), test::wide(b)};
}

constexpr long double kSlack =
    1e-11L;  ///< metres: of the poses above, and what a proof leaves open

/// The oracle takes minutes of them under a sanitizer.
constexpr int kRounds = base::kSanitized ? 30 : 150;

struct Deformations {
  std::size_t pairs = 0;
  std::size_t contacts = 0;
  std::size_t hits = 0;
};

void expect_true(const Contact* c, const Avatar& avatar, const Step& step, std::size_t link,
                 const Change& change) {
  const long double radius = avatar.links()[link].radius;
  const double free_until = c == nullptr ? 1.0 : c->toc[0];
  for (int i = 0; i <= 200; ++i) {
    const double t = free_until * i / 200.0;
    if (c != nullptr && t >= free_until) break;
    const LongAxis axis = axis_at(avatar, step, link, t);
    for (std::size_t k = 0; k < change.triangles.size(); ++k) {
      EXPECT_GE(distance(axis, change.at(k, t)), radius - kSlack) << "missed at " << t;
    }
  }
  if (c == nullptr || c->status == ContactStatus::kGraze) return;
  const double touching = c->toc[1];
  const LongAxis axis = axis_at(avatar, step, link, touching);
  EXPECT_LE(distance(axis, change.at(c->room()->triangle, touching)), radius + kSlack);
  EXPECT_LT(c->toc[1] - c->toc[0], 1e-6);
}

TEST(DeformingObjects, AreProvedWhileTheirCornersMove) {
  RandomLinks random(41);
  Deformations totals;
  for (int round = 0; round < kRounds; ++round) {
    const test::WorldMesh mesh = test::cloud_mesh(random, 2 + round % 20);
    Change change{mesh.triangles, mesh.vertices, mesh.vertices};
    for (Vec3f& v : change.to) {
      const Vec3 p = core::to_double(v) + random.vector(0, 0.4);
      v = {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)};
    }
    Scene scene = Scene::make().value();
    const ObjectId cloth = scene.add("cloth", mesh.mesh).value();
    test::done(scene.deform(cloth, change.to));
    const Detector detector = scene.snapshot().value();
    const test::RandomTake take = test::random_take(random, 6, 2, 0.4, 0.2);
    const Motion motion = take.motion.placed({random.vector(0, 0.5), 0.0}).value();
    const Step step = motion.steps().value().front();
    const StepReport report = detector.check(take.avatar, step).value();
    for (std::size_t link = 0; link < take.avatar.links().size(); ++link) {
      const auto found =
          std::find_if(report.contacts.begin(), report.contacts.end(),
                       [&](const Contact& c) { return c.link == static_cast<std::int32_t>(link); });
      const Contact* const c = found == report.contacts.end() ? nullptr : &*found;
      expect_true(c, take.avatar, step, link, change);
      ++totals.pairs;
      if (c == nullptr) continue;
      ++totals.contacts;
      if (c->status == ContactStatus::kHit) ++totals.hits;
    }
    // Then it stands as it has become.
    const Detector after = scene.snapshot().value();
    const Detector flat =
        Detector::make(Environment::create({{"cloth", change.to, change.triangles}}).value())
            .value();
    EXPECT_EQ(after.check(take.avatar, step).contacts, flat.check(take.avatar, step).contacts);
  }
  EXPECT_GT(totals.contacts, totals.pairs / 5);
  EXPECT_LT(totals.contacts, totals.pairs * 4 / 5);
  EXPECT_GT(totals.hits, totals.pairs / 20);
}

/// A flat square of 1 m across x, at rest at the origin, without thickness.
Avatar board() {
  std::vector<Link> links;
  links.push_back(
      link_of_shape("board", 0,
                    Shape::mesh({{0, -0.5, -0.5}, {0, 0.5, -0.5}, {0, 0.5, 0.5}, {0, -0.5, 0.5}},
                                {{0, 1, 2}, {0, 2, 3}})
                        .value()));
  return Avatar::create("board", Skeleton::create({{"root", -1, {}}}).value(), std::move(links))
      .value();
}

TEST(DeformingObjects, ACornerThatPassesThroughABoardCutsIt) {
  const Avatar avatar = board();
  const Motion motion = Motion::create(avatar.skeleton(), 1.0, {Transform{}, Transform{}}).value();
  const Step step = motion.steps().value().front();
  const Mesh spike =
      Mesh::create({{-2, 0.1F, 0.1F}, {-3, 0.3F, 0}, {-3, -0.2F, 0}}, {{0, 1, 2}}).value();
  Scene scene = Scene::make().value();
  const ObjectId id = scene.add("spike", spike).value();
  EXPECT_TRUE(scene.snapshot().value().check(avatar, step).contacts.empty());
  // Its tip goes 8 m, through the board after 2; the rest stays.
  test::done(scene.deform(id, {{6, 0.1F, 0.1F}, {-3, 0.3F, 0}, {-3, -0.2F, 0}}));
  const StepReport report = scene.snapshot().value().check(avatar, step);
  ASSERT_EQ(report.contacts.size(), 1U);
  const Contact& c = report.contacts.front();
  EXPECT_EQ(c.status, ContactStatus::kHit);
  EXPECT_LE(c.toc[0], 0.25);
  EXPECT_NEAR(c.toc[1], 0.25, 1e-6);
  EXPECT_EQ(c.room()->triangle, 0U);
  EXPECT_TRUE(c.link_feature.has_value());
  // The tip stays away: nothing is near.
  test::done(scene.place(id, {{0, 5, 0}, {}}));
  test::done(scene.deform(id, {{-2, 0.1F, 0.1F}, {-3, 0.3F, 0}, {-3, -0.2F, 0}}));
  EXPECT_TRUE(scene.snapshot().value().check(avatar, step).contacts.empty());
}

TEST(DeformingObjects, MeetWhatMovesAndCountInClearances) {
  DetectorOptions options;
  options.clearance = true;
  Scene scene = Scene::make(options).value();
  const ObjectId box = scene.add("box", test::box_mesh().mesh, {{-4, 0, 0}, {}}).value();
  const Mesh sheet = Mesh::create({{0, -3, -3}, {0, 3, -3}, {0, 0, 6}}, {{0, 1, 2}}).value();
  const ObjectId cloth = scene.add("cloth", sheet).value();
  test::done(scene.move(box, {{}, {-3, 0, 0}}));                             // its face ends at -2
  test::done(scene.deform(cloth, {{-4, -3, -3}, {-4, 3, -3}, {-4, 0, 6}}));  // 4 m towards it
  const Detector detector = scene.snapshot().value();
  const auto reports = detector.check_objects();
  ASSERT_EQ(reports.size(), 2U);
  EXPECT_EQ(reports[0].object, scene.index_of(box).value());
  EXPECT_TRUE(reports[1].report.value().contacts.empty());  // the one that moves tells it
  ASSERT_EQ(reports[0].report.value().contacts.size(), 1U);
  const Contact& c = reports[0].report.contacts.front();
  EXPECT_LE(c.toc[0], 0.6);  // -3 + t = -4 t
  EXPECT_NEAR(c.toc[1], 0.6, 1e-6);
  EXPECT_EQ(c.room()->object, scene.index_of(cloth).value());

  const Avatar avatar = board();
  const Motion motion =
      Motion::create(avatar.skeleton(), 1.0, {{{}, {3, 0, 0}}, {{}, {3, 0, 0}}}).value();
  const StepReport away = detector.check(avatar, motion.steps().value().front());
  EXPECT_TRUE(away.contacts.empty());
  EXPECT_LE(away.clearances[0], 3.0);
  EXPECT_GT(away.clearances[0], 2.0);
}

long double distance(const Corners& a, const Corners& b) {
  long double least = std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    least = std::min({least, distance(LongAxis{a[i], a[(i + 1) % 3]}, b),
                      distance(LongAxis{b[i], b[(i + 1) % 3]}, a)});
  }
  return least;
}

long double distance(const Change& a, const Change& b, double t) {
  long double least = std::numeric_limits<long double>::infinity();
  for (std::size_t i = 0; i < a.triangles.size(); ++i) {
    const Corners p = a.at(i, t);
    for (std::size_t k = 0; k < b.triangles.size(); ++k) {
      least = std::min(least, distance(p, b.at(k, t)));
    }
  }
  return least;
}

Change random_change(RandomLinks& random, int triangles, const Vec3& at, double most) {
  const test::WorldMesh mesh = test::cloud_mesh(random, triangles);
  Change out{mesh.triangles, {}, {}};
  for (const Vec3f& v : mesh.vertices) {
    const Vec3 p = core::to_double(v) + at;
    const Vec3 q = p + random.vector(0, most);
    out.from.push_back({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
    out.to.push_back({static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z)});
  }
  return out;
}

/// Of surfaces without thickness only a piercing counts, and not one that has just begun.
void expect_true(const Contact* c, const Change& a, const Change& b, double margin,
                 Deformations& totals) {
  ++totals.pairs;
  const double free_until = c == nullptr ? 1.0 : c->toc[0];
  for (int i = 0; i <= 40; ++i) {
    const double t = free_until * i / 40.0;
    if (c != nullptr && t >= free_until) break;
    const long double apart = distance(a, b, t);
    EXPECT_TRUE(margin > 0.0 ? apart >= margin - kSlack : apart > 0) << "missed at " << t;
  }
  if (c == nullptr) return;
  ++totals.contacts;
  if (c->status == ContactStatus::kGraze) return;
  if (c->status == ContactStatus::kHit) ++totals.hits;
  EXPECT_LE(distance(a, b, c->toc[1]), margin + kSlack);
  EXPECT_LE(distance(a.at(*c->link_feature, c->toc[1]), b.at(c->room()->triangle, c->toc[1])),
            margin + kSlack);
  EXPECT_LT(c->toc[1] - c->toc[0], 1e-6);
}

TEST(DeformingObjects, MeetWhatStandsAndWhatDeforms) {
  RandomLinks random(43);
  Deformations standing;
  Deformations both;
  for (int round = 0; round < kRounds; ++round) {
    DetectorOptions options;
    options.margin = round % 3 == 0 ? 0.03 : 0.0;
    options.surfaces = {"*"};
    Scene scene = Scene::make(options).value();
    // Far from the origin every fourth time: floats are coarse there, and the answer is as sure.
    const Vec3 far = round % 4 == 3 ? Vec3{2e3, -1e3, 500} : Vec3{};
    std::vector<Change> changes;
    std::vector<ObjectId> ids;
    for (int i = 0; i < 3; ++i) {
      changes.push_back(
          random_change(random, 1 + round % 5, far + random.vector(0, 0.4), i == 0 ? 0.0 : 0.6));
      const Mesh mesh = Mesh::create(changes[static_cast<std::size_t>(i)].from,
                                     changes[static_cast<std::size_t>(i)].triangles)
                            .value();
      ids.push_back(scene.add("cloth " + std::to_string(i), mesh).value());
      if (i > 0) test::done(scene.deform(ids.back(), changes.back().to));
    }
    const auto reports = scene.snapshot().value().check_objects({.threads = 1 + round % 2});
    ASSERT_EQ(reports.size(), 2U);
    const auto contact = [&](std::size_t i, std::uint32_t object) -> const Contact* {
      for (const Contact& c : reports[i].report.value().contacts) {
        if (c.room()->object == object) return &c;
      }
      return nullptr;
    };
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(reports[i].object, i + 1);
      expect_true(contact(i, 0), changes[i + 1], changes[0], options.margin, standing);
    }
    expect_true(contact(0, 2), changes[1], changes[2], options.margin, both);
    EXPECT_EQ(contact(1, 1), nullptr);
  }
  for (const Deformations& totals : {standing, both}) {
    EXPECT_GT(totals.contacts, totals.pairs / 5);
    EXPECT_LT(totals.contacts, totals.pairs * 4 / 5);
    EXPECT_GT(totals.hits, totals.pairs / 20);
  }
}

TEST(DeformingObjects, TellWhatTheyHoldAndWhatHoldsThem) {
  DetectorOptions options;
  options.clearance = true;
  Scene scene = Scene::make(options).value();
  const test::WorldMesh box = test::box_mesh();
  const ObjectId outer = scene.add("outer", box.mesh).value();
  ShapePlacement small;
  small.scale = {0.2, 0.2, 0.2};
  const ObjectId inner = scene.add("inner", box.mesh, small).value();
  std::vector<Vec3f> wider = box.vertices;
  for (Vec3f& v : wider) v.x *= 1.5F;
  for (const ObjectId deforms : {outer, inner}) {
    test::done(scene.deform(deforms, wider));
    const auto reports = scene.snapshot().value().check_objects();
    ASSERT_EQ(reports.size(), 1U);
    const StepReport& report = reports[0].report.value();
    ASSERT_EQ(report.contacts.size(), 1U);
    EXPECT_TRUE(report.contacts[0].inside);
    EXPECT_EQ(report.contacts[0].status, ContactStatus::kOverlap);
    EXPECT_EQ(report.contacts[0].room()->object,
              scene.index_of(deforms == outer ? inner : outer).value());
    EXPECT_EQ(report.safe_until, 0.0);
    EXPECT_EQ(report.clearances, std::vector<double>{0.0});
    test::done(scene.deform(deforms, box.vertices));
    ASSERT_TRUE(scene.snapshot().ok());
  }
  // Apart, clearances are bounds.
  test::done(scene.place(inner, {{5, 0, 0}, {}, {0.2, 0.2, 0.2}}));
  test::done(scene.deform(outer, wider));
  const StepReport apart = scene.snapshot().value().check_objects()[0].report.value();
  EXPECT_TRUE(apart.contacts.empty());
  EXPECT_LE(apart.clearances[0], 5.0 - 1.5 - 0.2 + 1e-6);  // of rounded corners
  EXPECT_GT(apart.clearances[0], 3.0);
  // A pair that is switched off is not looked at.
  test::done(scene.place(inner, small));
  test::done(scene.deactivate_pair(inner, outer));
  test::done(scene.deform(outer, box.vertices));
  EXPECT_TRUE(scene.snapshot().value().check_objects()[0].report.value().contacts.empty());
}

TEST(DeformingObjects, ErrorsChangeNothing) {
  Scene scene = Scene::make().value();
  const test::WorldMesh box = test::box_mesh();
  const ObjectId id = scene.add("box", box.mesh).value();
  const ObjectId other = scene.add("other", box.mesh, {{5, 0, 0}, {}}).value();
  std::vector<Vec3f> vertices = box.vertices;
  EXPECT_FALSE(scene.deform(id, {vertices.begin(), vertices.end() - 1}).ok());
  vertices[3].y = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(scene.deform(id, vertices).ok());
  vertices[3].y = 2e6F;
  EXPECT_FALSE(scene.deform(id, vertices).ok());
  test::done(scene.move(other, {{}, {6, 0, 0}}));
  EXPECT_FALSE(scene.deform(other, box.vertices).ok());
  vertices[3].y = 2.0F;
  test::done(scene.deform(id, vertices));
  EXPECT_FALSE(scene.move(id, {{}, {1, 0, 0}}).ok());
  EXPECT_FALSE(scene.place(id, {{999999.5, 0, 0}, {}}).ok());
  const Detector detector = scene.snapshot().value();
  EXPECT_EQ(detector.environment().objects().size(), 2U);
  // The other instance of the mesh is as it was.
  const Detector after = scene.snapshot().value();
  const Object& stays = after.environment().objects()[1];
  EXPECT_EQ(after.environment().corners(stays.first_triangle)[0], (Vec3f{5, -1, -1}));
}

}  // namespace
}  // namespace tocsin::deforming_test
