// A server on a port of this machine, and a client that says exactly what a test wants.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "service/access/access.h"
#include "service/engine.h"
#include "service/rooms/environments.h"
#include "service/rpc/server.h"
#include "support/eventually.h"
#include "tocsin/motion.h"
#include "tocsin/track.h"
#include "tocsin/v1/collision.grpc.pb.h"
#include "tocsin/v1/collision.pb.h"
#include "wire/reports.h"

namespace tocsin::test {

/// No call of a test takes longer: a server that hangs fails it.
inline constexpr std::chrono::seconds kCallTimeLimit{120};

/// What a test may want otherwise.
struct LiveOptions {
  LiveOptions() {
    server.listen = "127.0.0.1:0";
    engine.threads = 2;
  }
  service::ServerOptions server;
  service::EngineOptions engine;
  service::RoomPolicy rooms;
  service::Limits limits;
  std::shared_ptr<service::Access> access;  ///< none: all are let in
};

/// An engine without rooms, for servers that do not start.
std::shared_ptr<service::Engine> idle_engine();

/// With one room, "hall": a floor, and thin walls all around that a walker passes through.
class LiveServer {
 public:
  explicit LiveServer(LiveOptions options = {});
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;
  ~LiveServer();

  [[nodiscard]] service::Server& server() { return *server_; }
  [[nodiscard]] service::Engine& engine() { return *engine_; }
  [[nodiscard]] const std::string& address() const { return address_; }
  /// A connection of its own.
  [[nodiscard]] std::shared_ptr<grpc::Channel> channel(
      const std::shared_ptr<grpc::ChannelCredentials>& credentials =
          grpc::InsecureChannelCredentials()) const;
  [[nodiscard]] std::unique_ptr<v1::CollisionService::Stub> stub() const;
  /// The room's file.
  [[nodiscard]] std::filesystem::path hall() const { return folder_ / "hall.obj"; }

 private:
  std::filesystem::path folder_;
  std::shared_ptr<service::Engine> engine_;
  std::unique_ptr<service::Server> server_;
  std::string address_;
};

/// A take of a second, and what `tocsin check` finds when it is walked in the hall.
class Walk {
 public:
  explicit Walk(double seconds = 1.0, double rate = 90.0);
  [[nodiscard]] TrackOptions options() const;
  [[nodiscard]] v1::TrackRequest open() const;
  /// Frames `first` to `last` as one message.
  [[nodiscard]] v1::TrackRequest frames(std::int64_t first, std::int64_t last) const;
  [[nodiscard]] std::int64_t count() const { return motion.frame_count(); }
  /// The detector's own answers for a sequence of covered frames of the motion.
  [[nodiscard]] std::vector<StepReport> expected(const std::filesystem::path& room,
                                                 const std::vector<std::int64_t>& covered) const;

  Motion motion;
  wire::PoseCodec codec;
  /// CheckSpec::ignore. The hall's walls are so many that without it no step is free.
  std::vector<std::string> ignore = {};
};

/// Equal in every bit.
void expect_same(const v1::StepReport& report, const StepReport& expected,
                 const wire::PoseCodec& codec);

/// One Track stream.
class Stream {
 public:
  explicit Stream(v1::CollisionService::Stub& stub, const std::string& token = "",
                  const std::function<void(grpc::ClientContext&)>& change = nullptr);
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  /// Breaks the stream, unless it is over.
  ~Stream();

  bool write(const v1::TrackRequest& request) { return stream_->Write(request); }
  void half_close() { stream_->WritesDone(); }
  /// None: the stream is over.
  std::optional<v1::TrackResponse> read();
  /// Opens; the answer.
  v1::Opened open(const v1::TrackRequest& request);
  /// Reads until so many reports are there (fewer: the stream is over).
  std::vector<v1::StepReport> reports(std::size_t count);
  /// What ended it, once read() gave nothing.
  grpc::Status status();
  /// As a lost connection would.
  void cancel() { context_.TryCancel(); }

  /// What reports() came across besides.
  std::optional<v1::Ended> ended;
  std::optional<v1::Closing> closing;
  std::vector<v1::StepReport> partials;

 private:
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::TrackRequest, v1::TrackResponse>> stream_;
  bool over_ = false;
};

/// A context with a deadline, and a token if there is one.
void prepare(grpc::ClientContext& context, const std::string& token = "");

/// Opens a stream with one message and tells how it ended.
grpc::Status refusal(v1::CollisionService::Stub& stub, const v1::TrackRequest& request,
                     const std::string& token = "");

}  // namespace tocsin::test
