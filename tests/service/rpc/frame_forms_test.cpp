// Frames as 32-bit floats, and without the joints that no link hangs on: the same contacts, bit for
// bit, as of the same poses in doubles; and records that say so.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

#include "service/rpc/live_server.h"
#include "support/test_folder.h"
#include "tocsin/client.h"
#include "tocsin/io.h"

namespace tocsin::frame_forms_test {
namespace {

using std::chrono::seconds;
using test::LiveOptions;
using test::LiveServer;
using test::Walk;

struct Told {
  std::mutex mutex;
  TrackOpened opened;
  std::vector<TrackReport> reports;
  std::optional<StreamEnd> end;
  TrackEnded ended;
  std::string why;

  [[nodiscard]] std::size_t steps() {
    const std::scoped_lock lock(mutex);
    return reports.size();
  }
  /// Or refused.
  [[nodiscard]] bool is_answered() {
    const std::scoped_lock lock(mutex);
    return !opened.session_id.empty() || end;
  }
  TrackHandler handler() {
    return {.opened =
                [this](const TrackOpened& said) {
                  const std::scoped_lock lock(mutex);
                  opened = said;
                },
            .report =
                [this](TrackReport report) {
                  const std::scoped_lock lock(mutex);
                  reports.push_back(std::move(report));
                },
            .over =
                [this](StreamEnd how, const TrackEnded& said, const Error& error) {
                  const std::scoped_lock lock(mutex);
                  end = how;
                  ended = said;
                  why = error.message;
                }};
  }
};

double widened(double value) { return static_cast<double>(static_cast<float>(value)); }

/// Frame f, in numbers that are floats.
TrackFrame frame_of(const Walk& walk, std::int64_t f) {
  TrackFrame out{static_cast<std::uint64_t>(f), 0.0, {}};
  const auto round = [&](std::span<const Transform> pose) {
    std::vector<Transform> rounded(pose.begin(), pose.end());
    for (Transform& joint : rounded) {
      for (double* const x :
           {&joint.rotation.w, &joint.rotation.x, &joint.rotation.y, &joint.rotation.z,
            &joint.translation.x, &joint.translation.y, &joint.translation.z}) {
        *x = widened(*x);
      }
    }
    return rounded;
  };
  out.pose = round(walk.motion.pose(f));
  if (f % 2 == 0 && f + 5 < walk.count()) out.ahead = round(walk.motion.pose(f + 5));
  return out;
}

/// The links of the left arm alone.
TrackOptions arm_options(const Walk& walk) {
  TrackOptions out = walk.options();
  AvatarModel model = *load_avatar_model("humanoid16");
  std::erase_if(model.links, [](const LinkModel& link) {
    return link.name != "left_forearm" && link.name != "left_hand";
  });
  EXPECT_EQ(model.links.size(), 2U);
  model.aliases.clear();  // of other links' joints, too
  model.schemes.clear();
  out.model = model;
  out.lookahead = 5 * walk.motion.frame_time();
  return out;
}

struct Form {
  bool floats;
  bool linked_only;
};
constexpr std::array kForms{Form{false, false}, Form{true, false}, Form{false, true},
                            Form{true, true}};

TEST(FrameForms, GiveTheSameContactsBitForBit) {
  const test::TestFolder records;
  LiveOptions with;
  with.engine.record = records.path();
  with.engine.record_rules.reserve = 0;
  LiveServer live(with);
  const Walk walk;
  ConnectionOptions to;
  to.target = live.address();
  const Connection connection = Connection::open(to).value();
  LiveCrowd crowd = connection.crowd().value();
  crowd.collect();
  const TrackOptions options = arm_options(walk);
  std::vector<std::unique_ptr<Told>> told;
  std::vector<LiveSession> sessions;
  for (const bool alone : {true, false}) {
    for (std::size_t i = 0; i < kForms.size(); ++i) {
      Told& one = *told.emplace_back(std::make_unique<Told>());
      sessions.push_back(alone ? connection.track(options, one.handler()).value()
                               : crowd.track(options, one.handler()).value());
    }
  }
  ASSERT_TRUE(test::eventually([&] {
    return std::all_of(told.begin(), told.end(),
                       [](const auto& one) { return one->is_answered(); });
  }));
  for (const auto& one : told) ASSERT_FALSE(one->end) << one->why;
  for (std::int64_t f = 0; f < walk.count(); ++f) {
    TrackFrame frame = frame_of(walk, f);
    for (std::size_t i = 0; i < sessions.size(); ++i) {
      frame.floats = kForms[i % kForms.size()].floats;
      frame.linked_only = kForms[i % kForms.size()].linked_only;
      ASSERT_TRUE(sessions[i].send({&frame, 1}));
    }
    crowd.flush();
    if (f % 8 != 7) continue;
    ASSERT_TRUE(test::eventually([&] {
      crowd.flush();
      return std::all_of(told.begin(), told.end(), [&](const auto& one) {
        return one->steps() == static_cast<std::size_t>(f);
      });
    }));
  }
  crowd.flush();
  for (LiveSession& session : sessions) ASSERT_TRUE(session.finish());
  for (LiveSession& session : sessions) ASSERT_TRUE(session.wait(seconds(60)));
  const Told& base = *told.front();
  ASSERT_EQ(base.reports.size(), static_cast<std::size_t>(walk.count() - 1));
  // The root, the spine and one arm.
  EXPECT_GT(base.opened.joints.size(), 4U);
  EXPECT_LT(2 * base.opened.joints.size(), static_cast<std::size_t>(walk.motion.skeleton().size()));
  std::size_t contacts = 0;
  std::size_t foreseen = 0;
  for (const auto& one : told) {
    EXPECT_EQ(one->end, StreamEnd::kEnded) << one->why;
    EXPECT_EQ(one->opened.joints, base.opened.joints);
    ASSERT_EQ(one->reports.size(), base.reports.size());
    for (std::size_t k = 0; k < base.reports.size(); ++k) {
      EXPECT_EQ(one->reports[k].result.contacts, base.reports[k].result.contacts) << k;
      EXPECT_EQ(one->reports[k].result.safe_until, base.reports[k].result.safe_until);
      EXPECT_TRUE(one->reports[k].ahead == base.reports[k].ahead) << k;
      contacts += one->reports[k].result.contacts.size();
      foreseen += one->reports[k].ahead ? one->reports[k].ahead->contacts.size() : 0;
    }
  }
  EXPECT_GT(contacts, 50U);
  EXPECT_GT(foreseen, 50U);
  // The records: what was sent, and how.
  const auto bytes_of = [&](const Told& one) {
    std::ifstream in(records.path() / one.ended.record, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const auto linked = base.opened.joints;
  for (std::size_t i = 0; i < told.size(); ++i) {
    const Form& form = kForms[i % kForms.size()];
    const std::string text = bytes_of(*told[i]);
    EXPECT_EQ(text.find("\"floats\":true") != std::string::npos, form.floats);
    EXPECT_EQ(text.find("\"linked_only\":true") != std::string::npos, form.linked_only);
    const Motion motion = load_motion(records.path() / told[i]->ended.record).value();
    ASSERT_EQ(motion.frame_count(), walk.count());
    const auto pose = motion.pose(7);
    const Motion sent = Motion::create(walk.motion.skeleton(), 1.0, frame_of(walk, 7).pose).value();
    for (std::uint32_t k = 0; k < pose.size(); ++k) {
      const bool came = !form.linked_only || std::binary_search(linked.begin(), linked.end(), k);
      EXPECT_EQ(pose[k], came ? sent.pose(0)[k] : walk.motion.skeleton().joints()[k].rest);
    }
  }
}

/// A client may begin with all joints in doubles, and mix: frames stay in order.
TEST(FrameForms, MayBeMixedInOneStream) {
  LiveServer live;
  const Walk walk;
  ConnectionOptions to;
  to.target = live.address();
  const Connection connection = Connection::open(to).value();
  LiveCrowd crowd = connection.crowd().value();
  crowd.collect();
  const TrackOptions options = arm_options(walk);
  std::array<Told, 3> told;
  std::array<LiveSession, 3> sessions;
  sessions[0] = connection.track(options, told[0].handler()).value();
  sessions[1] = connection.track(options, told[1].handler()).value();
  sessions[2] = crowd.track(options, told[2].handler()).value();
  for (std::int64_t f = 0; f < walk.count(); ++f) {
    for (std::size_t i = 0; i < sessions.size(); ++i) {
      TrackFrame frame = frame_of(walk, f);
      if (i > 0) frame.floats = f % 3 == 1;
      if (i > 0) frame.linked_only = f % 5 > 1;
      ASSERT_TRUE(sessions[i].send({&frame, 1}));
    }
    if (f % 8 != 7) continue;
    ASSERT_TRUE(test::eventually([&] {
      crowd.flush();
      return std::all_of(told.begin(), told.end(),
                         [&](Told& one) { return one.steps() == static_cast<std::size_t>(f); });
    }));
  }
  crowd.flush();
  for (LiveSession& session : sessions) ASSERT_TRUE(session.finish());
  for (LiveSession& session : sessions) ASSERT_TRUE(session.wait(seconds(60)));
  for (const Told& one : told) {
    EXPECT_EQ(one.end, StreamEnd::kEnded) << one.why;
    EXPECT_EQ(one.ended.stale_frames, 0U);
    ASSERT_EQ(one.reports.size(), static_cast<std::size_t>(walk.count() - 1));
    for (std::size_t k = 0; k < one.reports.size(); ++k) {
      EXPECT_EQ(one.reports[k].result.contacts, told[0].reports[k].result.contacts) << k;
    }
  }
}

}  // namespace
}  // namespace tocsin::frame_forms_test
