#include "app/serve/serve_http.h"

#include <fmt/format.h>

#include <utility>

#include "service/rpc/listen_address.h"

namespace tocsin::app {

using service::HttpServer;

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

std::string monitor_text(const std::string& address, const HttpServer& http) {
  // open_monitor() has read it before.
  return ", http on " +
         service::shown_address(service::parse_listen_address(address).value(), http.port());
}

}  // namespace tocsin::app
