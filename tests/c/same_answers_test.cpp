// The C interface gives the C++ one's answers, bit for bit: avatars, streams, crowds, budgets.
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "c/c_objects.h"
#include "support/same_reports.h"
#include "support/scenes/random_crowd.h"
#include "tocsin/crowd.h"
#include "tocsin/stream.h"

namespace tocsin::same_answers_test {
namespace {

using test::must;
using test::Owned;

/// A random crowd, some of its links with shapes, in a random room; and the same in C.
struct Both {
  explicit Both(std::uint64_t seed, int count = 6, int frames = 12) {
    test::RandomLinks random(seed);
    room = test::random_room(random, 4, 40, 1.5);
    crowd = test::random_crowd(random, count, frames, 0.8, true);
    for (std::size_t i = 0; i < crowd.members.size(); i += 2) {
      Avatar& avatar = crowd.members[i].avatar;
      avatar = avatar
                   .with_links({link_of_shape("box", 1, Shape::box({0.2, 0.1, 0.05}).value()),
                                link_of_shape("ball", 2, Shape::sphere({0, 0.1, 0}, 0.1).value())})
                   .value();
      crowd.members[i].self = LinkPairs::of(avatar);
    }
    options.clearance = true;
    options.margin = 0.01;
    detector = Detector::make(room, options).value();
    tocsin_detector_options c{};
    c.size = sizeof c;
    c.clearance = 1;
    c.margin = 0.01;
    c_detector = Owned<tocsin_detector>(tocsin_detector_create,
                                        static_cast<tocsin_environment>(test::c_room(room)), &c);
    tocsin_member_options own{};
    own.size = sizeof own;
    own.self = 1;
    for (const Member& member : crowd.members) {
      const auto avatar = test::c_avatar(member.avatar);
      owned.emplace_back(tocsin_member_create, static_cast<tocsin_avatar>(avatar), nullptr, &own);
      c_members.push_back(owned.back());
    }
  }

  [[nodiscard]] std::vector<tocsin_transform> poses(std::size_t frame) const {
    std::vector<tocsin_transform> out;
    for (const Motion& motion : crowd.motions) {
      const auto pose = test::c_poses(motion.pose(static_cast<std::int64_t>(frame)));
      out.insert(out.end(), pose.begin(), pose.end());
    }
    return out;
  }
  /// One step a member, along screws, as a crowd of C makes them.
  [[nodiscard]] std::vector<Step> steps(std::size_t frame) const {
    std::vector<Step> out;
    for (const Motion& motion : crowd.motions) out.push_back(motion.steps().value()[frame - 1]);
    return out;
  }

  Environment room;
  test::RandomCrowd crowd;
  DetectorOptions options;
  Detector detector = Detector::make(Environment()).value();
  Owned<tocsin_detector> c_detector;
  std::vector<Owned<tocsin_member>> owned;
  std::vector<tocsin_member> c_members;
  Owned<tocsin_reports> reports{tocsin_reports_create};
};

void expect_same_parts(const StepReport& got, const StepReport& want) {
  test::expect_same(got, want);
  EXPECT_EQ(got.complete, want.complete);
  EXPECT_EQ(got.checked_until, want.checked_until);
}

struct Found {
  std::size_t rooms = 0;
  std::size_t links = 0;
  std::size_t features = 0;

  void count(const std::vector<StepReport>& reports) {
    for (const StepReport& report : reports) {
      for (const Contact& contact : report.contacts) {
        (contact.room() != nullptr ? rooms : links) += 1;
        features += contact.link_feature || contact.other_feature ? 1 : 0;
      }
    }
  }
};

TEST(CSameAnswers, BatchesAndCrowdsThatMeet) {
  Both both(7);
  Crowd crowd(both.detector, both.crowd.members);
  Owned<tocsin_crowd> c_crowd(tocsin_crowd_create, static_cast<tocsin_detector>(both.c_detector),
                              both.c_members.data(), both.c_members.size(), nullptr);
  tocsin_check_options meet{};
  meet.size = sizeof meet;
  meet.meet = 1;
  Found found;
  for (std::size_t frame = 0; frame < 12; ++frame) {
    const auto poses = both.poses(frame);
    must(tocsin_crowd_push(c_crowd, poses.data(), poses.size(), static_cast<double>(frame), &meet,
                           both.reports));
    if (frame == 0) continue;
    const std::vector<StepReport> want = crowd.check(both.steps(frame), {.meet = true});
    test::expect_same(test::reports_from(both.reports), want);
    must(tocsin_crowd_again(c_crowd, &meet, both.reports));
    test::expect_same(test::reports_from(both.reports), want);
    found.count(want);

    // The same at once, each by its own way in between.
    std::vector<Owned<tocsin_step>> steps;
    std::vector<tocsin_step> c_steps;
    for (const Step& step : both.crowd.at(frame - 1))
      c_steps.push_back(steps.emplace_back(test::c_step(step)));
    must(tocsin_detector_check_batch(both.c_detector, both.c_members.data(), c_steps.data(),
                                     c_steps.size(), &meet, both.reports));
    auto got = test::reports_from(both.reports);
    const auto batch =
        both.detector.check_batch(both.crowd.members, both.crowd.at(frame - 1), {.meet = true});
    for (std::size_t i = 0; i < got.size(); ++i) {
      got[i].step = batch[i].step;  // a step of two poses counts from 0
      got[i].frames = batch[i].frames;
    }
    test::expect_same(got, batch);
  }
  EXPECT_GT(found.rooms, 50U);
  EXPECT_GT(found.links, 50U);
  EXPECT_GT(found.features, 20U);
}

TEST(CSameAnswers, StreamsAndTheirBudgets) {
  Both both(8);
  std::size_t partial = 0;
  Found found;
  for (std::size_t i = 0; i < both.crowd.members.size(); ++i) {
    const Motion& motion = both.crowd.motions[i];
    Stream stream(both.detector, both.crowd.members[i]);
    Owned<tocsin_stream> c_stream(tocsin_stream_create,
                                  static_cast<tocsin_detector>(both.c_detector), both.c_members[i],
                                  nullptr);
    tocsin_check_options budget{};
    budget.size = sizeof budget;
    budget.work = 5;
    for (std::int64_t frame = 0; frame < motion.frame_count(); ++frame) {
      const auto pose = test::c_poses(motion.pose(frame));
      must(tocsin_stream_push(c_stream, pose.data(), pose.size(), static_cast<double>(frame),
                              &budget, both.reports));
      if (frame == 0) {
        while (test::report_from(both.reports, 0).complete == false) {
          must(tocsin_stream_go_on(c_stream, &budget, both.reports));
        }
        continue;
      }
      const Step step = motion.steps().value()[static_cast<std::size_t>(frame) - 1];
      StepReport want = stream.check_within(step, {.work = 5});
      expect_same_parts(test::report_from(both.reports, 0), want);
      while (!want.complete) {
        ++partial;
        want = stream.go_on({.work = 5});
        must(tocsin_stream_go_on(c_stream, &budget, both.reports));
        expect_same_parts(test::report_from(both.reports, 0), want);
      }
      test::expect_same(want, both.detector.check(both.crowd.members[i], step));
      found.count({want});
      EXPECT_EQ(tocsin_stream_go_on(c_stream, &budget, both.reports), TOCSIN_ERROR_USAGE);
    }
  }
  EXPECT_GT(partial, 200U);
  EXPECT_GT(found.rooms, 50U);
}

TEST(CSameAnswers, StreamsThatGoOnInAnotherRoom) {
  Both both(9, 3, 4);
  test::RandomLinks random(10);
  const Environment other = test::random_room(random, 3, 40, 1.5);
  const auto c_other = test::c_room(other);
  Owned<tocsin_detector> c_detector(tocsin_detector_create,
                                    static_cast<tocsin_environment>(c_other), nullptr);
  Owned<tocsin_stream> stream(tocsin_stream_create, static_cast<tocsin_detector>(both.c_detector),
                              both.c_members[0], nullptr);
  const Motion& motion = both.crowd.motions[0];
  std::vector<StepReport> got;
  for (std::int64_t frame = 0; frame < 3; ++frame) {
    if (frame == 2) must(tocsin_stream_set_detector(stream, c_detector));
    const auto pose = test::c_poses(motion.pose(frame));
    must(tocsin_stream_push(stream, pose.data(), pose.size(), static_cast<double>(frame), nullptr,
                            both.reports));
    got.push_back(test::report_from(both.reports, 0));
  }
  const StepList steps = motion.steps().value();
  test::expect_same(got[1], both.detector.check(both.crowd.members[0], steps[0]));
  test::expect_same(got[2], Detector::make(other).value().check(both.crowd.members[0], steps[1]));
  EXPECT_FALSE(got[2].contacts.empty());

  // A restart: the next pose is a first one.
  must(tocsin_stream_restart(stream));
  const auto pose = test::c_poses(motion.pose(3));
  must(tocsin_stream_push(stream, pose.data(), pose.size(), 0.0, nullptr, both.reports));
  EXPECT_EQ(test::report_from(both.reports, 0).frames, (std::array<std::int64_t, 2>{0, 0}));
}

TEST(CSameAnswers, RunsDepthsAndPoses) {
  Both both(7);
  // The first that touches the room several times.
  std::size_t who = 0;
  for (Found found; found.rooms <= 5; ++who) {
    found = {};
    const StepList all = both.crowd.motions[who].steps({1, 6, 2}).value();
    for (const Step& step : all) found.count({both.detector.check(both.crowd.members[who], step)});
    if (found.rooms > 5) break;
    ASSERT_LT(who + 1, both.crowd.members.size());
  }
  const Motion& motion = both.crowd.motions[who];
  std::vector<Transform> poses;
  for (std::int64_t f = 0; f < 8; ++f) {
    poses.insert(poses.end(), motion.pose(f).begin(), motion.pose(f).end());
  }
  Owned<tocsin_motion> c_motion(tocsin_motion_create,
                                static_cast<tocsin_skeleton>(test::c_skeleton(motion.skeleton())),
                                motion.frame_time(), test::c_poses(poses).data(), 8);
  std::vector<StepReport> got;
  const tocsin_sink sink = [](void* user, tocsin_reports reports) -> std::int32_t {
    auto& all = *static_cast<std::vector<StepReport>*>(user);
    all.push_back(test::report_from(reports, 0));
    return all.size() != 5 ? 1 : 0;
  };
  tocsin_range range{};
  range.size = sizeof range;
  range.first = 1;
  range.end = 7;
  range.stride = 2;
  range.in_between = TOCSIN_TRANSLATE_ROTATE;
  must(tocsin_detector_run(both.c_detector, both.c_members[who], c_motion, &range, nullptr, sink,
                           &got));
  const StepList steps = motion.steps({1, 6, 2, InBetween::kTranslateRotate}).value();
  ASSERT_EQ(steps.size(), 3U);
  ASSERT_EQ(got.size(), 3U);
  Found found;
  for (std::size_t i = 0; i < 3; ++i) {
    test::expect_same(got[i], both.detector.check(both.crowd.members[who], steps[i]));
    found.count({got[i]});
  }
  EXPECT_GT(found.rooms, 5U);
  // Again; the sink stops at the second of three, and that is no error.
  must(tocsin_detector_run(both.c_detector, both.c_members[who], c_motion, &range, nullptr, sink,
                           &got));
  EXPECT_EQ(got.size(), 5U);

  Owned<tocsin_step> step(tocsin_motion_step, static_cast<tocsin_motion>(c_motion), 1, 3,
                          TOCSIN_TRANSLATE_ROTATE);
  const auto at =
      test::all_of(tocsin_transform{}, tocsin_step_pose, static_cast<tocsin_step>(step), 0.25);
  const auto want = pose_between(steps[0].pose0(), steps[0].pose1(), steps[0].in_between(), 0.25);
  ASSERT_EQ(at.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_EQ(std::memcmp(&at[i], &want[i], sizeof at[i]), 0);
  }
  double seconds = 0.0;
  must(tocsin_step_seconds(step, 0.25, &seconds));
  EXPECT_EQ(seconds, steps[0].seconds(0.25));

  const auto avatar = test::c_avatar(both.crowd.members[who].avatar);
  tocsin_depth depth{};
  depth.size = sizeof depth;
  must(tocsin_detector_depth(both.c_detector, avatar, step, 0.5, 1, 2, &depth));
  const Depth truth =
      both.detector.depth(both.crowd.members[who].avatar, steps[0], 0.5, 1, 2).value();
  EXPECT_EQ(depth.depth, truth.depth);
  EXPECT_EQ(depth.distance, truth.distance);
  EXPECT_EQ(depth.triangle, truth.triangle);
  EXPECT_EQ(depth.point.x, truth.point.x);
}

}  // namespace
}  // namespace tocsin::same_answers_test
