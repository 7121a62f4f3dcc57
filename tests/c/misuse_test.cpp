// What a caller can do wrong: sizes of structs, buffers, numbers that are none, threads. hostile.py
// has wrong handles and NULL for every function.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "c/c_objects.h"

namespace tocsin::misuse_test {
namespace {

using test::must;
using test::Owned;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A ball of 0.1 m that flies 1 m along x in a step; a wall at x = 0.6: they touch at t = 0.5.
struct Ball {
  Ball() {
    const tocsin_vec3f corners[] = {{0.6F, -1, -1}, {0.6F, -1, 1}, {0.6F, 1, 1}, {0.6F, 1, -1}};
    const std::uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    tocsin_object wall{sizeof wall, 0, "wall", corners, 4, triangles, 2};
    room = Owned<tocsin_environment>(tocsin_environment_create, &wall, 1);
    const char* const name = "root";
    const std::int32_t parent = -1;
    skeleton = Owned<tocsin_skeleton>(tocsin_skeleton_create, 1, &name, &parent, poses.data());
    tocsin_link link{};
    link.size = sizeof link;
    link.name = "ball";
    link.radius = 0.1;
    avatar = Owned<tocsin_avatar>(tocsin_avatar_create, "ball",
                                  static_cast<tocsin_skeleton>(skeleton), &link, 1);
    member = Owned<tocsin_member>(tocsin_member_create, static_cast<tocsin_avatar>(avatar), nullptr,
                                  nullptr);
    detector = Owned<tocsin_detector>(tocsin_detector_create, static_cast<tocsin_environment>(room),
                                      nullptr);
    step = Owned<tocsin_step>(tocsin_step_create, static_cast<tocsin_skeleton>(skeleton),
                              poses.data(), poses.data() + 1, 1, TOCSIN_SCREW);
    stream = Owned<tocsin_stream>(tocsin_stream_create, static_cast<tocsin_detector>(detector),
                                  static_cast<tocsin_member>(member), nullptr);
  }

  std::array<tocsin_transform, 2> poses{tocsin_transform{{1, 0, 0, 0}, {0, 0, 0}},
                                        tocsin_transform{{1, 0, 0, 0}, {1, 0, 0}}};
  Owned<tocsin_environment> room;
  Owned<tocsin_skeleton> skeleton;
  Owned<tocsin_avatar> avatar;
  Owned<tocsin_member> member;
  Owned<tocsin_detector> detector;
  Owned<tocsin_step> step;
  Owned<tocsin_stream> stream;
  Owned<tocsin_reports> reports{tocsin_reports_create};
};

/// The call fails so, and says something with `part` in it.
void expect_error(tocsin_status got, tocsin_status want, const std::string& part = "") {
  EXPECT_EQ(got, want) << tocsin_last_error();
  EXPECT_NE(std::string(tocsin_last_error()).find(part), std::string::npos) << tocsin_last_error();
  EXPECT_STRNE(tocsin_last_error(), "");
}

TEST(CMisuse, TheBallTouchesTheWall) {
  const Ball ball;
  must(tocsin_detector_check(ball.detector, ball.member, ball.step, nullptr, ball.reports));
  tocsin_contact contact{};
  contact.size = sizeof contact;
  must(tocsin_reports_contacts(ball.reports, 0, &contact, 1, nullptr));
  const double at = static_cast<double>(0.6F) - 0.1;
  EXPECT_EQ(contact.status, TOCSIN_HIT);
  EXPECT_LE(contact.toc[0], at + 1e-12);
  EXPECT_GE(contact.toc[1], at - 1e-12);
  EXPECT_NEAR(contact.toc[1], at, 1e-8);
  EXPECT_NEAR(contact.normal.x, -1.0, 1e-6);
  EXPECT_EQ(tocsin_c_version(), static_cast<std::uint32_t>(TOCSIN_C_VERSION));
}

TEST(CMisuse, StructsOfOtherVersions) {
  const Ball ball;
  // Shorter than any version had; longer, with zeros; longer, asking for something unknown.
  struct Longer {
    tocsin_check_options options;
    std::uint64_t more;
  } longer{};
  longer.options.size = 0;
  const auto check = [&] {
    return tocsin_detector_check(ball.detector, ball.member, ball.step, &longer.options,
                                 ball.reports);
  };
  for (const std::uint32_t size : {0U, 4U, 39U, 4097U, 0xFFFFFFFFU}) {
    longer.options.size = size;
    expect_error(check(), TOCSIN_ERROR_USAGE, "size");
  }
  longer.options.size = sizeof longer;
  must(check());
  longer.more = 1;
  expect_error(check(), TOCSIN_ERROR_USAGE, "does not know");

  // A contact of a later version: entries as far apart as it says, the rest zero.
  struct LongerContact {
    tocsin_contact contact;
    std::uint64_t more;
  };
  std::array<LongerContact, 2> contacts{};
  std::memset(static_cast<void*>(contacts.data()), 0xAB, sizeof contacts);
  contacts[0].contact.size = sizeof(LongerContact);
  must(tocsin_detector_check(ball.detector, ball.member, ball.step, nullptr, ball.reports));
  must(tocsin_reports_contacts(ball.reports, 0, &contacts[0].contact, 2, nullptr));
  EXPECT_EQ(contacts[0].contact.size, sizeof(LongerContact));
  EXPECT_EQ(contacts[0].contact.status, TOCSIN_HIT);
  EXPECT_EQ(contacts[0].more, 0U);
  EXPECT_EQ(contacts[1].more, 0xABABABABABABABABU) << "nothing is written behind the last";
  contacts[0].contact.size = 12;
  expect_error(tocsin_reports_contacts(ball.reports, 0, &contacts[0].contact, 2, nullptr),
               TOCSIN_ERROR_USAGE, "size");
}

TEST(CMisuse, Buffers) {
  const Ball ball;
  std::size_t length = 0;
  must(tocsin_avatar_link_name(ball.avatar, 0, nullptr, 0, &length));
  EXPECT_EQ(length, 4U);
  std::array<char, 5> text{};
  must(tocsin_avatar_link_name(ball.avatar, 0, text.data(), 5, nullptr));
  EXPECT_STREQ(text.data(), "ball");
  text.fill('x');
  expect_error(tocsin_avatar_link_name(ball.avatar, 0, text.data(), 3, &length),
               TOCSIN_ERROR_BUFFER, "5");
  EXPECT_STREQ(text.data(), "ba");
  EXPECT_EQ(text[3], 'x');
  expect_error(tocsin_avatar_link_name(ball.avatar, 0, text.data(), 0, &length),
               TOCSIN_ERROR_BUFFER);
  EXPECT_EQ(text[0], 'b');
  expect_error(tocsin_avatar_link_name(ball.avatar, 0, nullptr, 3, &length), TOCSIN_ERROR_USAGE);
  expect_error(tocsin_avatar_link_name(ball.avatar, 0, nullptr, 0, nullptr), TOCSIN_ERROR_USAGE);
  expect_error(tocsin_avatar_link_name(ball.avatar, 1, text.data(), 5, nullptr), TOCSIN_ERROR_USAGE,
               "no link 1");

  const tocsin_vec3 half{1, 1, 1};
  const Owned<tocsin_shape> box(tocsin_shape_box, &half, 0.0);
  std::array<tocsin_vec3, 9> corners{};
  corners[3].x = 7;
  std::size_t count = 0;
  expect_error(tocsin_shape_corners(box, corners.data(), 3, &count), TOCSIN_ERROR_BUFFER);
  EXPECT_EQ(count, 8U);
  EXPECT_EQ(std::fabs(corners[2].x), 1.0);
  EXPECT_EQ(corners[3].x, 7.0);
  std::array<std::uint32_t, 36> features{};
  must(tocsin_shape_features(box, features.data(), 12, &count));
  EXPECT_EQ(count, 12U);
}

TEST(CMisuse, NumbersThatAreNone) {
  Ball ball;
  const auto push = [&](const tocsin_transform& pose, double tick) {
    return tocsin_stream_push(ball.stream, &pose, 1, tick, nullptr, ball.reports);
  };
  for (const double bad : {kNan, kInfinity, -kInfinity, 1e7}) {
    tocsin_transform pose = ball.poses[0];
    pose.translation.y = bad;
    expect_error(push(pose, 0), TOCSIN_ERROR_INPUT, "root");
    pose = ball.poses[0];
    pose.rotation.z = bad;
    expect_error(push(pose, 0), TOCSIN_ERROR_INPUT, "root");
    const tocsin_vec3 half{1, bad, 1};
    tocsin_shape shape = nullptr;
    expect_error(tocsin_shape_box(&half, 0.0, &shape), TOCSIN_ERROR_INPUT);
    EXPECT_EQ(shape, nullptr);
    tocsin_detector_options options{};
    options.size = sizeof options;
    options.margin = bad;
    tocsin_detector other = nullptr;
    expect_error(tocsin_detector_create(ball.room, &options, &other), TOCSIN_ERROR_USAGE);
    options.margin = 0;
    options.tolerance = std::isnan(bad) ? bad : -std::fabs(bad);
    expect_error(tocsin_detector_create(ball.room, &options, &other), TOCSIN_ERROR_USAGE);
    double seconds = 0.0;
    expect_error(tocsin_step_pose(ball.step, bad, nullptr, 0, nullptr), TOCSIN_ERROR_USAGE);
    must(tocsin_step_seconds(ball.step, 0.5, &seconds));
  }
  for (const double tick : {kNan, kInfinity, -kInfinity}) {
    expect_error(push(ball.poses[0], tick), TOCSIN_ERROR_INPUT, "tick");
  }
  tocsin_check_options options{};
  options.size = sizeof options;
  for (const double seconds : {kNan, -1.0, -kInfinity}) {
    options.seconds = seconds;
    expect_error(tocsin_stream_push(ball.stream, ball.poses.data(), 1, 0, &options, ball.reports),
                 TOCSIN_ERROR_USAGE, "seconds");
  }
  options.seconds = kInfinity;
  options.threads = -1;
  expect_error(tocsin_stream_push(ball.stream, ball.poses.data(), 1, 0, &options, ball.reports),
               TOCSIN_ERROR_USAGE, "threads");
  options.threads = 0;
  // After all that, the stream is as it was: the first pose, then the step.
  must(tocsin_stream_push(ball.stream, ball.poses.data(), 1, 0, &options, ball.reports));
  expect_error(push(ball.poses[1], 0), TOCSIN_ERROR_INPUT, "tick");
  expect_error(tocsin_stream_push(ball.stream, ball.poses.data(), 2, 1, nullptr, ball.reports),
               TOCSIN_ERROR_USAGE, "joints");
  must(push(ball.poses[1], 1));
  EXPECT_EQ(test::report_from(ball.reports, 0).contacts.size(), 1U);
}

TEST(CMisuse, RangesChoicesAndNames) {
  const Ball ball;
  tocsin_detector_options options{};
  options.size = sizeof options;
  tocsin_detector other = nullptr;
  for (const int backend : {TOCSIN_BACKEND_GL, TOCSIN_BACKEND_CUDA}) {
    options.backend = backend;
    expect_error(tocsin_detector_create(ball.room, &options, &other), TOCSIN_ERROR_UNAVAILABLE);
  }
  options.backend = 7;
  expect_error(tocsin_detector_create(ball.room, &options, &other), TOCSIN_ERROR_USAGE,
               "backend 7");
  options.backend = 0;
  options.contacts = 2;
  expect_error(tocsin_detector_create(ball.room, &options, &other), TOCSIN_ERROR_USAGE);
  options.contacts = 0;
  options.surface_count = 1;
  expect_error(tocsin_detector_create(ball.room, &options, &other), TOCSIN_ERROR_USAGE, "surfaces");

  tocsin_step step = nullptr;
  expect_error(tocsin_step_create(ball.skeleton, ball.poses.data(), ball.poses.data(), 2,
                                  TOCSIN_SCREW, &step),
               TOCSIN_ERROR_USAGE, "joints");
  expect_error(tocsin_step_create(ball.skeleton, ball.poses.data(), ball.poses.data(), 1, 2, &step),
               TOCSIN_ERROR_USAGE, "in_between");
  tocsin_motion motion = nullptr;
  expect_error(tocsin_motion_create(ball.skeleton, 0.1, ball.poses.data(),
                                    std::numeric_limits<std::size_t>::max() / 2, &motion),
               TOCSIN_ERROR_USAGE, "frames");
  expect_error(tocsin_motion_create(ball.skeleton, kNan, ball.poses.data(), 2, &motion),
               TOCSIN_ERROR_INPUT);
  const Owned<tocsin_motion> two(tocsin_motion_create, static_cast<tocsin_skeleton>(ball.skeleton),
                                 0.1, ball.poses.data(), 2);
  for (const std::int64_t last : {-1, 0, 2}) {
    expect_error(tocsin_motion_step(two, 0, last, TOCSIN_SCREW, &step), TOCSIN_ERROR_USAGE);
  }

  tocsin_member_options ignoring{};
  ignoring.size = sizeof ignoring;
  const char* pattern = "ball";
  ignoring.ignored = &pattern;
  ignoring.ignored_count = 1;
  tocsin_member member = nullptr;
  expect_error(tocsin_member_create(ball.avatar, ball.room, &ignoring, &member), TOCSIN_ERROR_USAGE,
               "ball");
  pattern = "ball:wall";
  expect_error(tocsin_member_create(ball.avatar, nullptr, &ignoring, &member), TOCSIN_ERROR_USAGE,
               "environment");
  const Owned<tocsin_member> blind(tocsin_member_create, static_cast<tocsin_avatar>(ball.avatar),
                                   static_cast<tocsin_environment>(ball.room), &ignoring);
  must(tocsin_detector_check(ball.detector, blind, ball.step, nullptr, ball.reports));
  EXPECT_TRUE(test::report_from(ball.reports, 0).contacts.empty());
  pattern = nullptr;
  expect_error(tocsin_member_create(ball.avatar, ball.room, &ignoring, &member), TOCSIN_ERROR_USAGE,
               "NULL");
}

TEST(CMisuse, AnErrorIsNeverReadAsNoContact) {
  const Ball ball;
  must(tocsin_detector_check(ball.detector, ball.member, ball.step, nullptr, ball.reports));
  const Owned<tocsin_cancel> cancel(tocsin_cancel_create);
  must(tocsin_cancel_request(cancel));
  tocsin_check_options options{};
  options.size = sizeof options;
  options.cancel = cancel;
  expect_error(tocsin_detector_check(ball.detector, ball.member, ball.step, &options, ball.reports),
               TOCSIN_ERROR_CANCELLED);
  tocsin_report report{};
  report.size = sizeof report;
  must(tocsin_reports_get(ball.reports, 0, &report));
  EXPECT_EQ(report.status, TOCSIN_ERROR_CANCELLED);
  EXPECT_EQ(report.safe_until, 0.0);
  EXPECT_EQ(report.complete, 0U);
  std::size_t count = 9;
  expect_error(tocsin_reports_contacts(ball.reports, 0, nullptr, 0, &count),
               TOCSIN_ERROR_CANCELLED);
  EXPECT_EQ(count, 9U);
  must(tocsin_reports_error(ball.reports, 0, nullptr, 0, &count));
  EXPECT_GT(count, 5U);
  // A check that is refused leaves no earlier answer.
  expect_error(tocsin_detector_check(ball.detector, nullptr, ball.step, nullptr, ball.reports),
               TOCSIN_ERROR_HANDLE, "member");
  must(tocsin_reports_count(ball.reports, &count));
  EXPECT_EQ(count, 0U);

  // The way of a stream that was cancelled is still to be proved.
  must(tocsin_stream_push(ball.stream, ball.poses.data(), 1, 0, nullptr, ball.reports));
  expect_error(tocsin_stream_push(ball.stream, ball.poses.data() + 1, 1, 1, &options, ball.reports),
               TOCSIN_ERROR_CANCELLED);
  must(tocsin_stream_go_on(ball.stream, nullptr, ball.reports));
  EXPECT_EQ(test::report_from(ball.reports, 0).contacts.size(), 1U);
  expect_error(tocsin_stream_go_on(ball.stream, nullptr, ball.reports), TOCSIN_ERROR_USAGE,
               "nothing to continue");
}

TEST(CMisuse, ObjectsLiveAsLongAsTheyAreUsed) {
  const std::size_t before = tocsin_handle_count();
  {
    Ball ball;
    // What a stream was made of goes; the stream goes on.
    ball.detector = {};
    ball.room = {};
    ball.member = {};
    ball.avatar = {};
    ball.skeleton = {};
    must(tocsin_stream_check(ball.stream, ball.step, nullptr, ball.reports));
    EXPECT_EQ(test::report_from(ball.reports, 0).contacts.size(), 1U);
    tocsin_stream gone = ball.stream;
    ball.stream = {};
    expect_error(tocsin_stream_restart(gone), TOCSIN_ERROR_HANDLE, "destroyed");
    expect_error(tocsin_destroy(gone), TOCSIN_ERROR_HANDLE);
    must(tocsin_destroy(nullptr));
  }
  EXPECT_EQ(tocsin_handle_count(), before);
}

TEST(CMisuse, ThreadsThatShareWhatTheyMust) {
  Ball ball;
  std::atomic<int> busy = 0;
  std::atomic<int> good = 0;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const Owned<tocsin_reports> own(tocsin_reports_create);
      for (int k = 0; k < 2000; ++k) {
        // The detector is everybody's, the stream is not.
        if (tocsin_detector_check(ball.detector, ball.member, ball.step, nullptr, own) ==
                TOCSIN_OK &&
            test::report_from(own, 0).contacts.size() == 1) {
          ++good;
        }
        const tocsin_status status = tocsin_stream_check(ball.stream, ball.step, nullptr, own);
        EXPECT_TRUE(status == TOCSIN_OK || status == TOCSIN_ERROR_BUSY) << tocsin_last_error();
        if (status == TOCSIN_ERROR_BUSY) {
          ++busy;
          EXPECT_STRNE(tocsin_last_error(), "");
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 8000);

  // A call within a call: the sink finds the stream free, and what the run uses in use.
  struct Within {
    const Ball* ball;
    tocsin_reports report;
    int calls;
  } within{&ball, nullptr, 0};
  const Owned<tocsin_motion> motion(
      tocsin_motion_create, static_cast<tocsin_skeleton>(ball.skeleton), 0.1, ball.poses.data(), 2);
  const tocsin_sink sink = [](void* user, tocsin_reports report) -> std::int32_t {
    auto& in = *static_cast<Within*>(user);
    in.report = report;
    ++in.calls;
    must(tocsin_stream_check(in.ball->stream, in.ball->step, nullptr, report));
    EXPECT_EQ(tocsin_destroy(report), TOCSIN_OK);
    return 1;
  };
  must(tocsin_detector_run(ball.detector, ball.member, motion, nullptr, nullptr, sink, &within));
  EXPECT_EQ(within.calls, 1);
  expect_error(tocsin_destroy(within.report), TOCSIN_ERROR_HANDLE);
}

TEST(CMisuse, LongTextsAreCut) {
  const Ball ball;
  const std::string name(5000, 'n');
  std::string pattern;
  for (int i = 0; i < 3000; ++i) pattern += "\xC3\xA4";  // a letter of two bytes
  const Owned<tocsin_scene> scene(tocsin_scene_create, nullptr);
  expect_error(tocsin_scene_activate_pairs(scene, pattern.c_str()), TOCSIN_ERROR_USAGE);
  const std::string text = tocsin_last_error();
  ASSERT_GT(text.size(), 4000U);
  ASSERT_LE(text.size(), 4095U);
  EXPECT_EQ(text.substr(text.size() - 3), "...");
  EXPECT_EQ(static_cast<unsigned char>(text[text.size() - 4]), 0xA4U) << "cut within a letter";
}

}  // namespace
}  // namespace tocsin::misuse_test
