// What bounds a client that is slow, silent or large: time limits, and limits of one message.
#include <grpcpp/impl/codegen/proto_utils.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "service/rpc/call_support.h"
#include "service/rpc/live_server.h"
#include "support/net/hostile_visits.h"

namespace tocsin::test {
/// A message that cannot be serialized.
struct Endless {};
}  // namespace tocsin::test

namespace grpc {
template <>
class SerializationTraits<tocsin::test::Endless> {
 public:
  static Status Serialize(const tocsin::test::Endless& /*message*/, ByteBuffer* out, bool* own) {
    const Slice half("half");
    *out = ByteBuffer(&half, 1);
    *own = true;
    return {StatusCode::INTERNAL, "too large"};
  }
};
}  // namespace grpc

namespace tocsin {
namespace {

using grpc::StatusCode;
using std::chrono::hours;
using std::chrono::milliseconds;
using test::LiveOptions;
using test::LiveServer;
using test::Stream;
using test::Walk;

/// Some are refused for what they are, and a million before they are parsed.
TEST(ServerLimits, AMillionLinksAndJoints) {
  LiveOptions options;
  options.server.most_message = std::size_t{256} << 20U;
  LiveServer live(options);
  const Walk walk(0.2);
  const auto stub = live.stub();
  for (const int count : {20'000, 1'000'000}) {
    const StatusCode code =
        count == 20'000 ? StatusCode::INVALID_ARGUMENT : StatusCode::RESOURCE_EXHAUSTED;
    v1::TrackRequest links = walk.open();
    v1::AvatarModel& model = *links.mutable_open()->mutable_inline_model();
    model.set_name("hydra");
    for (int i = 0; i < count; ++i) {
      v1::Link& link = *model.add_links();
      link.set_joint(links.open().skeleton().joints(0).name());
      link.set_radius(0.1);
    }
    const grpc::Status many_links = test::refusal(*stub, links);
    EXPECT_EQ(many_links.error_code(), code) << many_links.error_message();
    EXPECT_NE(many_links.error_message().find(count == 20'000 ? "links" : "small or empty parts"),
              std::string::npos)
        << many_links.error_message();
    v1::TrackRequest joints = walk.open();
    joints.mutable_open()->mutable_skeleton()->clear_joints();
    for (int i = 0; i < count; ++i) {
      joints.mutable_open()->mutable_skeleton()->add_joints()->set_parent(i - 1);
    }
    const grpc::Status many_joints = test::refusal(*stub, joints);
    EXPECT_EQ(many_joints.error_code(), code);
    EXPECT_NE(many_joints.error_message().find(count == 20'000 ? "joints" : "small or empty parts"),
              std::string::npos)
        << many_joints.error_message();
  }
}

TEST(ServerLimits, AStreamThatSaysNothing) {
  LiveOptions options;
  options.server.opening_timeout = milliseconds(100);
  LiveServer live(options);
  const auto stub = live.stub();
  Stream stream(*stub);
  EXPECT_EQ(stream.status().error_code(), StatusCode::DEADLINE_EXCEEDED);
}

/// One that has opened may be silent as long as it likes.
TEST(ServerLimits, AStreamThatIsSilentOnceItIsOpen) {
  LiveOptions options;
  options.server.opening_timeout = milliseconds(500);
  LiveServer live(options);
  const Walk walk(0.2);
  const auto stub = live.stub();
  std::unique_ptr<Stream> stream;
  // On a busy machine the first may come too late.
  ASSERT_TRUE(test::eventually([&] {
    stream = std::make_unique<Stream>(*stub);
    stream->write(walk.open());
    const auto answer = stream->read();
    return answer && answer->has_opened();
  }));
  std::this_thread::sleep_for(2 * options.server.opening_timeout);
  ASSERT_TRUE(stream->write(walk.frames(0, 1)));
  EXPECT_EQ(stream->reports(1).size(), 1U);
}

/// A stream that takes no answer (not even that its session is open), and then says nonsense.
std::unique_ptr<test::RawCall> deaf_and_wrong(const LiveServer& live) {
  auto out = std::make_unique<test::RawCall>(live.address(), test::kTrackPath, 0);
  out->send(test::grpc_message(test::sound_open("hall")) +
            test::grpc_message(test::sound_frames(std::uint64_t{1} << 60U)));
  return out;
}

/// Who is told to go, and reads nothing, is cut off: by that time limit, and nothing else.
TEST(ServerLimits, AStreamThatDoesNotReadItsEnd) {
  LiveOptions options;
  options.server.draining_timeout = milliseconds(100);
  LiveServer strict(options);
  options.server.draining_timeout = hours(1);
  LiveServer patient(options);
  const auto waits = deaf_and_wrong(patient);
  const auto is_cut_off = deaf_and_wrong(strict);
  const auto streams = [](LiveServer& live) { return live.engine().counts().attached; };
  ASSERT_TRUE(test::eventually([&] { return patient.engine().counts().opened == 1; }));
  ASSERT_TRUE(test::eventually([&] { return strict.engine().counts().opened == 1; }));
  EXPECT_TRUE(test::eventually([&] { return streams(strict) == 0; }));
  // Nobody ever knew of it.
  EXPECT_TRUE(test::eventually([&] { return strict.engine().counts().sessions == 0; }));
  std::this_thread::sleep_for(5 * milliseconds(100));
  EXPECT_EQ(streams(patient), 1U);
}

/// More is opened at once than can be, by clients that go away meanwhile, or too late: every stream
/// has an end, and nothing is left of those that did not open.
TEST(ServerLimits, StreamsThatWaitToBeOpened) {
  LiveOptions options;
  options.server.opening_timeout = milliseconds(20);
  LiveServer live(options);
  const Walk walk(0.2);
  v1::TrackRequest large = walk.open();
  for (int i = 0; i < 100; ++i) large.mutable_open()->add_ignore("*a*b*c*d*:*e*f*g*h*");
  const auto stub = live.stub();
  std::vector<std::unique_ptr<Stream>> streams;
  for (int i = 0; i < 120; ++i) {
    streams.push_back(std::make_unique<Stream>(*stub));
    streams.back()->write(large);  // or it is over already
    if (i % 3 == 0) streams.back()->cancel();
  }
  std::size_t opened = 0;
  for (const auto& stream : streams) {
    const auto answer = stream->read();
    opened += answer ? 1U : 0U;
    if (answer) {
      EXPECT_TRUE(answer->has_opened());
      stream->cancel();
    }
    const StatusCode code = stream->status().error_code();
    EXPECT_TRUE(code == StatusCode::CANCELLED || code == StatusCode::DEADLINE_EXCEEDED) << code;
  }
  std::printf("%zu of %zu streams were opened in time\n", opened, streams.size());
  EXPECT_TRUE(test::eventually([&] { return live.engine().counts().attached == 0; }));
}

/// Streams without a session count: idle ones would be free of any limit for ten seconds.
TEST(ServerLimits, StreamsThatHaveNotOpenedAreCounted) {
  LiveOptions options;
  options.limits.sessions = 2;
  options.server.opening_timeout = hours(1);
  LiveServer live(options);
  const Walk walk(0.2);
  const auto stub = live.stub();
  Stream opens(*stub);
  opens.open(walk.open());  // counts no more
  Stream idle(*stub);
  Stream more(*stub);
  Stream refused(*stub);
  std::vector<Stream*> waiting{&idle, &more, &refused};
  // They may arrive in any order; one of the three is too many, and told at once.
  StatusCode code = StatusCode::OK;
  std::vector<std::thread> readers;
  std::atomic<int> over{0};
  for (Stream* const stream : waiting) {
    readers.emplace_back([&, stream] {
      const grpc::Status status = stream->status();
      if (++over == 1) code = status.error_code();
    });
  }
  EXPECT_TRUE(test::eventually([&] { return over == 1; }));
  for (Stream* const stream : waiting) stream->cancel();
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(code, StatusCode::RESOURCE_EXHAUSTED);
  // And who leaves makes room.
  EXPECT_TRUE(test::eventually([&] {
    Stream next(*stub);
    next.write(walk.open());
    const auto answer = next.read();
    return answer && answer->has_opened();
  }));
}

/// Once it is armed it holds whoever calls it until it is let go.
class HoldingOutlet final : public service::Outlet {
 public:
  void ready() override {
    if (!armed.exchange(false)) return;
    held.count_down();
    go.wait();
  }
  void refuse(const service::Problem& /*problem*/) override {}

  std::atomic<bool> armed{false};
  std::latch held{1};
  std::latch go{1};
};

/// All that a message brings has arrived, and is left unchecked where the server ends: none of it
/// waits for the thread that reads it to check what came before.
TEST(ServerLimits, AMessageOfManyFramesIsTakenBeforeItIsChecked) {
  LiveOptions options;
  options.engine.threads = 2;
  options.engine.limits.brief_seconds = 1e6;  // any step may be checked where it is read
  LiveServer live(options);
  const Walk walk;
  const auto stub = live.stub();
  Stream stream(*stub);
  stream.open(walk.open());
  ASSERT_TRUE(stream.write(walk.frames(0, 1)));
  ASSERT_EQ(stream.reports(1).size(), 1U);
  // Both workers are held.
  std::array<std::shared_ptr<HoldingOutlet>, 2> outlets;
  std::vector<std::shared_ptr<service::Session>> others;
  for (auto& outlet : outlets) {
    outlet = std::make_shared<HoldingOutlet>();
    service::Problem problem;
    TrackOpened opened;
    others.push_back(live.engine().open(std::make_shared<service::Principal>(), walk.options(),
                                        outlet, opened, problem));
    ASSERT_TRUE(others.back()) << problem.message;
    outlet->armed = true;
    for (std::int64_t f = 0; f < 2; ++f) {
      const auto pose = walk.motion.pose(f);
      const TrackFrame frame{
          static_cast<std::uint64_t>(f), static_cast<double>(f), {pose.begin(), pose.end()}};
      EXPECT_FALSE(others.back()->offer(outlet.get(), frame, std::chrono::steady_clock::now()));
    }
    outlet->held.wait();
  }
  const std::uint64_t steps = live.engine().counts().steps;
  ASSERT_TRUE(stream.write(walk.frames(2, 9)));
  const auto counts = [&] { return live.engine().counts(); };
  EXPECT_TRUE(
      test::eventually([&] { return counts().waiting_steps > 0 || counts().steps > steps; }));
  EXPECT_EQ(counts().steps, steps) << "checked by the thread that reads";
  for (const auto& outlet : outlets) outlet->go.count_down();
  EXPECT_EQ(stream.reports(8).size(), 8U);
}

/// A message that cannot be made is not sent as one without anything in it.
TEST(ServerLimits, AMessageThatCannotBeSerialized) {
  grpc::ByteBuffer bytes;
  EXPECT_FALSE(service::serialize(test::Endless(), bytes));
  EXPECT_EQ(bytes.Length(), 0U);
  v1::TrackResponse message;
  message.mutable_closing()->set_reason("x");
  ASSERT_TRUE(service::serialize(message, bytes));
  EXPECT_EQ(bytes.Length(), message.ByteSizeLong());
}

}  // namespace
}  // namespace tocsin
