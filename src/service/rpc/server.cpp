#include "service/rpc/server.h"

#include <absl/synchronization/mutex.h>
#include <fmt/format.h>
#include <google/protobuf/stubs/logging.h>
#include <grpc/support/log.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <grpcpp/resource_quota.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "service/access/credentials.h"
#include "service/crowd/crowd_call.h"
#include "service/rpc/call_support.h"
#include "service/rpc/listen_address.h"
#include "service/rpc/listener.h"
#include "service/rpc/live_credentials.h"
#include "service/rpc/load_call.h"
#include "service/rpc/switchboard.h"
#include "service/rpc/track_call.h"
#include "service/rpc/unary_calls.h"
#include "service/watch/download_call.h"
#include "service/watch/watch_call.h"
#include "tocsin/v1/collision.grpc.pb.h"

namespace tocsin::service {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// A connection that is silent for so long after a ping is closed. Shorter: poor lines are cut off.
constexpr milliseconds kPingTimeout = seconds(10);
/// Clients may ping so often. More counts as an attack. gRPC's own limit, five minutes, would cut
/// off clients that use common keepalive settings.
constexpr milliseconds kClientPings = seconds(5);
/// Time limit of the TLS and HTTP/2 handshakes: silent connections are closed.
constexpr milliseconds kHandshake = seconds(10);
/// Calls of one connection at once. A client with more avatars needs more connections, which also
/// spreads them over threads.
constexpr int kMostCalls = 4096;
/// Bytes of memory for all connections' buffers, or a quarter of the budget. Far above the need of
/// 1,000 avatars. It bounds the memory that clients can occupy with many large messages sent
/// slowly.
constexpr std::size_t kMostBuffers = std::size_t{512} << 20U;
/// For reflection, the only service that gRPC runs on its own blocking threads.
constexpr int kMostThreads = 8;
/// Time for the listener to accept a connection of the server's own. Shorter: a busy machine counts
/// as one that does not serve.
constexpr milliseconds kOwnAnswer = seconds(5);
/// Time for calls without an end, such as health watches, when the server stops.
constexpr milliseconds kLastCalls = seconds(1);

/// All calls are raw, because damaged messages and memory are our matter: see TrackCall, LoadCall.
using Raw = v1::CollisionService::WithRawCallbackMethod_Track<
    v1::CollisionService::WithRawCallbackMethod_TrackMany<
        v1::CollisionService::WithRawCallbackMethod_LoadEnvironment<
            v1::CollisionService::WithRawCallbackMethod_ListEnvironments<
                v1::CollisionService::WithRawCallbackMethod_UnloadEnvironment<
                    v1::CollisionService::WithRawCallbackMethod_UpdateEnvironment<
                        v1::CollisionService::WithRawCallbackMethod_ListAvatarModels<
                            v1::CollisionService::WithRawCallbackMethod_Watch<
                                v1::CollisionService::WithRawCallbackMethod_Download<
                                    v1::CollisionService::Service>>>>>>>>>;

class Calls final : public Raw {
 public:
  explicit Calls(Switchboard& board) : board_(board) {}

  TrackCall::Reactor* Track(grpc::CallbackServerContext* context) override {
    return TrackCall::start(board_, context);
  }
  CrowdCall::Reactor* TrackMany(grpc::CallbackServerContext* context) override {
    return CrowdCall::start(board_, context);
  }
  grpc::ServerReadReactor<grpc::ByteBuffer>* LoadEnvironment(grpc::CallbackServerContext* context,
                                                             grpc::ByteBuffer* response) override {
    return LoadCall::start(board_, context, response);
  }
  grpc::ServerUnaryReactor* ListEnvironments(grpc::CallbackServerContext* context,
                                             const grpc::ByteBuffer* request,
                                             grpc::ByteBuffer* response) override {
    return list_environments(board_, context, request, response);
  }
  grpc::ServerUnaryReactor* UnloadEnvironment(grpc::CallbackServerContext* context,
                                              const grpc::ByteBuffer* request,
                                              grpc::ByteBuffer* response) override {
    return unload_environment(board_, context, request, response);
  }
  grpc::ServerUnaryReactor* UpdateEnvironment(grpc::CallbackServerContext* context,
                                              const grpc::ByteBuffer* request,
                                              grpc::ByteBuffer* response) override {
    return update_environment(board_, context, request, response);
  }
  grpc::ServerUnaryReactor* ListAvatarModels(grpc::CallbackServerContext* context,
                                             const grpc::ByteBuffer* request,
                                             grpc::ByteBuffer* response) override {
    return list_avatar_models(board_, context, request, response);
  }
  WatchCall::Reactor* Watch(grpc::CallbackServerContext* context,
                            const grpc::ByteBuffer* request) override {
    return WatchCall::start(board_, context, *request);
  }
  DownloadCall::Reactor* Download(grpc::CallbackServerContext* context,
                                  const grpc::ByteBuffer* request) override {
    return DownloadCall::start(board_, context, *request);
  }

 private:
  Switchboard& board_;
};

/// Called once a process. Health and reflection need no token, because load balancers and tools
/// have none. They only reveal the published proto file, and whether the server runs.
void set_up_grpc() {
  static std::once_flag once;
  std::call_once(once, [] {
    grpc::EnableDefaultHealthCheckService(true);
    grpc::reflection::InitProtoReflectionServerBuilderPlugin();
    // Debian's Abseil searches for deadlocks at every lock that gRPC takes. That costs a tenth of
    // gRPC's time, and a lock that all threads share.
    absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
    // Both write to standard error about anything that is sent to the port, without limit.
    // GRPC_VERBOSITY turns these messages on. NOLINTNEXTLINE(concurrency-mt-unsafe): the server
    // never changes it
    if (std::getenv("GRPC_VERBOSITY") == nullptr) {
      gpr_set_log_function([](gpr_log_func_args* /*args*/) {});
      google::protobuf::SetLogHandler(nullptr);
    }
  });
}

int count_of(milliseconds time) { return static_cast<int>(time.count()); }

void add_limits(grpc::ServerBuilder& builder, const ServerOptions& options) {
  builder.SetMaxReceiveMessageSize(static_cast<int>(options.most_message));
  const std::size_t buffers =
      options.memory == 0 ? kMostBuffers : std::min<std::size_t>(kMostBuffers, options.memory / 4);
  builder.SetResourceQuota(
      grpc::ResourceQuota("tocsin").Resize(buffers).SetMaxThreads(kMostThreads));
  builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, kMostCalls);
  builder.AddChannelArgument(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, count_of(kHandshake));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, count_of(options.keepalive));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, count_of(kPingTimeout));
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
  builder.AddChannelArgument(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
                             count_of(kClientPings));
  // A compressed message of 4 MiB may have 4 GiB unpacked, which the limit above does not bound.
  builder.AddChannelArgument(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_GZIP, false);
  builder.SetCompressionAlgorithmSupportStatus(GRPC_COMPRESS_DEFLATE, false);
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::NUM_CQS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::MIN_POLLERS, 1);
  builder.SetSyncServerOption(grpc::ServerBuilder::SyncServerOption::MAX_POLLERS, 1);
}

}  // namespace

struct Server::State {
  explicit State(std::uint64_t most_memory) : board(most_memory) {}

  ServerOptions options;
  // In the order of construction. Users are destroyed before what they use.
  Switchboard board;
  Calls calls{board};
  std::unique_ptr<Listener> listener;
  std::unique_ptr<grpc::experimental::ExternalConnectionAcceptor> acceptor;
  std::unique_ptr<grpc::Server> server;
  std::string address;
  std::mutex stopping;
  bool stopped = false;
  /// Watches the listener.
  std::mutex mutex;
  std::condition_variable wake;
  bool watching = true;
  std::atomic<bool> leaving{false};   ///< leave() was called
  std::atomic<bool> reachable{true};  ///< the last answer of the listener
  std::thread watcher;

  void serve(milliseconds interval);
  void say(bool serving);
  void watch(milliseconds interval);
  void stop_watching();
};

/// Passes connections on, and begins to watch whether they come.
void Server::State::serve(milliseconds interval) {
  say(true);
  listener->start([this](int descriptor) {
    grpc::experimental::ExternalConnectionAcceptor::NewConnectionParameters connection;
    connection.fd = descriptor;
    acceptor->HandleNewConnection(&connection);
  });
  watcher = std::thread([this, interval] { watch(interval); });
}

void Server::State::say(bool serving) {
  grpc::HealthCheckServiceInterface* const health = server->GetHealthCheckService();
  health->SetServingStatus(serving);
  health->SetServingStatus(v1::CollisionService::service_full_name(), serving);
}

void Server::State::watch(milliseconds interval) {
  std::unique_lock lock(mutex);
  while (!wake.wait_for(lock, interval, [this] { return !watching; })) {
    lock.unlock();
    const bool now = listener->answers(kOwnAnswer);
    lock.lock();
    if (watching && now != reachable.exchange(now)) say(now);
  }
}

void Server::State::stop_watching() {
  {
    const std::scoped_lock lock(mutex);
    watching = false;
  }
  wake.notify_all();
  if (watcher.joinable()) watcher.join();
}

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options,
                                              std::shared_ptr<Engine> engine,
                                              std::shared_ptr<Access> access) {
  if (const Status status = check_listening(options, access->asks_for_tokens()); !status) {
    return status.error();
  }
  Result<Credentials> credentials = load_credentials(options);
  if (!credentials) return credentials.error();
  const Result<ListenAddress> address = parse_listen_address(options.listen);
  if (!address) return address.error();
  if (const Status status = check_socket_file(*address); !status) return status.error();

  auto state = std::make_unique<State>(options.memory);
  state->board.names_by_certificate = !options.client_ca.empty() && !access->asks_for_tokens();
  state->board.engine = std::move(engine);
  state->board.credentials = std::make_shared<LiveCredentials>(std::move(credentials).value());
  state->options = options;
  state->board.events = options.events;
  state->board.admission_of_clients = std::make_unique<Admission>(
      std::move(access), state->board.engine->metrics(), options.events);
  state->board.opening_timeout = options.opening_timeout;
  state->board.draining_timeout = options.draining_timeout;
  if (const Status status = describe_avatar_models(state->board.models); !status) {
    return status.error();
  }
  auto listener = Listener::open(*address, options.connections, options.log);
  if (!listener) {
    return {ErrorCode::kResource,
            fmt::format("cannot listen on {}: {}", options.listen, listener.error().message)};
  }
  state->listener = std::move(listener).value();
  state->address = shown_address(*address, state->listener->port());
  set_up_grpc();
  grpc::ServerBuilder builder;
  add_limits(builder, options);
  state->acceptor = builder.experimental().AddExternalConnectionAcceptor(
      grpc::ServerBuilder::experimental_type::ExternalConnectionType::FROM_FD,
      LiveCredentials::for_grpc(state->board.credentials));
  builder.RegisterService(&state->calls);
  state->server = builder.BuildAndStart();
  if (!state->server) {
    return {ErrorCode::kResource, fmt::format("cannot serve on {}", options.listen)};
  }
  state->serve(options.listener_check);
  std::unique_ptr<Server> server(new Server);
  server->state_ = std::move(state);
  return server;
}

Server::~Server() { stop(milliseconds(0)); }

std::string Server::address() const { return state_->address; }

Admission& Server::admission() const { return *state_->board.admission_of_clients; }

ServerCounts Server::counts() const {
  const Switchboard& board = state_->board;
  return {.serving = state_->reachable && !state_->leaving && !board.closing,
          .accepted_connections = state_->listener->accepted(),
          .refused_connections = state_->listener->refused(),
          .waiting_openings = board.admission.waiting(),
          .waiting_chores = board.chores.waiting(WorkerPool::Lane::kInteractive) +
                            board.chores.waiting(WorkerPool::Lane::kSlow),
          .memory_budget = board.memory.most(),
          .memory_kept = board.memory.is_kept(),
          .memory_refusals = board.memory.refused()};
}

Status Server::reload_credentials() {
  Result<Credentials> read = load_credentials(state_->options);
  if (!read) return read.error();
  if (read->certificate.empty()) return {ErrorCode::kUsage, "there is no TLS"};
  state_->board.credentials->replace(std::move(read).value());
  return Nothing{};
}

void Server::leave() {
  const std::scoped_lock lock(state_->stopping);
  if (state_->stopped || state_->leaving.exchange(true)) return;
  state_->stop_watching();
  state_->say(false);
}

std::uint64_t Server::stop(milliseconds timeout) {
  const std::scoped_lock lock(state_->stopping);
  if (state_->stopped) return 0;
  state_->stopped = true;
  state_->stop_watching();
  state_->say(false);
  const auto latest = std::chrono::steady_clock::now() + timeout;
  state_->board.closing_until = latest;
  state_->board.closing = true;
  state_->board.streams.tell_closing();
  const std::uint64_t left = state_->board.engine->close(timeout);
  // What was checked is still being read.
  state_->board.streams.wait_until_over(latest);
  state_->listener->stop();  // gRPC would lose connections that come after its end
  state_->server->Shutdown(std::chrono::system_clock::now() + kLastCalls);
  state_->server->Wait();
  return left;
}

}  // namespace tocsin::service
