#include "service/rpc/live_server.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include "make/make.h"
#include "tocsin/avatar.h"
#include "tocsin/detector.h"
#include "tocsin/io.h"
#include "wire/values.h"

namespace tocsin::test {
namespace {

std::uint64_t bits(double value) {
  std::uint64_t out = 0;
  std::memcpy(&out, &value, sizeof(out));
  return out;
}

void expect_same_bits(const Vec3& a, const Vec3& b) {
  EXPECT_EQ(bits(a.x), bits(b.x));
  EXPECT_EQ(bits(a.y), bits(b.y));
  EXPECT_EQ(bits(a.z), bits(b.z));
}

}  // namespace

std::shared_ptr<service::Engine> idle_engine() {
  service::EngineOptions options;
  options.threads = 1;
  return std::make_shared<service::Engine>(
      options, std::make_shared<service::Environments>(service::RoomPolicy{}));
}

namespace {

void write_hall(const std::filesystem::path& file) {
  std::ofstream out(file);
  int vertices = 0;
  const auto quad = [&](const std::string& name, const std::vector<Vec3>& corners) {
    out << "o " << name << "\n";
    for (const Vec3& c : corners) out << "v " << c.x << " " << c.y << " " << c.z << "\n";
    out << "f " << vertices + 1 << " " << vertices + 2 << " " << vertices + 3 << "\n";
    out << "f " << vertices + 1 << " " << vertices + 3 << " " << vertices + 4 << "\n";
    vertices += 4;
  };
  quad("floor", {{-9, 0, -9}, {-9, 0, 9}, {9, 0, 9}, {9, 0, -9}});
  for (int i = -5; i <= 5; ++i) {
    const double at = 0.25 * i + 0.13;
    quad("x" + std::to_string(i + 5), {{at, 0.3, -9}, {at, 2, -9}, {at, 2, 9}, {at, 0.3, 9}});
    quad("z" + std::to_string(i + 5), {{-9, 0.3, at}, {-9, 2, at}, {9, 2, at}, {9, 0.3, at}});
  }
}

}  // namespace

LiveServer::LiveServer(LiveOptions options) {
  std::string name = std::filesystem::temp_directory_path() / "tocsin_live_XXXXXX";
  EXPECT_NE(::mkdtemp(name.data()), nullptr);
  folder_ = name;
  write_hall(hall());
  auto rooms = std::make_shared<service::Environments>(options.rooms);
  const std::vector<std::filesystem::path> files{hall()};
  std::vector<std::string> warnings;
  const auto hall = rooms->load("hall", files, {}, warnings);
  EXPECT_TRUE(hall) << hall.error().message;
  engine_ = std::make_shared<service::Engine>(options.engine, rooms);
  if (!options.access) options.access = std::make_shared<service::Access>(options.limits);
  auto started = service::Server::start(options.server, engine_, options.access);
  EXPECT_TRUE(started) << started.error().message;
  if (!started) std::abort();
  server_ = std::move(started).value();
  address_ = server_->address();
}

LiveServer::~LiveServer() {
  server_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::shared_ptr<grpc::Channel> LiveServer::channel(
    const std::shared_ptr<grpc::ChannelCredentials>& credentials) const {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(address_, credentials, arguments);
}

std::unique_ptr<v1::CollisionService::Stub> LiveServer::stub() const {
  return v1::CollisionService::NewStub(channel());
}

Walk::Walk(double seconds, double rate)
    : motion(make_motion({.kind = Performance::kWalk, .seconds = seconds, .rate = rate}).value()),
      codec(motion.skeleton()) {}

TrackOptions Walk::options() const {
  TrackOptions out;
  out.environment = "hall";
  out.skeleton = motion.skeleton();
  out.avatar.model = "humanoid16";
  out.avatar.place = {{0.4, 0.0, -0.3}, 30.0};
  out.frame_seconds = motion.frame_time();
  out.spec.ignore = ignore;
  return out;
}

v1::TrackRequest Walk::open() const {
  v1::TrackRequest out;
  wire::to_wire(options(), *out.mutable_open());
  return out;
}

v1::TrackRequest Walk::frames(std::int64_t first, std::int64_t last) const {
  v1::TrackRequest out;
  for (std::int64_t f = first; f <= last; ++f) {
    const auto pose = motion.pose(f % count());
    codec.to_wire(TrackFrame{static_cast<std::uint64_t>(f),
                             static_cast<double>(f) * motion.frame_time(),
                             {pose.begin(), pose.end()}},
                  *out.mutable_frames()->add_frames());
  }
  return out;
}

std::vector<StepReport> Walk::expected(const std::filesystem::path& room,
                                       const std::vector<std::int64_t>& covered) const {
  std::vector<Transform> poses;
  std::vector<double> ticks;
  for (const std::int64_t frame : covered) {
    const auto pose = motion.pose(frame % count());
    poses.insert(poses.end(), pose.begin(), pose.end());
    ticks.push_back(static_cast<double>(frame));
  }
  const auto walked =
      Motion::create_timed(motion.skeleton(), motion.frame_time(), ticks, poses).value();
  const auto placed = walked.placed(options().avatar.place);
  EXPECT_TRUE(placed) << placed.error().message;
  const auto avatar = Avatar::bind(*load_avatar_model("humanoid16"), placed->skeleton()).value();
  const Environment hall = load_environment(room).value();
  const Member walker{avatar, ActivePairs::ignoring(avatar, hall, ignore).value()};
  const Detector detector = Detector::make(hall).value();
  std::vector<StepReport> out;
  for (const Step& step : placed->steps().value()) out.push_back(detector.check(walker, step));
  return out;
}

void expect_same(const v1::StepReport& report, const StepReport& expected,
                 const wire::PoseCodec& codec) {
  const auto read = wire::from_wire(report, codec);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->result.step, expected.step);
  EXPECT_EQ(read->result.frames, expected.frames);
  EXPECT_EQ(bits(read->result.safe_until), bits(expected.safe_until));
  ASSERT_EQ(read->result.contacts.size(), expected.contacts.size());
  for (std::size_t i = 0; i < expected.contacts.size(); ++i) {
    const Contact& a = read->result.contacts[i];
    const Contact& b = expected.contacts[i];
    EXPECT_EQ(a.link, b.link);
    EXPECT_EQ(a.touched, b.touched);
    EXPECT_EQ(a.status, b.status);
    EXPECT_EQ(bits(a.toc[0]), bits(b.toc[0]));
    EXPECT_EQ(bits(a.toc[1]), bits(b.toc[1]));
    expect_same_bits(a.point, b.point);
    ASSERT_EQ(a.normal.has_value(), b.normal.has_value());
    if (b.normal) expect_same_bits(*a.normal, *b.normal);
  }
}

void prepare(grpc::ClientContext& context, const std::string& token) {
  context.set_deadline(std::chrono::system_clock::now() + kCallTimeLimit);
  if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
}

Stream::Stream(v1::CollisionService::Stub& stub, const std::string& token,
               const std::function<void(grpc::ClientContext&)>& change) {
  prepare(context_, token);
  if (change) change(context_);
  stream_ = stub.Track(&context_);
}

Stream::~Stream() {
  if (over_) return;
  context_.TryCancel();
  stream_->Finish();
}

std::optional<v1::TrackResponse> Stream::read() {
  v1::TrackResponse response;
  if (!stream_->Read(&response)) return std::nullopt;
  return response;
}

v1::Opened Stream::open(const v1::TrackRequest& request) {
  EXPECT_TRUE(write(request));
  const auto response = read();
  if (!response || !response->has_opened()) {
    ADD_FAILURE() << "not opened: " << status().error_message();
    return {};
  }
  return response->opened();
}

std::vector<v1::StepReport> Stream::reports(std::size_t count) {
  std::vector<v1::StepReport> out;
  while (out.size() < count) {
    const auto response = read();
    if (!response) break;
    if (response->has_ended()) ended = response->ended();
    if (response->has_closing()) closing = response->closing();
    if (response->has_partial()) partials.push_back(response->partial());
    for (const v1::StepReport& report : response->reports().reports()) out.push_back(report);
  }
  return out;
}

grpc::Status Stream::status() {
  while (read()) {
  }
  over_ = true;
  return stream_->Finish();
}

grpc::Status refusal(v1::CollisionService::Stub& stub, const v1::TrackRequest& request,
                     const std::string& token) {
  Stream stream(stub, token);
  stream.write(request);
  return stream.status();
}

}  // namespace tocsin::test
