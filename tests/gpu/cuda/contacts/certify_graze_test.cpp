// A graze that volumes of the motion prove free is no contact, whoever handed the candidate over:
// no broadphase hands over the ones below, so they are made by hand.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "core/bounds/may_touch.h"
#include "core/query/certify.h"
#include "core/query/link_pair.h"
#include "gpu/cuda/contacts/certify_scene.h"
#include "support/cuda_devices.h"

namespace tocsin::test::certify_graze_test {
namespace {

class CertifyGraze : public OnCudaDevice {};
TOCSIN_ON_CUDA_DEVICES(CertifyGraze);

TEST_P(CertifyGraze, OfATriangleBeyondTheLinksVolumesIsNoContact) {
  RandomLinks random(61);
  CertifyScene scene;
  scene.room = random_room(random, 8, 20, 1.5);
  const RandomCrowd crowd = random_crowd(random, 6, 3, 1.0, false);
  for (std::size_t m = 0; m < crowd.members.size(); ++m) {
    for (const Step& step : crowd.steps[m]) scene.add(crowd.members[m].avatar, step);
  }
  CertifyRun run(device(), scene);
  // Nothing can be proved of a motion whose speed is no number; its volumes are what they were.
  std::vector<core::SweptLink> swept = run.swept().download();
  for (core::SweptLink& s : swept) s.motion.speed = std::numeric_limits<double>::quiet_NaN();
  run.swept().upload(swept);

  std::vector<Candidate> all;
  std::vector<std::map<std::uint32_t, std::uint32_t>> wanted(swept.size());  // object: triangle
  std::size_t left_out = 0;
  for (std::uint32_t l = 0; l < swept.size(); ++l) {
    for (std::uint32_t t = 0; t < run.room().triangle_count; ++t) {
      all.push_back({l, t});
      const auto [a, b, c] = scene.room.corners(t);
      const core::Triangle seen = core::triangle_seen_from(swept[l].motion.ref, a, b, c);
      const core::Certificate answer =
          core::certify(swept[l].motion, {}, seen, scene.options.tolerance, core::kToEnd);
      ASSERT_EQ(answer.outcome, core::Outcome::kGraze);
      if (core::may_graze(swept[l], a, b, c, run.room().farthest)) {
        const std::uint32_t object = scene.room.object_of(t);
        wanted[l].try_emplace(object, t - scene.room.objects()[object].first_triangle);
      } else {
        ++left_out;
      }
    }
  }
  std::size_t link = 0;
  std::size_t kept = 0;
  const Contacts got = run.with_room(all);
  for (std::size_t i = 0; i < got.size(); ++i) {
    std::vector<std::map<std::uint32_t, std::uint32_t>> found(
        scene.members[i].avatar.links().size());
    for (const Contact& c : got[i]) {
      EXPECT_EQ(c.status, ContactStatus::kGraze);
      found[static_cast<std::size_t>(c.link)].emplace(c.room()->object, c.room()->triangle);
    }
    for (const auto& of_link : found) {
      EXPECT_EQ(of_link, wanted[link]) << "item " << i;
      kept += wanted[link++].size();
    }
  }
  EXPECT_EQ(link, wanted.size());
  EXPECT_GT(kept, 100U);
  EXPECT_GT(left_out, all.size() / 2);
}

/// A root that carries three links of radius 0.25: "lost" at the height 1, "far" at -1, and
/// "across" at 1, where "lost" will pass by.
CertifyScene mobile() {
  const std::vector<Joint> joints{{"root", -1, {}},
                                  {"a", 0, {{}, {0, 1, 0}}},
                                  {"b", 0, {{}, {0, -1, 0}}},
                                  {"c", 0, {{}, {9, 1, 0}}}};
  const Skeleton skeleton = Skeleton::create(joints).value();
  std::vector<Transform> poses;
  for (int frame = 0; frame < 2; ++frame) {
    for (const Joint& joint : joints) poses.push_back(joint.rest);
  }
  const Motion motion = Motion::create(skeleton, 0.1, poses).value();
  const Avatar avatar = Avatar::create("mobile", skeleton,
                                       {{"lost", 1, {}, {1, 0, 0}, 0.25},
                                        {"far", 2, {}, {1, 0, 0}, 0.25},
                                        {"across", 3, {}, {0, 0, 1}, 0.25}})
                            .value();
  CertifyScene scene;
  scene.room =
      Environment::create({{"out", {{50, 0, 0}, {51, 0, 0}, {50, 1, 0}}, {{0, 1, 2}}}}).value();
  for (const Step& step : motion.steps().value()) scene.add(avatar, step);
  return scene;
}

TEST_P(CertifyGraze, OfLinksWhoseVolumesStayApartIsNoContact) {
  const CertifyScene scene = mobile();
  ASSERT_EQ(scene.members.size(), 1U);
  CertifyRun run(device(), scene);
  // "lost" flies off along x, so far that squares of its speed as seen from the root are not
  // finite: nothing can be proved. Its box in the world is finite.
  std::vector<core::JointMotion> joints = run.joint_motions();
  ASSERT_EQ(joints.size(), 4U);
  joints[1].v = {1e200, 0, 0};
  run.overwrite(joints);

  const Motions own(scene.members[0].avatar, scene.steps[0]);
  std::vector<core::LinkMotion> links;
  for (std::size_t i = 0; i < own.size(); ++i) {
    links.push_back(own[i]);
    links.back().joints = joints.data();
  }
  const auto certified = [&](std::size_t i, std::size_t k) {
    return core::certify_pair(links[i], core::evaluate(links[i], 0), links[k],
                              core::evaluate(links[k], 0), 1e-9, core::kToEnd);
  };
  ASSERT_EQ(certified(0, 1).outcome, core::Outcome::kGraze);
  ASSERT_EQ(certified(0, 2).outcome, core::Outcome::kGraze);
  ASSERT_FALSE(core::may_graze(links[0], links[1]));
  ASSERT_TRUE(core::may_graze(links[0], links[2]));

  const Contacts got = run.of_links({{0, 1}, {0, 2}, {1, 2}});
  ASSERT_EQ(got.size(), 1U);
  ASSERT_EQ(got[0].size(), 1U);
  EXPECT_EQ(got[0][0].status, ContactStatus::kGraze);
  EXPECT_EQ(got[0][0].link, 0);
  EXPECT_EQ(got[0][0].touched, Touched(OtherLink{0, 2}));
}

}  // namespace
}  // namespace tocsin::test::certify_graze_test
