// `tocsin verify` of a report with --nearest: the oracle confirms distances, and finds every kind
// of wrong one.
#include "oracle/shapes/verify_distances.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/check/load_job.h"
#include "app/verify/verify_report.h"
#include "app/verify/verify_steps.h"
#include "cli/command.h"
#include "detect/scene/random_world.h"
#include "support/places.h"

namespace tocsin::app::verify_distances_test {
namespace {

/// The shipped take by the music stand, with a box in one hand.
class VerifyDistances : public testing::Test {
 protected:
  void SetUp() override {
    folder_.write("box.obj",
                  "v 0 0 0\nv 0.1 0 0\nv 0.1 0.1 0\nv 0 0.1 0\nv 0 0 0.1\nv 0.1 0 0.1\n"
                  "v 0.1 0.1 0.1\nv 0 0.1 0.1\nf 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\n"
                  "f 2 3 7 6\nf 1 5 8 4\n");
    CheckOptions options;
    options.takes[0].motion = test::source_dir() + "/motions/walk_and_reach.bvh";
    options.takes[0].frames.first = 100;
    options.takes[0].frames.last = 110;
    HeldMesh held;
    held.joint = "RightHand";
    held.mesh = folder_.full("box.obj");
    options.takes[0].avatar.hold.push_back(held);
    options.environments = {test::source_dir() + "/environments/music_room.obj"};
    options.nearest = 0.5;
    options.backend = Backend::kCpu;
    job_.emplace(load_job(options).value());
    const Detector detector = Detector::make(job_->environment, job_->detector).value();
    poses_ = rerun_check(*job_, detector, false, {}).value().poses;
  }

  [[nodiscard]] DistanceConfirmation confirm(const std::vector<RerunPose>& poses) const {
    return confirm_distances(*job_, poses, {}).value();
  }
  [[nodiscard]] bool shaped(const LinkDistance& one) const {
    return !job_->only().member.avatar.links()[static_cast<std::size_t>(one.link)].shape.empty();
  }

  test::TemporaryFolder folder_;
  std::optional<Job> job_;
  std::vector<RerunPose> poses_;
};

TEST_F(VerifyDistances, ConfirmsThem) {
  const DistanceConfirmation seen = confirm(poses_);
  EXPECT_TRUE(seen.refutations.empty()) << seen.refutations.front();
  EXPECT_EQ(seen.poses, 11U);
  EXPECT_GE(seen.distances, 11U * 5U);
  EXPECT_GT(seen.pairs, 3 * seen.distances / 2);
  EXPECT_EQ(seen.undecided, 0U);
}

TEST_F(VerifyDistances, FindsEveryKindOfWrongOne) {
  using Change = std::function<void(LinkDistance&)>;
  const std::vector<Change> changes{
      [](LinkDistance& d) { d.distance += 1e-7; },
      [](LinkDistance& d) { d.distance -= 1e-7; },
      [](LinkDistance& d) { d.inside = !d.inside; },
      [](LinkDistance& d) { d.point.x += 1e-3, d.point.y += 1e-3, d.point.z += 1e-3; },
      [](LinkDistance& d) { d.own.x += 0.9; },
      [](LinkDistance& d) { d.own = d.point + (d.point - d.own); },  // as far from it, off the link
      [this](LinkDistance& d) {
        // Far from the nearest, as files go.
        const Object& object = job_->environment.objects()[d.nearest.object];
        d.nearest.triangle =
            (d.nearest.triangle + object.triangle_count / 2) % object.triangle_count;
      },
      [](LinkDistance& d) { d.nearest.object = d.nearest.object == 0 ? 1 : 0; },
      [](LinkDistance& d) { d.link_feature = d.link_feature ? std::nullopt : std::optional(0U); },
      [](LinkDistance& d) { d.link = -1; }};
  for (std::size_t c = 0; c < changes.size(); ++c) {
    for (const bool of_shape : {false, true}) {
      std::vector<RerunPose> poses = poses_;
      for (LinkDistance& one : poses[3].distances) {
        if (shaped(one) != of_shape || one.distance < 0.1) continue;
        changes[c](one);
        break;
      }
      ASSERT_NE(poses[3].distances, poses_[3].distances) << c << ' ' << of_shape;
      EXPECT_FALSE(confirm({poses[3]}).refutations.empty()) << c << ' ' << of_shape;
    }
  }
  std::vector<RerunPose> lost = poses_;
  lost[5].distances.pop_back();
  EXPECT_FALSE(confirm({lost[5]}).refutations.empty());
  std::vector<RerunPose> twice = poses_;
  twice[5].distances.push_back(twice[5].distances.back());
  EXPECT_FALSE(confirm({twice[5]}).refutations.empty());
}

TEST(VerifyDistancesOfShapes, FindsTheWrongTriangleOfAShapeInside) {
  const test::WorldMesh crate = test::box_mesh();
  const Environment room =
      Environment::create({{"crate", crate.vertices, crate.triangles}}).value();
  const Skeleton skeleton = Skeleton::create({{"box", -1, {}}}).value();
  std::vector<Link> links;
  links.push_back(link_of_shape("box", 0, Shape::box({0.2, 0.2, 0.2}).value()));
  const Member member = Avatar::create("box", skeleton, std::move(links)).value();
  const Transform at{{}, {0.4, 0.1, -0.2}};
  const Step step = Motion::create(skeleton, 1.0, {at, at}).value().steps().value().front();
  auto told = Detector::make(room).value().nearest(member, step, 0.5, 0.1).value();
  ASSERT_EQ(told.size(), 1U);
  ASSERT_TRUE(told[0].inside);
  const oracle::SolidClaims solids(room, {});
  const auto spheres = oracle::spheres_of(room);
  const oracle::ShapeTrees trees({&member, 1});
  const auto refutations = [&] {
    return oracle::verify_distances({"it", &member, &step, 0.5, 0.0, 0.1, told},
                                    {room, solids, spheres, trees})
        .refutations.size();
  };
  EXPECT_EQ(refutations(), 0U);
  const std::uint32_t right = told[0].nearest.triangle;
  for (std::uint32_t wrong = 0; wrong < 12; ++wrong) {
    if (wrong / 2 == right / 2) continue;  // the other half of its side
    told[0].nearest.triangle = wrong;
    EXPECT_EQ(refutations(), 1U) << wrong;
  }
  told[0].nearest.triangle = right;
  told[0].distance -= 1e-7;
  EXPECT_EQ(refutations(), 1U);
}

}  // namespace
}  // namespace tocsin::app::verify_distances_test
