// What messages take in memory, and what happens when there is none.
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/process_memory.h"
#include "base/sanitized.h"
#include "service/access/memory_budget.h"
#include "service/rpc/call_support.h"
#include "service/rpc/live_server.h"
#include "service/rpc/reused_message.h"
#include "wire/message_cost.h"

namespace tocsin::server_memory_test {
namespace {

using grpc::StatusCode;
using test::LiveOptions;
using test::LiveServer;
using test::Walk;

std::string times(std::size_t count, const std::string& text) {
  std::string out;
  out.reserve(count * text.size());
  for (std::size_t i = 0; i < count; ++i) out += text;
  return out;
}

/// Fields that no version knows: number 15, of each wire type but groups.
const std::string kEmptyBytes("\x7a\x00", 2);
const std::string kVarint("\x78\x01", 2);
const std::string kFixed("\x7d\x01\x02\x03\x04", 5);

std::optional<wire::MessageCost> cost_of(const std::string& bytes) {
  google::protobuf::io::ArrayInputStream in(bytes.data(), static_cast<int>(bytes.size()));
  return wire::message_cost(*v1::TrackRequest::descriptor(), in);
}

/// As protobuf itself counts, once it has parsed them.
TEST(MessageCost, IsNoLessThanWhatProtobufTakes) {
  const Walk walk(0.5);
  const std::string open = walk.open().SerializeAsString();
  v1::TrackRequest names;
  for (int i = 0; i < 1000; ++i) {
    names.mutable_open()->mutable_skeleton()->add_joints()->set_parent(i - 1);
    names.mutable_open()->add_ignore("");
    names.mutable_open()->mutable_inline_model()->add_links()->set_name(std::string(40, 'n'));
  }
  v1::TrackRequest frames;
  for (int i = 0; i < 1000; ++i) frames.mutable_frames()->add_frames();
  std::size_t looked_at = 0;
  for (const std::string& bytes :
       {open, walk.frames(0, 40).SerializeAsString(), names.SerializeAsString(),
        frames.SerializeAsString(), open + times(1000, kEmptyBytes), open + times(1000, kVarint),
        open + times(1000, kFixed)}) {
    v1::TrackRequest parsed;
    ASSERT_TRUE(parsed.ParseFromString(bytes));
    const auto cost = cost_of(bytes);
    ASSERT_TRUE(cost);
    EXPECT_GE(cost->memory, parsed.SpaceUsedLong());
    EXPECT_LE(cost->memory, 6 * parsed.SpaceUsedLong() + 4096) << "so much too large is no bound";
    ++looked_at;
  }
  EXPECT_EQ(looked_at, 7U);
  EXPECT_EQ(cost_of(open)->unknown, 0U);
  EXPECT_EQ(cost_of(open + times(7, kEmptyBytes) + kVarint + kFixed)->unknown, 9U);
  EXPECT_LE(cost_of(walk.frames(0, 40).SerializeAsString())->memory,
            4 * walk.frames(0, 40).ByteSizeLong());
}

/// Lists of numbers of a fixed size take what they have in the message, and what a list may grow
/// by.
TEST(MessageCost, OfAMillionNumbersIsTwiceTheirBytes) {
  v1::UpdateEnvironmentRequest request;
  request.add_edits()->mutable_deform()->mutable_vertices()->Resize(1'000'000, 0.5F);
  const std::string bytes = request.SerializeAsString();
  google::protobuf::io::ArrayInputStream in(bytes.data(), static_cast<int>(bytes.size()));
  const auto cost = wire::message_cost(*v1::UpdateEnvironmentRequest::descriptor(), in);
  ASSERT_TRUE(cost);
  v1::UpdateEnvironmentRequest parsed;
  ASSERT_TRUE(parsed.ParseFromString(bytes));
  EXPECT_GE(cost->memory, parsed.SpaceUsedLong());
  EXPECT_LE(cost->memory, 2 * bytes.size() + 4096);
  EXPECT_TRUE(service::check_cost(*cost, bytes.size()).ok());
}

/// It never takes what protobuf refuses for a message, and seldom refuses what that takes.
TEST(MessageCost, DamagedBytesAreNoMessage) {
  const std::string sound = Walk(0.2).open().SerializeAsString();
  EXPECT_FALSE(cost_of(sound.substr(0, sound.size() / 2)));
  EXPECT_FALSE(cost_of("\x7b\x7c")) << "a group";
  std::mt19937_64 random(19);
  int both = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = sound;
    for (int k = 0; k < 2; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    v1::TrackRequest parsed;
    const auto cost = cost_of(bytes);
    if (!cost || !parsed.ParseFromString(bytes)) continue;
    EXPECT_GE(cost->memory, parsed.SpaceUsedLong());
    ++both;
  }
  EXPECT_GT(both, 500);
}

TEST(ServerMemory, UnknownFieldsAreBoundedAndDropped) {
  LiveServer live;
  const Walk walk(0.2);
  const auto stub = live.stub();
  const auto with = [&](std::size_t count) {
    v1::TrackRequest out;
    EXPECT_TRUE(out.ParseFromString(walk.open().SerializeAsString() + times(count, kEmptyBytes)));
    return out;
  };
  const grpc::Status refused = test::refusal(*stub, with(100'000));
  EXPECT_EQ(refused.error_code(), StatusCode::INVALID_ARGUMENT);
  EXPECT_NE(refused.error_message().find("100000 fields that are not known"), std::string::npos)
      << refused.error_message();
  test::Stream stream(*stub);
  stream.open(with(1000));  // a later version's client
  ASSERT_TRUE(stream.write(walk.frames(0, 1)));
  EXPECT_EQ(stream.reports(1).size(), 1U);
}

TEST(ServerMemory, MessagesOfEmptyPartsAreRefused) {
  LiveServer live;
  const auto stub = live.stub();
  v1::TrackRequest frames;
  for (int i = 0; i < 200'000; ++i) frames.mutable_frames()->add_frames();
  const grpc::Status refused = test::refusal(*stub, frames);
  EXPECT_EQ(refused.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_NE(refused.error_message().find("small or empty parts"), std::string::npos)
      << refused.error_message();
}

TEST(ServerMemory, WithoutMemorySessionsAndUploadsAreRefused) {
  LiveOptions options;
  options.server.memory = std::uint64_t{1} << 20U;  // the process has more already
  LiveServer live(options);
  const auto stub = live.stub();
  const grpc::Status session = test::refusal(*stub, Walk(0.2).open());
  EXPECT_EQ(session.error_code(), StatusCode::RESOURCE_EXHAUSTED);
  EXPECT_NE(session.error_message().find("--memory"), std::string::npos) << session.error_message();
  grpc::ClientContext context;
  test::prepare(context);
  v1::LoadEnvironmentResponse loaded;
  const auto upload = stub->LoadEnvironment(&context, &loaded);
  v1::LoadEnvironmentRequest request;
  request.mutable_begin()->set_name("door");
  request.mutable_begin()->set_file_name("door.obj");
  upload->Write(request);
  request.set_chunk("o door\nv 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n");
  upload->Write(request);
  upload->WritesDone();
  EXPECT_EQ(upload->Finish().error_code(), StatusCode::RESOURCE_EXHAUSTED);
  grpc::ClientContext other;
  test::prepare(other);
  v1::ListEnvironmentsResponse rooms;
  EXPECT_TRUE(stub->ListEnvironments(&other, {}, &rooms).ok());
  EXPECT_EQ(rooms.environments_size(), 1);
}

TEST(MemoryBudget, HoldsAreGivenBack) {
  const std::uint64_t much = std::uint64_t{1} << 50U;
  service::MemoryBudget budget(much);
  auto first = budget.take(much / 2);
  ASSERT_TRUE(first);
  EXPECT_FALSE(budget.take(much / 2)) << "the process itself counts, too";
  {
    service::MemoryBudget::Hold moved = std::move(*first);
    EXPECT_FALSE(budget.take(much / 2));
  }
  EXPECT_TRUE(budget.take(much / 2));
  EXPECT_TRUE(service::MemoryBudget().take(std::uint64_t{1} << 60U)) << "no limit";
  EXPECT_GT(service::default_memory(), 0U);
}

// Far from its limit it does not ask the system for each small part; near it does.
TEST(MemoryBudget, AsksEachTimeNearItsLimit) {
  constexpr std::uint64_t kPart = std::uint64_t{1} << 20U;
  constexpr std::size_t kParts = 60;
  const auto taken_of = [&](std::uint64_t parts_free) {
    service::MemoryBudget budget(base::process_memory().resident + parts_free * kPart);
    std::vector<service::MemoryBudget::Hold> holds;
    holds.reserve(2 * kParts + 200);
    while (holds.size() < 2 * kParts + 200) {
      auto hold = budget.take(kPart);
      if (!hold) break;
      holds.push_back(std::move(*hold));
    }
    return holds.size();
  };
  const std::size_t slack = 4;  // what the process itself takes or gives back meanwhile
  EXPECT_LE(taken_of(kParts), kParts + slack);
  EXPECT_GE(taken_of(kParts), kParts - slack);
  EXPECT_LE(taken_of(200 + kParts), 200 + kParts + slack) << "what was far comes near";
  EXPECT_GE(taken_of(200 + kParts), 200 + kParts - slack);
}

TEST(ReusedMessage, KeepsNothingOfALargeMessage) {
  if (base::kSanitized) GTEST_SKIP() << "the sanitizers' allocator does not count so";
  const auto used = [] {
    const auto now = ::mallinfo2();
    return static_cast<std::uint64_t>(now.uordblks + now.hblkhd);
  };
  service::ReusedMessage<v1::TrackRequest, 8192> message;
  const std::uint64_t before = used();
  v1::TrackRequest& large = message.fresh();
  for (int i = 0; i < 100'000; ++i) large.mutable_frames()->add_frames();
  EXPECT_GT(used(), before + (4U << 20U));
  message.clear();
  EXPECT_LT(used(), before + (64U << 10U));
}

}  // namespace
}  // namespace tocsin::server_memory_test
