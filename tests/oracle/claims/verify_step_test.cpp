// Whole steps: what the detector reports is confirmed, and a report that was tampered with is not.
#include "oracle/verify_step.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/vector/vec.h"
#include "make/make.h"
#include "random.h"
#include "support/data.h"
#include "tocsin/tocsin.h"

namespace tocsin::oracle::test::verify_step_test {
namespace {

using tocsin::operator*;

// A body of two chains with five links.
Avatar make_avatar() {
  std::vector<Joint> joints;
  joints.push_back({"root", -1, {}});
  for (const char* side : {"left", "right"}) {
    const double x = std::string(side) == "left" ? 0.2 : -0.2;
    const int first = static_cast<int>(joints.size());
    joints.push_back({fmt::format("{}_shoulder", side), 0, {{}, {x, 0.4, 0.0}}});
    joints.push_back({fmt::format("{}_elbow", side), first, {{}, {0.0, -0.3, 0.0}}});
  }
  const Skeleton skeleton = *Skeleton::create(joints);
  std::vector<Link> links;
  links.push_back({"torso", 0, {0.0, 0.0, 0.0}, {0.0, 0.5, 0.0}, 0.12});
  for (int j = 1; j < 5; ++j) {
    links.push_back(
        {skeleton.joints()[static_cast<std::size_t>(j)].name, j, {}, {0.0, -0.3, 0.0}, 0.04});
  }
  return *Avatar::create("test", skeleton, links);
}

// Poses that tumble through the room, 20 degrees and 10 cm a step or more.
Motion make_motion(const Avatar& avatar, std::uint64_t seed, int frames) {
  Random random(seed, 0, 0);
  std::vector<Transform> pose;
  for (const Joint& j : avatar.skeleton().joints()) pose.push_back(j.rest);
  pose[0].translation = {0.0, 1.0, 0.0};
  std::vector<Transform> poses;
  for (int f = 0; f < frames; ++f) {
    poses.insert(poses.end(), pose.begin(), pose.end());
    for (Transform& t : pose) {
      t.rotation = core::normalized(random.rotation_by(random.unit() * 0.6) * t.rotation);
    }
    const Vec3 move = random.vector(0.0, 0.3);
    Vec3& at = pose[0].translation;
    at = {0.95 * (at.x + move.x), 0.7 + 0.9 * (at.y + move.y - 0.7), 0.95 * (at.z + move.z)};
  }
  return *Motion::create(avatar.skeleton(), 1.0 / 30.0, poses);
}

// A floor of two triangles, and a few clouds of small ones.
Environment make_room(std::uint64_t seed) {
  std::vector<ObjectMesh> objects;
  objects.push_back(
      {"floor",
       {{-5.0F, 0.0F, -5.0F}, {5.0F, 0.0F, -5.0F}, {5.0F, 0.0F, 5.0F}, {-5.0F, 0.0F, 5.0F}},
       {{0, 1, 2}, {0, 2, 3}}});
  Random random(seed, 1, 0);
  for (int o = 0; o < 4; ++o) {
    ObjectMesh mesh;
    mesh.name = fmt::format("cloud_{}", o);
    const Vec3 at = random.vector(0.5, 1.2);
    for (std::uint32_t i = 0; i < 60; ++i) {
      const Vec3 centre = random.vector(0.0, 0.3);
      for (int k = 0; k < 3; ++k) {
        const Vec3 corner = random.vector(0.0, 0.08);
        mesh.vertices.push_back({static_cast<float>(at.x + centre.x + corner.x),
                                 static_cast<float>(at.y + centre.y + corner.y + 1.0),
                                 static_cast<float>(at.z + centre.z + corner.z)});
      }
      mesh.triangles.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    objects.push_back(std::move(mesh));
  }
  return *Environment::create(objects);
}

struct Scene {
  Avatar avatar = make_avatar();
  Motion motion = make_motion(avatar, 61, 150);
  Environment room = make_room(61);
};

StepVerdict judge(const Scene& s, const Step& step, std::span<const Contact> contacts,
                  VerifyOptions options = {}) {
  return verify_step(s.avatar, step, s.room, options, contacts);
}

void expect_confirmed(const StepVerdict& verdict) {
  for (const std::string& sentence : verdict.refutations) ADD_FAILURE() << sentence;
  for (const std::string& sentence : verdict.doubts) ADD_FAILURE() << sentence;
}

TEST(VerifyStep, ConfirmsWhatTheDetectorReports) {
  const Scene s;
  ASSERT_EQ(s.motion.frame_count(), 150);
  for (const InBetween kind : {InBetween::kScrew, InBetween::kTranslateRotate}) {
    for (const double margin : {0.0, 0.03}) {
      const Detector detector = Detector::make(s.room, {.margin = margin}).value();
      const StepList steps = s.motion.steps({.in_between = kind}).value();
      std::size_t contacts = 0;
      std::uint64_t near = 0;
      for (const Step& step : steps) {
        const StepReport report = detector.check(s.avatar, step);
        ASSERT_FALSE(report.error);
        const StepVerdict verdict = judge(s, step, report.contacts, {.margin = margin});
        expect_confirmed(verdict);
        EXPECT_EQ(verdict.pairs, 25U);
        contacts += report.contacts.size();
        near += verdict.near;
      }
      EXPECT_GT(contacts, 100U);
      EXPECT_GT(near, 1000U);
    }
  }
}

TEST(VerifyStep, ConfirmsTheFirstContactOnly) {
  const Scene s;
  const Detector detector = Detector::make(s.room, {.contacts = Contacts::kFirst}).value();
  const StepList steps = s.motion.steps().value();
  std::size_t contacts = 0;
  for (const Step& step : steps) {
    const StepReport report = detector.check(s.avatar, step);
    expect_confirmed(judge(s, step, report.contacts, {.contacts_first = true}));
    contacts += report.contacts.size();
  }
  EXPECT_GT(contacts, 30U);
}

TEST(VerifyStep, LooksAtActivePairsOnly) {
  const Scene s;
  const std::vector<std::string> patterns{"*:floor", "torso:*"};
  const Result<ActivePairs> active = ActivePairs::ignoring(s.avatar, s.room, patterns);
  ASSERT_TRUE(active.ok());
  const Detector detector = Detector::make(s.room).value();
  std::size_t ignored = 0;
  const StepList steps = s.motion.steps().value();
  for (const Step& step : steps) {
    const StepReport report = detector.check({s.avatar, *active}, step);
    const StepVerdict verdict = judge(s, step, report.contacts, {.active = &*active});
    expect_confirmed(verdict);
    EXPECT_EQ(verdict.pairs, 16U);
    const StepReport all = detector.check(s.avatar, step);
    if (all.contacts.size() > report.contacts.size()) {
      ++ignored;
      EXPECT_FALSE(judge(s, step, all.contacts, {.active = &*active}).refutations.empty());
    }
  }
  EXPECT_GT(ignored, 10U);
}

// Applies `spoil` to every contact in turn (it returns false to leave one alone); each spoilt
// report must be refuted with a sentence that holds `word`.
template <class Spoil>
int expect_refuted(const char* word, Spoil spoil) {
  const Scene s;
  const Detector detector = Detector::make(s.room).value();
  int spoilt = 0;
  const StepList steps = s.motion.steps().value();
  for (const Step& step : steps) {
    const std::vector<Contact> contacts = detector.check(s.avatar, step).contacts;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      std::vector<Contact> changed = contacts;
      if (!spoil(changed, i)) continue;
      ++spoilt;
      const StepVerdict verdict = judge(s, step, changed);
      EXPECT_FALSE(verdict.refutations.empty()) << "step " << step.index() << ", contact " << i;
      bool named = false;
      for (const std::string& r : verdict.refutations)
        named = named || r.find(word) != std::string::npos;
      EXPECT_TRUE(named) << (verdict.refutations.empty() ? "" : verdict.refutations[0]);
    }
  }
  return spoilt;
}

using List = std::vector<Contact>;

TEST(VerifyStep, RefutesAContactThatIsLeftOut) {
  EXPECT_GT(expect_refuted("reported free",
                           [](List& list, std::size_t i) {
                             if (list[i].status == ContactStatus::kGraze) return false;
                             list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
                             return true;
                           }),
            50);
}

TEST(VerifyStep, RefutesALateBracket) {
  EXPECT_GT(expect_refuted("reported free",
                           [](List& list, std::size_t i) {
                             Contact& c = list[i];
                             if (c.status != ContactStatus::kHit || c.toc[1] > 0.99) return false;
                             c.status = ContactStatus::kGraze;
                             c.toc = {c.toc[1] + 1e-6, 1.0};
                             return true;
                           }),
            20);
}

TEST(VerifyStep, RefutesAnEarlyBracket) {
  EXPECT_GT(expect_refuted("do not touch",
                           [](List& list, std::size_t i) {
                             Contact& c = list[i];
                             if (c.status != ContactStatus::kHit || c.toc[0] == 0.0) return false;
                             c.toc = {0.5 * c.toc[0], c.toc[0]};
                             return true;
                           }),
            20);
}

TEST(VerifyStep, RefutesAHitCalledOverlap) {
  EXPECT_GT(expect_refuted("do not touch",
                           [](List& list, std::size_t i) {
                             if (list[i].status != ContactStatus::kHit || list[i].toc[0] == 0.0)
                               return false;
                             list[i].status = ContactStatus::kOverlap;
                             list[i].toc = {0.0, 0.0};
                             return true;
                           }),
            20);
}

TEST(VerifyStep, RefutesNonsense) {
  EXPECT_GT(expect_refuted("no such thing",
                           [](List& list, std::size_t i) {
                             list[i].room()->triangle = 1000000;
                             return true;
                           }),
            50);
  EXPECT_GT(expect_refuted("more than once",
                           [](List& list, std::size_t i) {
                             list.push_back(list[i]);
                             return true;
                           }),
            50);
  EXPECT_GT(expect_refuted("impossible bracket",
                           [](List& list, std::size_t i) {
                             list[i].toc[0] = std::numeric_limits<double>::quiet_NaN();
                             return true;
                           }),
            50);
}

TEST(VerifyStep, RefutesAWrongPointOrNormal) {
  EXPECT_GT(expect_refuted("its point",
                           [](List& list, std::size_t i) {
                             list[i].point.y += 1e-6;
                             list[i].point.x += 1e-6;
                             return true;
                           }),
            50);
  EXPECT_GT(expect_refuted("normal",
                           [](List& list, std::size_t i) {
                             if (!list[i].normal) return false;
                             Vec3& n = *list[i].normal;
                             n = {-n.x, -n.y, -n.z};
                             return true;
                           }),
            50);
}

TEST(VerifyStep, RefutesAnAvatarOfAnotherSkeleton) {
  const Scene s;
  const Avatar none;
  const StepList steps = s.motion.steps().value();
  EXPECT_FALSE(verify_step(none, steps[0], s.room, {}, {}).refutations.empty());
}

// The recorded take in the house: everything reported on sampled steps, at one placement of each
// kind.
TEST(VerifyStep, ConfirmsTheRecordedTakeInTheHouse) {
  TOCSIN_NEEDS_DATA("motions/cmu_bvh/01_01.bvh");
  TOCSIN_NEEDS_DATA("environments/small_house.obj");
  const Result<Motion> take = load_motion(tocsin::test::data_path("motions/cmu_bvh/01_01.bvh"));
  ASSERT_TRUE(take.ok()) << take.error().message;
  const Result<Environment> house =
      load_environment(tocsin::test::data_path("environments/small_house.obj"));
  ASSERT_TRUE(house.ok()) << house.error().message;
  const Result<Avatar> avatar = Avatar::bind(*load_avatar_model("humanoid16"), take->skeleton());
  ASSERT_TRUE(avatar.ok()) << avatar.error().message;
  const Detector detector = Detector::make(*house).value();
  std::size_t contacts = 0;
  for (const Placement& at : {Placement{{2.7, 0.0, 0.0}, 0.0}, Placement{{-1.0, 0.0, -1.0}, 0.0}}) {
    const Result<Motion> placed = take->placed(at);
    for (const std::int64_t stride : {1, 12}) {
      const Result<StepList> steps = placed->steps({.first = 1, .stride = stride});
      ASSERT_TRUE(steps.ok()) << steps.error().message;
      for (std::size_t i = 0; i < steps->size(); i += steps->size() / 10) {
        const StepReport report = detector.check(*avatar, (*steps)[i]);
        expect_confirmed(verify_step(*avatar, (*steps)[i], *house, {}, report.contacts));
        contacts += report.contacts.size();
      }
    }
  }
  EXPECT_GT(contacts, 20U);
}

}  // namespace
}  // namespace tocsin::oracle::test::verify_step_test
