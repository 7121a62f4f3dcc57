// Random scenes of several avatars of every kind: Detector::check_batch answers, the oracle judges
// every contact and every pair of links and every (link, object) pair without one.
//
// TOCSIN_ORACLE_SCENES sets how many of each kind, TOCSIN_ORACLE_SHAPED_SCENES of those with
// shapes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "asked_queries.h"
#include "meeting_scenes.h"
#include "oracle/shapes/shape_trees.h"
#include "oracle/verify_meeting.h"

namespace tocsin::oracle::test::meeting_sweep_test {
namespace {

constexpr std::uint64_t kScenes = 30;  // of each kind; three steps each
constexpr std::uint64_t kShapedScenes = 12;

struct SceneCounts {
  std::uint64_t steps = 0;
  std::uint64_t link_pairs = 0;
  std::uint64_t proofs = 0;
  std::uint64_t room = 0;
  std::uint64_t own = 0;
  std::uint64_t between = 0;
  std::uint64_t hits = 0;
  std::uint64_t graze = 0;
  std::uint64_t limited = 0;
  std::uint64_t inside = 0;
  std::uint64_t refuted = 0;
  std::uint64_t undecided = 0;
};

void add(SceneCounts& counts, const std::vector<StepReport>& reports, const StepVerdict& verdict) {
  ++counts.steps;
  counts.link_pairs += verdict.link_pairs;
  counts.proofs += verdict.near;
  counts.refuted += verdict.refutations.size();
  counts.undecided += verdict.undecided;
  for (const StepReport& report : reports) {
    for (const Contact& c : report.contacts) {
      if (!c.other()) {
        ++counts.room;
        if (c.inside) ++counts.inside;
        continue;
      }
      ++(c.other()->avatar == report.avatar ? counts.own : counts.between);
      if (c.status == ContactStatus::kHit) ++counts.hits;
      if (c.status == ContactStatus::kGraze) ++counts.graze;
      if (c.limited) ++counts.limited;
    }
  }
}

StepVerdict judge(const MeetingScene& scene, const std::vector<Step>& steps,
                  const std::vector<StepReport>& reports, bool first, double margin) {
  std::vector<MemberClaim> claims;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    EXPECT_FALSE(reports[i].error) << reports[i].error->message;
    claims.push_back({static_cast<std::int32_t>(i), &scene.members[i], &steps[i],
                      reports[i].contacts, reports[i].safe_until});
  }
  return verify_meeting(claims, scene.room,
                        {.margin = margin, .contacts_first = first, .meet = true});
}

using MakeScene = MeetingScene (*)(SceneKind, std::uint64_t, std::uint64_t);

SceneCounts sweep_scenes(SceneKind kind, std::uint64_t scenes, bool first,
                         MakeScene make = make_scene, double margin = 0.0) {
  SceneCounts counts;
  for (std::uint64_t n = 0; n < scenes; ++n) {
    const MeetingScene scene = make(kind, 1, n);
    const Contacts contacts = first ? Contacts::kFirst : Contacts::kPairs;
    const Detector detector =
        Detector::make(scene.room, {.contacts = contacts, .margin = margin}).value();
    for (std::size_t i = 0; i < scene.step_count(); ++i) {
      const std::vector<Step> steps = scene.at(i);
      const std::vector<StepReport> reports =
          detector.check_batch(scene.members, steps, {.meet = true, .threads = 1});
      const StepVerdict verdict = judge(scene, steps, reports, first, margin);
      for (const std::string& r : verdict.refutations) {
        ADD_FAILURE() << name_of(kind) << " scene " << n << ": " << r;
      }
      add(counts, reports, verdict);
    }
  }
  return counts;
}

TEST(OracleMeetingSweep, EveryReportIsConfirmed) {
  fmt::print("{:<11}{:>7}{:>11}{:>8}{:>7}{:>7}{:>9}{:>7}{:>7}{:>9}{:>9}{:>11}\n", "kind", "steps",
             "link pairs", "proofs", "room", "own", "between", "hits", "graze", "limited",
             "refuted", "undecided");
  for (int k = 0; k < kSceneKinds; ++k) {
    const auto kind = static_cast<SceneKind>(k);
    SCOPED_TRACE(name_of(kind));
    const SceneCounts c = sweep_scenes(kind, asked_queries("TOCSIN_ORACLE_SCENES", kScenes), false);
    fmt::print("{:<11}{:>7}{:>11}{:>8}{:>7}{:>7}{:>9}{:>7}{:>7}{:>9}{:>9}{:>11}\n", name_of(kind),
               c.steps, c.link_pairs, c.proofs, c.room, c.own, c.between, c.hits, c.graze,
               c.limited, c.refuted, c.undecided);
    EXPECT_EQ(c.undecided, 0U);
    // A kind in which nobody meets, or all do, tests nothing.
    EXPECT_GT(20 * c.between, c.steps);
    EXPECT_LT(c.between + c.own, c.link_pairs / 2);
    // An answer that proves little is allowed, but rare.
    EXPECT_LE(c.graze, 3 + (c.own + c.between) / 100);
  }
}

TEST(OracleMeetingSweep, EveryFirstContactIsConfirmed) {
  for (int k = 0; k < kSceneKinds; ++k) {
    const SceneCounts c = sweep_scenes(
        static_cast<SceneKind>(k), asked_queries("TOCSIN_ORACLE_SCENES", kScenes) / 3 + 1, true);
    EXPECT_EQ(c.undecided, 0U);
    EXPECT_GT(c.own + c.between + c.room, 0U);
  }
}

/// A length that is surely above the least distance, of which this is what was proved: the bound is
/// within 1 mm or 1% of it (docs/exact.md, "Clearance").
double raised(double clearance) {
  return std::max(clearance + 1e-3, clearance / 0.99) + 1e-6 * (1.0 + clearance);
}

struct ClearanceCounts {
  std::uint64_t confirmed = 0;
  std::uint64_t positive = 0;
  std::uint64_t raised = 0;
  std::uint64_t refuted = 0;  ///< of those that were raised
  std::uint64_t undecided = 0;
};

void sweep_clearances(const MeetingScene& scene, const Detector& detector, std::size_t step,
                      ClearanceCounts& counts) {
  const std::vector<Step> steps = scene.at(step);
  const std::vector<StepReport> reports =
      detector.check_batch(scene.members, steps, {.meet = true, .threads = 1});
  std::vector<MemberClaim> claims;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    MemberClaim claim{static_cast<std::int32_t>(i), &scene.members[i], &steps[i],
                      reports[i].contacts};
    claim.clearances = reports[i].clearances;
    for (const double metres : reports[i].clearances) counts.positive += metres > 0.0 ? 1 : 0;
    claims.push_back(claim);
  }
  const ShapeTrees trees(scene.members);
  const MeetingOptions options{.meet = true, .trees = &trees};
  const StepVerdict verdict = verify_meeting(claims, scene.room, options);
  for (const std::string& r : verdict.refutations) ADD_FAILURE() << r;
  counts.undecided += verdict.doubts.size();
  counts.confirmed += verdict.clearances;
  // One link's is raised, and nothing else is claimed of clearances.
  const std::size_t avatar = step % claims.size();
  for (std::size_t link = 0; link < reports[avatar].clearances.size(); ++link) {
    std::vector<double> one(reports[avatar].clearances.size(), 0.0);
    one[link] = raised(reports[avatar].clearances[link]);
    std::vector<MemberClaim> changed = claims;
    for (MemberClaim& claim : changed) claim.clearances = {};
    changed[avatar].clearances = one;
    const StepVerdict found = verify_meeting(changed, scene.room, options);
    ++counts.raised;
    counts.refuted += found.refutations.empty() ? 0 : 1;
  }
}

// Of all kinds of scenes, so many of each. At least one in `positive_of` clearances must be above
// 0.
void expect_clearances(MakeScene make, std::uint64_t scenes, std::uint64_t positive_of) {
  std::uint64_t confirmed = 0;
  std::uint64_t positive = 0;
  fmt::print("{:<11}{:>10}{:>10}{:>8}{:>9}\n", "kind", "confirmed", "positive", "raised",
             "refuted");
  for (int k = 0; k < kSceneKinds; ++k) {
    const auto kind = static_cast<SceneKind>(k);
    SCOPED_TRACE(name_of(kind));
    ClearanceCounts counts;
    for (std::uint64_t n = 0; n < scenes; ++n) {
      const MeetingScene scene = make(kind, 2, n);
      const Detector detector = Detector::make(scene.room, {.clearance = true}).value();
      for (std::size_t i = 0; i < scene.step_count(); ++i) {
        sweep_clearances(scene, detector, i, counts);
      }
    }
    fmt::print("{:<11}{:>10}{:>10}{:>8}{:>9}\n", name_of(kind), counts.confirmed, counts.positive,
               counts.raised, counts.refuted);
    EXPECT_GT(counts.confirmed, 15 * scenes);
    EXPECT_EQ(counts.undecided, 0U);
    // Of a link that travels a hundred times its clearance the bound may be less near.
    EXPECT_GE(20 * counts.refuted, 19 * counts.raised);
    confirmed += counts.confirmed;
    positive += counts.positive;
  }
  EXPECT_GT(positive_of * positive, confirmed);
}

TEST(OracleMeetingSweep, EveryClearanceIsConfirmedAndNoHigherOne) {
  expect_clearances(make_scene, 3, 3);
}

TEST(OracleMeetingSweep, EveryClearanceOfShapesIsConfirmedAndNoHigherOne) {
  expect_clearances(make_shaped_scene, 1, 6);
}

// Links with shapes: with the room, with each other, with other links, and inside a closed object.
TEST(OracleMeetingSweep, EveryReportOfShapesIsConfirmed) {
  fmt::print("{:<11}{:>7}{:>11}{:>8}{:>7}{:>7}{:>7}{:>9}{:>7}{:>7}{:>9}{:>11}\n", "kind", "steps",
             "link pairs", "proofs", "room", "inside", "own", "between", "hits", "graze", "refuted",
             "undecided");
  SceneCounts all;
  for (int k = 0; k < kSceneKinds; ++k) {
    const auto kind = static_cast<SceneKind>(k);
    SCOPED_TRACE(name_of(kind));
    const std::uint64_t scenes = asked_queries("TOCSIN_ORACLE_SHAPED_SCENES", kShapedScenes);
    const SceneCounts c = sweep_scenes(kind, scenes, false, make_shaped_scene);
    fmt::print("{:<11}{:>7}{:>11}{:>8}{:>7}{:>7}{:>7}{:>9}{:>7}{:>7}{:>9}{:>11}\n", name_of(kind),
               c.steps, c.link_pairs, c.proofs, c.room, c.inside, c.own, c.between, c.hits, c.graze,
               c.refuted, c.undecided);
    EXPECT_LE(c.undecided, 3 + c.proofs / 1000);
    EXPECT_GT(20 * (c.between + c.own), c.steps);
    EXPECT_LT(c.between + c.own, c.link_pairs / 2);
    EXPECT_LE(c.graze, 3 + (c.own + c.between) / 20);
    all.inside += c.inside;
  }
  EXPECT_GT(all.inside, 50U);
}

// With a margin as well.
TEST(OracleMeetingSweep, EveryFirstContactOfShapesIsConfirmed) {
  for (int k = 0; k < kSceneKinds; ++k) {
    const std::uint64_t scenes = asked_queries("TOCSIN_ORACLE_SHAPED_SCENES", kShapedScenes);
    const SceneCounts c =
        sweep_scenes(static_cast<SceneKind>(k), scenes / 3 + 1, true, make_shaped_scene, 0.01);
    EXPECT_GT(c.own + c.between + c.room, 0U);
  }
}

}  // namespace
}  // namespace tocsin::oracle::test::meeting_sweep_test
