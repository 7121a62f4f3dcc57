// Calls of services whose messages are not compiled in, such as health.
#pragma once

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "service/rpc/live_server.h"

namespace tocsin::test {

/// Calls a method of a service whose messages are not compiled in, with bytes.
inline grpc::Status call(const std::shared_ptr<grpc::Channel>& channel, const std::string& method,
                         const std::string& request, std::string& answer) {
  grpc::GenericStub stub(channel);
  grpc::ClientContext context;
  prepare(context);
  grpc::CompletionQueue queue;
  const auto stream = stub.PrepareCall(&context, method, &queue);
  void* tag = nullptr;
  bool ok = false;
  const auto step = [&] { return queue.Next(&tag, &ok) && ok; };
  stream->StartCall(nullptr);
  step();
  const grpc::Slice slice(request);
  const grpc::ByteBuffer bytes(&slice, 1);
  stream->Write(bytes, grpc::WriteOptions(), nullptr);
  step();
  grpc::ByteBuffer response;
  stream->Read(&response, nullptr);
  if (step()) {
    std::vector<grpc::Slice> slices;
    EXPECT_TRUE(response.Dump(&slices).ok());
    for (const grpc::Slice& s : slices) answer.append(s.begin(), s.end());
  }
  stream->WritesDone(nullptr);
  step();
  grpc::Status status;
  stream->Finish(&status, nullptr);
  step();
  return status;
}

/// grpc.health.v1: HealthCheckRequest.service is field 1, HealthCheckResponse.status too.
inline constexpr char kServing = 1;
inline constexpr char kNotServing = 2;
inline std::string health_request(const std::string& service) {
  return service.empty() ? "" : std::string("\x0a") + static_cast<char>(service.size()) + service;
}
inline std::string health_answer(char status) { return {'\x08', status}; }

}  // namespace tocsin::test
