#include "app/serve/serve_http.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "service/rpc/listen_address.h"

namespace tocsin::app {

using service::HttpServer;

namespace {

/// Of a person, and a script. Their descriptors are among those that the server keeps for itself.
constexpr std::size_t kControlConnections = 4;

}  // namespace

Result<std::unique_ptr<HttpServer>> open_monitor(const std::string& address,
                                                 const service::Log& log) {
  if (address.empty()) return std::unique_ptr<HttpServer>();
  const auto read = service::parse_listen_address(address);
  if (!read) return Error{read.error().code, "--http: " + read.error().message};
  if (const Status free = service::check_socket_file(*read); !free) {
    return Error{free.error().code, "--http: " + free.error().message};
  }
  auto out = HttpServer::open(*read, service::HttpLimits(), log);
  if (!out) {
    return Error{out.error().code,
                 fmt::format("--http: cannot listen on {}: {}", address, out.error().message)};
  }
  return out;
}

void start_monitor(HttpServer& http, std::shared_ptr<service::Monitor> monitor) {
  http.start([monitor = std::move(monitor)](const service::HttpRequest& request) {
    return (*monitor)(request);
  });
}

bool is_local(const std::string& address) {
  const auto read = service::parse_listen_address(address);
  return read.ok() && read->loopback;
}

std::string monitor_address(const std::string& address, const HttpServer& http) {
  // open_monitor() has read it before.
  return service::shown_address(service::parse_listen_address(address).value(), http.port());
}

std::filesystem::path control_path(const std::string& given, const std::filesystem::path& record) {
  constexpr const char* kName = "control.sock";
  if (!given.empty()) return std::filesystem::absolute(given);
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nobody changes the environment
  if (const char* const folder = std::getenv("RUNTIME_DIRECTORY")) {
    return std::filesystem::path(folder) / kName;
  }
  return record.empty() ? record : std::filesystem::absolute(record) / kName;
}

ControlSocket::ControlSocket(std::filesystem::path path, bool given, service::Log log)
    : path_(std::move(path)), given_(given), log_(std::move(log)) {}

Status ControlSocket::open() {
  if (path_.empty()) return Nothing{};
  const Status bound = bind();
  if (bound) return Nothing{};
  if (given_) return Error{bound.error().code, "--control: " + bound.error().message};
  log_(fmt::format("tocsin status cannot ask for now: {} (--control)", bound.error().message));
  return Nothing{};
}

Status ControlSocket::bind() {
  auto address = service::parse_listen_address("unix:" + path_.string());
  if (!address) return address.error();
  if (Status free = service::check_socket_file(*address); !free) return free;
  address->owner_only = true;
  service::HttpLimits limits;
  limits.connections = kControlConnections;
  limits.spare = kControlConnections;
  limits.posts = true;
  auto opened = HttpServer::open(*address, limits, log_);
  if (!opened) {
    return Error{opened.error().code,
                 fmt::format("cannot listen on {}: {}", path_.string(), opened.error().message)};
  }
  http_ = std::move(opened).value();
  return Nothing{};
}

void ControlSocket::start(std::shared_ptr<service::Engine> engine, const service::Server& server,
                          service::ControlOptions shown) {
  control_ = std::make_shared<service::Control>(std::move(engine), server, std::move(shown));
  if (http_) answer();
}

void ControlSocket::answer() {
  http_->start(
      [control = control_](const service::HttpRequest& request) { return (*control)(request); });
}

void ControlSocket::try_again() {
  if (http_ || path_.empty() || !control_) return;
  if (bind()) answer();
}

}  // namespace tocsin::app
