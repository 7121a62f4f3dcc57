// What nobody should send. Each time: a clear status, and others notice nothing.
#include <grpcpp/generic/generic_stub.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "service/rpc/live_server.h"
#include "support/net/raw_grpc.h"

namespace tocsin::server_messages_test {
namespace {

using grpc::StatusCode;
using test::LiveServer;
using test::Stream;
using test::Walk;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A session that runs beside everything that a test does: it must not notice.
class Bystander {
 public:
  explicit Bystander(LiveServer& live) : stub_(live.stub()), stream_(*stub_) {
    stream_.open(walk_.open());
    stream_.write(walk_.frames(0, 0));
  }
  void expect_well() {
    ++at_;
    ASSERT_TRUE(stream_.write(walk_.frames(at_, at_)));
    const auto reports = stream_.reports(1);
    ASSERT_EQ(reports.size(), 1U);
    EXPECT_EQ(reports.front().step(), static_cast<std::uint64_t>(at_ - 1));
  }

 private:
  Walk walk_{0.5};
  std::unique_ptr<v1::CollisionService::Stub> stub_;
  Stream stream_;
  std::int64_t at_ = 0;
};

class ServerMessages : public testing::Test {
 protected:
  /// The stream ends so, with this in the message; a path or an id never is.
  static void expect_end(const grpc::Status& status, StatusCode code, const std::string& words) {
    EXPECT_EQ(status.error_code(), code) << status.error_message();
    EXPECT_NE(status.error_message().find(words), std::string::npos) << status.error_message();
    EXPECT_EQ(status.error_message().find("/tmp"), std::string::npos) << status.error_message();
  }

  LiveServer live;
  Walk walk{0.2};
  std::unique_ptr<v1::CollisionService::Stub> stub = live.stub();
  Bystander bystander{live};
};

TEST_F(ServerMessages, WhatDoesNotOpenASession) {
  v1::TrackRequest nothing;
  expect_end(test::refusal(*stub, nothing), StatusCode::INVALID_ARGUMENT, "must open");
  expect_end(test::refusal(*stub, walk.frames(0, 0)), StatusCode::INVALID_ARGUMENT, "must open");
  Stream stream(*stub);
  stream.half_close();
  expect_end(stream.status(), StatusCode::INVALID_ARGUMENT, "before it opened");
  bystander.expect_well();
}

struct BadOpen {
  const char* what;
  std::function<void(v1::Open&)> spoil;
  StatusCode code;
  const char* words;
};

TEST_F(ServerMessages, OptionsThatMakeNoSense) {
  const std::vector<BadOpen> table{
      {"no skeleton", [](v1::Open& o) { o.clear_skeleton(); }, StatusCode::INVALID_ARGUMENT, ""},
      {"a parent after its child",
       [](v1::Open& o) { o.mutable_skeleton()->mutable_joints(0)->set_parent(3); },
       StatusCode::INVALID_ARGUMENT, ""},
      {"a rest pose of NaN",
       [](v1::Open& o) {
         o.mutable_skeleton()->mutable_joints(1)->mutable_rest_translation()->set_x(kNan);
       },
       StatusCode::INVALID_ARGUMENT, ""},
      {"no such room", [](v1::Open& o) { o.set_environment("cellar"); }, StatusCode::NOT_FOUND,
       "hall"},
      {"no such model", [](v1::Open& o) { o.set_model("centaur"); }, StatusCode::INVALID_ARGUMENT,
       "centaur"},
      {"a file as model", [](v1::Open& o) { o.set_model("/etc/passwd"); },
       StatusCode::INVALID_ARGUMENT, ""},
      {"an endless place", [](v1::Open& o) { o.mutable_place()->set_y(kNan); },
       StatusCode::INVALID_ARGUMENT, "place"},
      {"a margin below zero", [](v1::Open& o) { o.set_margin(-1); }, StatusCode::INVALID_ARGUMENT,
       "margin"},
      {"no tolerance", [](v1::Open& o) { o.set_tolerance(0); }, StatusCode::INVALID_ARGUMENT,
       "tolerance"},
      {"an unknown enumerator", [](v1::Open& o) { o.set_contacts(static_cast<v1::Contacts>(77)); },
       StatusCode::INVALID_ARGUMENT, "contacts"},
      {"a pattern without a colon", [](v1::Open& o) { o.add_ignore("foot"); },
       StatusCode::INVALID_ARGUMENT, "foot"},
      {"frames that take no time", [](v1::Open& o) { o.set_frame_seconds(-1); },
       StatusCode::INVALID_ARGUMENT, "frame_seconds"},
      {"a label of a million letters",
       [](v1::Open& o) { o.set_label(std::string(1'000'000, 'x')); }, StatusCode::INVALID_ARGUMENT,
       "label"},
  };
  for (const BadOpen& row : table) {
    v1::TrackRequest request = walk.open();
    row.spoil(*request.mutable_open());
    SCOPED_TRACE(row.what);
    const grpc::Status status = test::refusal(*stub, request);
    expect_end(status, row.code, row.words);
    EXPECT_LT(status.error_message().size(), 2100U);
  }
  bystander.expect_well();
}

struct BadFrame {
  const char* what;
  std::function<void(v1::Frame&)> spoil;
  const char* words;
};

TEST_F(ServerMessages, FramesThatMakeNoSenseLeaveTheSession) {
  const std::vector<BadFrame> table{
      {"no pose", [](v1::Frame& f) { f.clear_pose(); }, "rotations"},
      {"a joint less",
       [](v1::Frame& f) {
         f.mutable_pose()->mutable_rotations()->Truncate(f.pose().rotations_size() - 4);
       },
       "rotations"},
      {"half a joint", [](v1::Frame& f) { f.mutable_pose()->add_rotations(1); }, "rotations"},
      {"a translation more", [](v1::Frame& f) { f.mutable_pose()->add_translations(1); },
       "translations"},
      {"an id beyond doubles", [](v1::Frame& f) { f.set_id(std::uint64_t{1} << 53U); }, "2^53"},
  };
  for (const BadFrame& row : table) {
    SCOPED_TRACE(row.what);
    Stream stream(*stub);
    const std::string id = stream.open(walk.open()).session_id();
    ASSERT_TRUE(stream.write(walk.frames(0, 1)));
    EXPECT_EQ(stream.reports(1).size(), 1U);
    v1::TrackRequest bad = walk.frames(2, 2);
    row.spoil(*bad.mutable_frames()->mutable_frames(0));
    stream.write(bad);
    const grpc::Status status = stream.status();
    expect_end(status, StatusCode::INVALID_ARGUMENT, row.words);
    EXPECT_EQ(status.error_message().find(id), std::string::npos);
    // It goes on from the frame before.
    Stream again(*stub);
    v1::TrackRequest resume;
    resume.mutable_resume()->set_session_id(id);
    resume.mutable_resume()->set_received_steps(1);
    const v1::Opened opened = again.open(resume);
    EXPECT_EQ(opened.covered().id(), 1U);
    ASSERT_TRUE(again.write(walk.frames(2, 2)));
    EXPECT_EQ(again.reports(1).size(), 1U);
  }
  bystander.expect_well();
}

TEST_F(ServerMessages, TimeThatRunsBackwards) {
  v1::TrackRequest open = walk.open();
  open.mutable_open()->clear_frame_seconds();
  Stream stream(*stub);
  stream.open(open);
  v1::TrackRequest frames = walk.frames(0, 1);
  frames.mutable_frames()->mutable_frames(1)->set_capture_time(-1.0);
  ASSERT_TRUE(stream.write(frames));
  expect_end(stream.status(), StatusCode::INVALID_ARGUMENT, "frame 1");
}

TEST_F(ServerMessages, ASecondOpening) {
  Stream stream(*stub);
  stream.open(walk.open());
  ASSERT_TRUE(stream.write(walk.open()));
  expect_end(stream.status(), StatusCode::INVALID_ARGUMENT, "only frames");
}

/// Bytes of a client that knows nothing of protobuf.
class RawStream {
 public:
  explicit RawStream(LiveServer& live) : stub_(live.channel()) {
    test::prepare(context_);
    stream_ = stub_.PrepareCall(&context_, "/tocsin.v1.CollisionService/Track", &queue_);
    stream_->StartCall(nullptr);
    next();
  }
  bool next() {
    void* tag = nullptr;
    bool ok = false;
    return queue_.Next(&tag, &ok) && ok;
  }
  void write(const std::string& bytes) {
    const grpc::Slice slice(bytes);
    stream_->Write(grpc::ByteBuffer(&slice, 1), grpc::WriteOptions(), nullptr);
    next();
  }
  bool read(v1::TrackResponse& out) {
    grpc::ByteBuffer bytes;
    stream_->Read(&bytes, nullptr);
    return next() && grpc::SerializationTraits<v1::TrackResponse>::Deserialize(&bytes, &out).ok();
  }
  grpc::Status status() {
    v1::TrackResponse response;
    while (read(response)) {
    }
    grpc::Status status;
    stream_->Finish(&status, nullptr);
    next();
    return status;
  }

 private:
  grpc::GenericStub stub_;
  grpc::ClientContext context_;
  grpc::CompletionQueue queue_;
  std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream_;
};

TEST_F(ServerMessages, AMessageThatIsNoneIsNotTheEndOfTheStream) {
  {
    RawStream stream(live);
    stream.write("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    expect_end(stream.status(), StatusCode::INVALID_ARGUMENT, "no TrackRequest");
  }
  RawStream stream(live);
  stream.write(walk.open().SerializeAsString());
  v1::TrackResponse response;
  ASSERT_TRUE(stream.read(response));
  const std::string id = response.opened().session_id();
  stream.write(walk.frames(0, 1).SerializeAsString());
  ASSERT_TRUE(stream.read(response));
  const std::string whole = walk.frames(2, 2).SerializeAsString();
  stream.write(whole.substr(0, whole.size() - 9));
  expect_end(stream.status(), StatusCode::INVALID_ARGUMENT, "no TrackRequest");
  v1::TrackRequest resume;
  resume.mutable_resume()->set_session_id(id);
  Stream again(*stub);
  EXPECT_EQ(again.open(resume).session_id(), id);
}

/// A call with one answer, with bytes as its request.
grpc::Status unary(LiveServer& live, const std::string& method, const std::string& request) {
  grpc::GenericStub stub(live.channel());
  grpc::ClientContext context;
  test::prepare(context);
  grpc::CompletionQueue queue;
  const grpc::Slice slice(request);
  const auto call = stub.PrepareUnaryCall(&context, "/tocsin.v1.CollisionService/" + method,
                                          grpc::ByteBuffer(&slice, 1), &queue);
  call->StartCall();
  grpc::ByteBuffer answer;
  grpc::Status status;
  call->Finish(&answer, &status, nullptr);
  void* tag = nullptr;
  bool ok = false;
  queue.Next(&tag, &ok);
  return status;
}

TEST_F(ServerMessages, ARequestThatIsNone) {
  const std::string unknown("\x7a\x01x", 3);  // field 15
  for (const std::string method : {"ListEnvironments", "UnloadEnvironment", "ListAvatarModels"}) {
    expect_end(unary(live, method, "\xff\xff\xff"), StatusCode::INVALID_ARGUMENT,
               "a message that is no " + method + "Request");
    if (method == "UnloadEnvironment") continue;
    EXPECT_TRUE(unary(live, method, unknown).ok()) << method;
  }
  expect_end(unary(live, "UnloadEnvironment", unknown), StatusCode::NOT_FOUND, "no room");
  bystander.expect_well();
}

TEST_F(ServerMessages, RandomBytes) {
  std::mt19937_64 random(6);
  const std::string open = walk.open().SerializeAsString();
  const std::string frames = walk.frames(0, 3).SerializeAsString();
  for (int i = 0; i < 100; ++i) {
    RawStream stream(live);
    const auto spoilt = [&](std::string bytes) {
      for (std::uint64_t n = 1 + random() % 4; n > 0; --n) {
        bytes[random() % bytes.size()] = static_cast<char>(random());
      }
      return bytes;
    };
    if (i % 2 == 0) {
      stream.write(spoilt(open));
    } else {
      stream.write(open);
      stream.write(spoilt(frames));
    }
  }
  bystander.expect_well();
}

TEST_F(ServerMessages, MessagesThatAreTooLarge) {
  Stream stream(*stub);
  v1::TrackRequest open = walk.open();
  open.mutable_open()->set_label(std::string(5U << 20U, 'x'));
  stream.write(open);
  expect_end(stream.status(), StatusCode::RESOURCE_EXHAUSTED, "larger than max");
  // In a session that was well so far.
  Stream second(*stub);
  const std::string id = second.open(walk.open()).session_id();
  v1::TrackRequest frames;
  for (int i = 0; i < 4000; ++i) *frames.mutable_frames() = walk.frames(0, 0).frames();
  frames.mutable_frames()->mutable_frames(0)->mutable_pose()->mutable_rotations()->Resize(700'000,
                                                                                          1.0);
  second.write(frames);
  expect_end(second.status(), StatusCode::RESOURCE_EXHAUSTED, "larger than max");
  Stream again(*stub);
  v1::TrackRequest resume;
  resume.mutable_resume()->set_session_id(id);
  EXPECT_EQ(again.open(resume).session_id(), id);
  bystander.expect_well();
}

/// A small message that would be a large one if it were unpacked.
TEST_F(ServerMessages, CompressedMessages) {
  Stream stream(*stub, "", [](grpc::ClientContext& context) {
    context.set_compression_algorithm(GRPC_COMPRESS_GZIP);
  });
  v1::TrackRequest open = walk.open();
  open.mutable_open()->set_label(std::string(3U << 20U, 'x'));
  stream.write(open);
  const grpc::Status status = stream.status();
  EXPECT_TRUE(status.error_code() == StatusCode::UNIMPLEMENTED ||
              status.error_code() == StatusCode::INVALID_ARGUMENT)
      << status.error_code() << " " << status.error_message();
  EXPECT_EQ(status.error_message().find("label"), std::string::npos) << "it was unpacked";
  bystander.expect_well();
}

TEST_F(ServerMessages, GarbageOnThePort) {
  std::mt19937_64 random(7);
  std::vector<std::unique_ptr<test::RawSocket>> open;
  for (int i = 0; i < 60; ++i) {
    open.push_back(std::make_unique<test::RawSocket>(live.address()));
    std::string bytes;
    switch (i % 4) {
      case 0:
        bytes = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
        break;
      case 1:
        for (int n = 0; n < 5000; ++n) bytes += static_cast<char>(random());
        break;
      case 2:  // says hello as it should, then nonsense
        bytes = test::kPreface;
        for (int n = 0; n < 5000; ++n) bytes += static_cast<char>(random());
        break;
      default:  // half open: says nothing
        break;
    }
    open.back()->send(bytes);
  }
  bystander.expect_well();
  Stream stream(*stub);
  stream.open(walk.open());
  ASSERT_TRUE(stream.write(walk.frames(0, 1)));
  EXPECT_EQ(stream.reports(1).size(), 1U);
}

}  // namespace
}  // namespace tocsin::server_messages_test
