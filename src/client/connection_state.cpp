#include "client/connection_state.h"

#include <fmt/format.h>
#include <google/protobuf/empty.pb.h>
#include <google/protobuf/unknown_field_set.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/channel_arguments.h>

#include <algorithm>
#include <fstream>
#include <future>
#include <iterator>
#include <system_error>
#include <utility>

#include "client/status.h"
#include "client/target.h"
#include "tocsin/version.h"

namespace tocsin::detail {
namespace {

// Milliseconds. A silent connection is pinged. Half-open connections (a pulled cable) are found
// after about the sum of both. Smaller: servers that follow gRPC's advice close the connection.
constexpr int kKeepaliveMs = 30'000;
constexpr int kKeepaliveTimeoutMs = 10'000;
// Milliseconds between attempts to connect. Small, so that a broken session is resumed soon.
constexpr int kFirstBackoffMs = 100;
constexpr int kLongestBackoffMs = 2'000;
// Bytes of an answer. A step's report can hold every pair of a link and an object. No Tocsin server
// sends more.
constexpr int kMostReceived = 256 << 20;
// No PEM file is larger than this.
constexpr std::uintmax_t kMostPem = 1U << 20U;

grpc::ChannelArguments arguments_for(const std::string& target) {
  grpc::ChannelArguments out;
  out.SetUserAgentPrefix(fmt::format("tocsin/{}", kVersion));
  out.SetMaxReceiveMessageSize(kMostReceived);
  out.SetMaxSendMessageSize(-1);  // the server has its own limit, and names it
  // Its own TCP connection: by default gRPC shares one between channels with equal arguments.
  out.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  out.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, kKeepaliveMs);
  out.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, kKeepaliveTimeoutMs);
  out.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kFirstBackoffMs);
  out.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kFirstBackoffMs);
  out.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kLongestBackoffMs);
  out.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);  // sessions are resumed, not retried
  if (is_loopback(target)) out.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  return out;
}

Status read_pem(const char* what, const std::filesystem::path& file, std::string& out) {
  if (file.empty()) return Nothing{};
  const auto problem = [&](std::string_view cause) {
    return Error{ErrorCode::kUsage, fmt::format("{}: {}: {}", what, file.string(), cause)};
  };
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) return problem(error.message());
  if (size > kMostPem) return problem("too large for a PEM file");
  std::ifstream in(file, std::ios::binary);
  out.assign(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  if (!in) return problem("cannot be read");
  if (out.find("-----BEGIN ") == std::string::npos) return problem("not a PEM file");
  return Nothing{};
}

bool wants_tls(const ConnectionOptions& o) {
  return o.tls || !o.ca.empty() || !o.certificate.empty() || !o.key.empty();
}

Status make_credentials(const ConnectionOptions& options,
                        std::shared_ptr<grpc::ChannelCredentials>& out) {
  if (!wants_tls(options)) {
    out = grpc::InsecureChannelCredentials();
    return Nothing{};
  }
  if (options.certificate.empty() != options.key.empty()) {
    return Error{ErrorCode::kUsage, "a client certificate and its key go together"};
  }
  grpc::SslCredentialsOptions pem;
  if (auto read = read_pem("the CA", options.ca, pem.pem_root_certs); !read) return read;
  if (auto read = read_pem("the certificate", options.certificate, pem.pem_cert_chain); !read) {
    return read;
  }
  if (auto read = read_pem("the key", options.key, pem.pem_private_key); !read) return read;
  out = grpc::SslCredentials(pem);
  return Nothing{};
}

/// True if the text may be the value of an HTTP header.
bool is_token(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7F'; });
}

Status check_token(const ConnectionOptions& options) {
  if (options.token.empty()) return Nothing{};
  if (!is_token(options.token)) {
    return Error{ErrorCode::kUsage, "a token consists of visible ASCII characters, no blanks"};
  }
  if (wants_tls(options) || is_loopback(options.target)) return Nothing{};
  return Error{
      ErrorCode::kUsage,
      fmt::format("the token is not sent to {} in the clear: that needs TLS", options.target)};
}

}  // namespace

Result<std::shared_ptr<ConnectionState>> ConnectionState::create(const ConnectionOptions& options) {
  if (auto target = check_target(options.target); !target) return target.error();
  if (auto token = check_token(options); !token) return token.error();
  std::shared_ptr<grpc::ChannelCredentials> credentials;
  if (auto made = make_credentials(options, credentials); !made) return made.error();
  auto state = std::make_shared<ConnectionState>();
  state->target_ = options.target;
  if (!options.token.empty()) state->authorization_ = "Bearer " + options.token;
  state->timeout_ = options.timeout;
  state->channel_ =
      grpc::CreateCustomChannel(options.target, credentials, arguments_for(options.target));
  state->stub_ = v1::CollisionService::NewStub(state->channel_);
  return state;
}

Status ConnectionState::wait_until_connected() {
  if (channel_->WaitForConnected(std::chrono::system_clock::now() + timeout_)) return Nothing{};
  // A call that does not wait for the channel either gets the reason of the failure, or finds the
  // channel connected by now.
  int serving = 0;
  const grpc::Status asked = check_health(serving);
  if (asked.ok() || asked.error_code() == grpc::StatusCode::UNIMPLEMENTED) return Nothing{};
  return error_of(asked, target_);
}

grpc::Status ConnectionState::check_health(int& serving) {
  // grpc.health.v1.Health/Check by hand: its messages have one number, and gRPC's package does not
  // install them. An empty request means the whole server.
  grpc::GenericStub stub(channel_);
  grpc::ClientContext context;
  prepare_short(context);
  const grpc::Slice nothing;
  const grpc::ByteBuffer request(&nothing, 1);
  grpc::ByteBuffer response;
  // Shared, because gRPC's thread may still be within set_value() when this thread continues.
  const auto answered = std::make_shared<std::promise<grpc::Status>>();
  stub.UnaryCall(&context, "/grpc.health.v1.Health/Check", grpc::StubOptions(), &request, &response,
                 [answered](grpc::Status status) { answered->set_value(std::move(status)); });
  grpc::Status status = answered->get_future().get();
  if (!status.ok()) return status;
  google::protobuf::Empty fields;
  status = grpc::GenericDeserialize<grpc::ProtoBufferReader, google::protobuf::Empty>(&response,
                                                                                      &fields);
  const auto& unknown = google::protobuf::Empty::GetReflection()->GetUnknownFields(fields);
  serving = 0;
  for (int i = 0; i < unknown.field_count(); ++i) {
    const auto& field = unknown.field(i);
    if (field.number() == 1 && field.type() == google::protobuf::UnknownField::TYPE_VARINT) {
      serving = static_cast<int>(field.varint());
    }
  }
  return status;
}

void ConnectionState::prepare(grpc::ClientContext& context) const {
  if (!authorization_.empty()) context.AddMetadata("authorization", authorization_);
}

void ConnectionState::prepare_short(grpc::ClientContext& context) const {
  prepare(context);
  context.set_deadline(std::chrono::system_clock::now() + timeout_);
}

}  // namespace tocsin::detail
