// Reports about links with shapes that were tampered with: the oracle confirms what the detector
// reports and refutes every other claim.
#include "oracle/shapes/verify_shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/vector/vec.h"
#include "meeting_scenes.h"
#include "oracle/verify_meeting.h"
#include "shapes/shape_generator.h"
#include "shapes/small_shapes.h"

namespace tocsin::oracle::test::verify_shapes_test {
namespace {

using tocsin::operator*;

// One step of a scene, and what was reported about it.
struct Reported {
  MeetingScene scene;
  std::vector<Step> steps;
  std::vector<std::vector<Contact>> contacts;

  [[nodiscard]] StepVerdict judge() const {
    std::vector<MemberClaim> claims;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      claims.push_back(
          {static_cast<std::int32_t>(i), &scene.members[i], &steps[i], contacts[i], {}});
    }
    return verify_meeting(claims, scene.room, {.meet = true, .budget = 2000});
  }
};

Reported reported(SceneKind kind, std::uint64_t number) {
  Reported out{make_shaped_scene(kind, 2, number), {}, {}};
  out.steps = out.scene.at(0);
  const Detector detector = Detector::make(out.scene.room).value();
  for (const StepReport& report :
       detector.check_batch(out.scene.members, out.steps, {.meet = true, .threads = 1})) {
    out.contacts.push_back(report.contacts);
  }
  return out;
}

// How many features there are of a contact's link, or of the other; 0: it has no shape.
std::uint32_t features_of(const Reported& r, std::size_t avatar, std::int32_t link) {
  const Shape& shape = r.scene.members[avatar].avatar.links()[static_cast<std::size_t>(link)].shape;
  return shape.empty() ? 0 : static_cast<std::uint32_t>(shape.features().size());
}

// A way to change a contact; false: it does not fit this one.
using Change = std::function<bool(Contact&)>;

struct Tampering {
  const char* what;
  int made = 0;
  int refuted = 0;
};

// Changes a contact and counts whether that is refuted; `change` empty: leaves it out.
void tamper(Reported& r, std::size_t avatar, std::size_t index, const Change& change,
            Tampering& count) {
  const std::vector<Contact> before = r.contacts[avatar];
  std::vector<Contact>& contacts = r.contacts[avatar];
  if (!change) {
    contacts.erase(contacts.begin() + static_cast<std::ptrdiff_t>(index));
  } else if (!change(contacts[index])) {
    return;
  }
  ++count.made;
  if (!r.judge().refutations.empty()) ++count.refuted;
  r.contacts[avatar] = before;
}

bool touches(const Contact& c) { return c.status != ContactStatus::kGraze && !c.inside; }

TEST(VerifyShapes, EveryTamperedReportIsRefuted) {
  std::array<Tampering, 12> counts{
      Tampering{"left out"},          Tampering{"lo late"},     Tampering{"hi early"},
      Tampering{"no feature"},        Tampering{"odd feature"}, Tampering{"no other feature"},
      Tampering{"odd other feature"}, Tampering{"point off"},   Tampering{"overlap for a hit"},
      Tampering{"depth off"},         Tampering{"not inside"},  Tampering{"hit for an overlap"}};
  for (std::uint64_t number = 0; number < 8; ++number) {
    const SceneKind kind = number % 2 == 0 ? SceneKind::kCrowd : SceneKind::kHalfTurns;
    Reported r = reported(kind, number);
    const StepVerdict sound = r.judge();
    for (const std::string& sentence : sound.refutations) ADD_FAILURE() << sentence;
    for (std::size_t a = 0; a < r.contacts.size(); ++a) {
      int seen = 0;
      for (std::size_t i = 0; i < r.contacts[a].size() && seen < 6; ++i) {
        const Contact& c = r.contacts[a][i];
        const std::uint32_t own = features_of(r, a, c.link);
        const std::uint32_t other =
            c.other() ? features_of(r, static_cast<std::size_t>(c.other()->avatar), c.other()->link)
                      : 0;
        if (own + other == 0 || c.status == ContactStatus::kGraze) continue;
        ++seen;
        const bool slow = c.toc[0] < 1e-3;
        const std::array<Change, 12> changes{
            Change{},
            [&](Contact& x) { return std::exchange(x.toc[0], x.toc[1]) < x.toc[1]; },
            [&](Contact& x) {
              x.toc = {0.25 * x.toc[0], 0.5 * x.toc[0]};
              x.touching.reset();
              return x.status == ContactStatus::kHit && !slow;
            },
            [&](Contact& x) { return std::exchange(x.link_feature, std::nullopt).has_value(); },
            [&](Contact& x) {
              x.link_feature = own;
              return true;
            },
            [&](Contact& x) { return std::exchange(x.other_feature, std::nullopt).has_value(); },
            [&](Contact& x) {
              x.other_feature = other;
              return true;
            },
            [&](Contact& x) {
              x.point = x.point + Vec3{1e-5, -1e-5, 1e-5};
              return true;
            },
            [&](Contact& x) {
              x.toc = {0.0, 0.0};
              x.touching.reset();
              return std::exchange(x.status, ContactStatus::kOverlap) == ContactStatus::kHit &&
                     !slow;
            },
            [&](Contact& x) {
              if (x.depth) *x.depth += 1e-5;
              return x.inside;
            },
            [&](Contact& x) {
              x.depth.reset();
              return std::exchange(x.inside, false);
            },
            [&](Contact& x) {
              x.toc = {0.25, 0.5};
              return std::exchange(x.status, ContactStatus::kHit) == ContactStatus::kOverlap &&
                     touches(x);
            }};
        for (std::size_t k = 0; k < changes.size(); ++k) tamper(r, a, i, changes[k], counts[k]);
      }
    }
  }
  for (const Tampering& t : counts) {
    EXPECT_GE(t.made, 3) << t.what;
    EXPECT_EQ(t.refuted, t.made) << t.what;
  }
}

// A feature that does not touch: neighbours that share the corner that touches may do as well.
TEST(VerifyShapes, AnotherFeatureIsRefuted) {
  Tampering count{"another feature"};
  for (std::uint64_t number = 20; number < 30; ++number) {
    Reported r = reported(SceneKind::kCrowd, number);
    for (std::size_t a = 0; a < r.contacts.size(); ++a) {
      for (std::size_t i = 0; i < std::min<std::size_t>(r.contacts[a].size(), 6); ++i) {
        const Contact& c = r.contacts[a][i];
        const std::uint32_t features = features_of(r, a, c.link);
        if (features < 2 || !touches(c)) continue;
        tamper(
            r, a, i,
            [&](Contact& x) {
              x.link_feature = (*x.link_feature + features / 2) % features;
              return true;
            },
            count);
      }
    }
  }
  EXPECT_GE(count.made, 15);
  EXPECT_GE(10 * count.refuted, 8 * count.made);
}

// What is wrong by a millionth of a step, or of a metre, of two shapes that just touch.
TEST(VerifyShapes, NarrowClaimsAreRefuted) {
  int made = 0;
  int refuted = 0;
  for (std::uint64_t number = 0; number < 40; ++number) {
    const ShapeQuery q = make_shapes(PairClass::kMix, 81, number)[0];
    const MovingShape f = shape_of(q.first);
    const MovingShape g = shape_of(q.second);
    const Real radius = radius_of(q);
    ShapeProver prover(f, g, radius);
    if (prover.prove_free(0.0L, 0.0L, 2000).kind != Proof::Kind::kFree) continue;
    // The first touch, by halving.
    Real low = 0.0L;
    Real high = 1.0L;
    TwoFeatures two;
    bool any = false;
    for (int i = 0; i < 40; ++i) {
      const Real middle = i == 0 ? 1.0L : 0.5L * (low + high);
      const Proof proof = prover.prove_free(0.0L, middle, 2000);
      if (proof.kind == Proof::Kind::kTouch) {
        high = proof.time;
        two = prover.last();
        any = true;
      } else {
        low = middle;
      }
      if (low >= high) break;
    }
    if (!any || high - low > 1e-9L || low < 1e-3L || high > 0.999L) continue;
    const auto lo = static_cast<double>(low);
    const auto hi = static_cast<double>(high);
    const auto verdict = [&](double from, double to) {
      ShapeClaim claim;
      claim.status = Claim::Status::kHit;
      claim.lo = from;
      claim.hi = to;
      claim.touching = two;
      return verify(q, claim).kind;
    };
    EXPECT_NE(verdict(lo * (1.0 - 1e-6), hi), Verdict::Kind::kRefuted) << number;
    ++made;
    const bool late = verdict(hi + 1e-6, hi + 1e-6) == Verdict::Kind::kRefuted;
    const bool early = verdict(0.0, lo - 1e-6) == Verdict::Kind::kRefuted;
    if (late && early) ++refuted;
    // The same as free.
    EXPECT_EQ(verify(q, ShapeClaim{}).fault, Verdict::Fault::kMissedContact) << number;
  }
  EXPECT_GE(made, 15);
  EXPECT_EQ(refuted, made);
}

// A shape that is in a closed box, in parts: each part counts.
TEST(VerifyShapes, EveryComponentIsAskedWhetherItIsInside) {
  const Shape box = Shape::box({1.0, 1.0, 1.0}).value();
  ObjectMesh crate;
  crate.name = "crate";
  for (const Vec3& p : box.corners()) {
    crate.vertices.push_back(
        {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)});
  }
  crate.triangles.assign(box.features().begin(), box.features().end());
  const std::vector<ObjectMesh> objects{crate};
  const Environment room = Environment::create(objects).value();
  const Skeleton skeleton = Skeleton::create({{"body", -1, {}}}).value();
  // A triangle outside, and one inside.
  const std::vector<Vec3> corners{{5.0, 0.0, 0.0}, {5.5, 0.0, 0.0}, {5.0, 0.5, 0.0},
                                  {0.5, 0.0, 0.0}, {0.6, 0.0, 0.0}, {0.5, 0.2, 0.0}};
  const Shape parts = Shape::mesh(corners, {{0, 1, 2}, {3, 4, 5}}, 0.01).value();
  MeetingScene scene;
  scene.room = room;
  scene.members = {Avatar::create("parts", skeleton, {link_of_shape("parts", 0, parts)}).value()};
  scene.steps = {Motion::create(skeleton, 1.0, {{}, {}}).value().steps().value()};
  Reported r{scene, scene.at(0), {}};
  const StepReport report =
      Detector::make(room).value().check(scene.members.front(), r.steps.front());
  r.contacts = {report.contacts};
  ASSERT_EQ(report.contacts.size(), 1U);
  EXPECT_TRUE(report.contacts.front().inside);
  for (const std::string& sentence : r.judge().refutations) ADD_FAILURE() << sentence;
  r.contacts = {{}};
  ASSERT_EQ(r.judge().refutations.size(), 1U);
  EXPECT_NE(r.judge().refutations.front().find("is inside when the step begins"),
            std::string::npos);
}

}  // namespace
}  // namespace tocsin::oracle::test::verify_shapes_test
