// A server that says what a test wants it to say.
#pragma once

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tocsin/v1/collision.grpc.pb.h"

namespace tocsin::test {

using TrackStream = grpc::ServerReaderWriter<v1::TrackResponse, v1::TrackRequest>;

class FakeServer : private v1::CollisionService::Service {
 public:
  /// Plays the server's part of a stream; its first message is read by then.
  using Script = std::function<grpc::Status(grpc::ServerContext&, TrackStream&,
                                            const v1::TrackRequest& first)>;

  /// `address`: "127.0.0.1:0" finds a port of its own.
  explicit FakeServer(Script script, const std::string& address = "127.0.0.1:0");
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;
  /// Breaks all streams.
  ~FakeServer() override;

  [[nodiscard]] const std::string& address() const { return address_; }
  /// The last call's "authorization", or nothing.
  [[nodiscard]] std::string authorization() const;
  /// Bytes of the last upload, and its first message.
  [[nodiscard]] std::string uploaded() const;
  [[nodiscard]] v1::LoadEnvironmentRequest::Begin upload_begin() const;
  /// What watchers and downloads are sent. Set it before.
  std::vector<v1::WatchResponse> watched = {};
  std::vector<v1::DownloadResponse> downloads = {};

 private:
  grpc::Status Track(grpc::ServerContext* context, TrackStream* stream) override;
  grpc::Status ListEnvironments(grpc::ServerContext* context,
                                const v1::ListEnvironmentsRequest* request,
                                v1::ListEnvironmentsResponse* response) override;
  grpc::Status LoadEnvironment(grpc::ServerContext* context,
                               grpc::ServerReader<v1::LoadEnvironmentRequest>* reader,
                               v1::LoadEnvironmentResponse* response) override;
  grpc::Status UnloadEnvironment(grpc::ServerContext* context,
                                 const v1::UnloadEnvironmentRequest* request,
                                 v1::UnloadEnvironmentResponse* response) override;
  grpc::Status Watch(grpc::ServerContext* context, const v1::WatchRequest* request,
                     grpc::ServerWriter<v1::WatchResponse>* writer) override;
  grpc::Status Download(grpc::ServerContext* context, const v1::DownloadRequest* request,
                        grpc::ServerWriter<v1::DownloadResponse>* writer) override;
  void remember(const grpc::ServerContext& context);

  Script script_;
  std::string address_;
  mutable std::mutex mutex_;
  std::string authorization_;
  std::string uploaded_;
  v1::LoadEnvironmentRequest::Begin upload_begin_;
  std::unique_ptr<grpc::Server> server_;
};

/// A report of a step from one frame to a later one, without contacts.
v1::TrackResponse step_report(std::uint64_t step, std::uint64_t from, std::uint64_t to);
v1::TrackResponse opened_as(const std::string& session_id);
v1::TrackResponse ended_after(std::uint64_t steps);

}  // namespace tocsin::test
