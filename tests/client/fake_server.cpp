#include "client/fake_server.h"

#include <fmt/format.h>
#include <grpcpp/health_check_service_interface.h>

#include <chrono>
#include <thread>
#include <utility>

namespace tocsin::test {

FakeServer::FakeServer(Script script, const std::string& address) : script_(std::move(script)) {
  grpc::EnableDefaultHealthCheckService(true);
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port);
  builder.RegisterService(this);
  server_ = builder.BuildAndStart();
  address_ = address.starts_with("unix:") ? address : fmt::format("127.0.0.1:{}", port);
}

FakeServer::~FakeServer() {
  if (server_) server_->Shutdown(std::chrono::system_clock::now());
}

void FakeServer::remember(const grpc::ServerContext& context) {
  const std::lock_guard lock(mutex_);
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find("authorization");
  authorization_ = found == metadata.end()
                       ? std::string()
                       : std::string(found->second.data(), found->second.size());
}

std::string FakeServer::authorization() const {
  const std::lock_guard lock(mutex_);
  return authorization_;
}

std::string FakeServer::uploaded() const {
  const std::lock_guard lock(mutex_);
  return uploaded_;
}

v1::LoadEnvironmentRequest::Begin FakeServer::upload_begin() const {
  const std::lock_guard lock(mutex_);
  return upload_begin_;
}

grpc::Status FakeServer::Track(grpc::ServerContext* context, TrackStream* stream) {
  remember(*context);
  v1::TrackRequest first;
  if (!stream->Read(&first)) return {grpc::StatusCode::INVALID_ARGUMENT, "no first message"};
  return script_(*context, *stream, first);
}

grpc::Status FakeServer::ListEnvironments(grpc::ServerContext* context,
                                          const v1::ListEnvironmentsRequest* /*request*/,
                                          v1::ListEnvironmentsResponse* response) {
  remember(*context);
  auto& room = *response->add_environments();
  room.set_name("hall");
  room.set_triangles(12);
  room.add_files("hall.obj");
  return grpc::Status::OK;
}

grpc::Status FakeServer::LoadEnvironment(grpc::ServerContext* /*context*/,
                                         grpc::ServerReader<v1::LoadEnvironmentRequest>* reader,
                                         v1::LoadEnvironmentResponse* response) {
  v1::LoadEnvironmentRequest request;
  const std::lock_guard lock(mutex_);
  uploaded_.clear();
  while (reader->Read(&request)) {
    if (request.has_begin()) upload_begin_ = request.begin();
    if (request.has_begin() && request.begin().name() == "taken") {
      return {grpc::StatusCode::ALREADY_EXISTS, "there is a room \"taken\""};
    }
    uploaded_ += request.chunk();
  }
  response->mutable_environment()->set_name(upload_begin_.name());
  return grpc::Status::OK;
}

grpc::Status FakeServer::UnloadEnvironment(grpc::ServerContext* /*context*/,
                                           const v1::UnloadEnvironmentRequest* request,
                                           v1::UnloadEnvironmentResponse* response) {
  if (request->name() != "hall") {
    return {grpc::StatusCode::NOT_FOUND, "there is no room \"" + request->name() + "\""};
  }
  response->set_sessions(3);
  return grpc::Status::OK;
}

grpc::Status FakeServer::Watch(grpc::ServerContext* context, const v1::WatchRequest* /*request*/,
                               grpc::ServerWriter<v1::WatchResponse>* writer) {
  for (const v1::WatchResponse& response : watched) writer->Write(response);
  while (!context->IsCancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return grpc::Status::CANCELLED;
}

grpc::Status FakeServer::Download(grpc::ServerContext* /*context*/,
                                  const v1::DownloadRequest* /*request*/,
                                  grpc::ServerWriter<v1::DownloadResponse>* writer) {
  for (const v1::DownloadResponse& response : downloads) writer->Write(response);
  return grpc::Status::OK;
}

v1::TrackResponse step_report(std::uint64_t step, std::uint64_t from, std::uint64_t to) {
  v1::TrackResponse out;
  v1::StepReport& report = *out.mutable_reports()->add_reports();
  report.set_step(step);
  report.mutable_from()->set_id(from);
  report.mutable_to()->set_id(to);
  report.set_safe_until(1.0);
  return out;
}

v1::TrackResponse opened_as(const std::string& session_id) {
  v1::TrackResponse out;
  out.mutable_opened()->set_session_id(session_id);
  out.mutable_opened()->set_max_pending_frames(16);
  return out;
}

v1::TrackResponse ended_after(std::uint64_t steps) {
  v1::TrackResponse out;
  out.mutable_ended()->set_steps(steps);
  return out;
}

}  // namespace tocsin::test
