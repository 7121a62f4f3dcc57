// `tocsin serve --http` and `--control`: health, metrics and the operator's socket beside the
// service.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "service/http/control.h"
#include "service/http/http_server.h"
#include "service/http/monitor.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// Binds, so that a port that is taken is found before rooms are loaded. `address`: HOST:PORT;
/// empty: null is returned.  Errors (kUsage): the address; kResource: it is
/// taken.
Result<std::unique_ptr<service::HttpServer>> open_monitor(const std::string& address,
                                                          const service::Log& log);

/// From now on it answers.
void start_monitor(service::HttpServer& http, std::shared_ptr<service::Monitor> monitor);

/// True if tokens may come to that address: it is this machine's. `address`: as for open_monitor().
bool is_local(const std::string& address);

/// "127.0.0.1:9464". `address`: as for open_monitor().
std::string monitor_address(const std::string& address, const service::HttpServer& http);

/// Where the control socket is: as given, or else control.sock in $RUNTIME_DIRECTORY (systemd), or
/// else in the folder of records; empty: nowhere.
std::filesystem::path control_path(const std::string& given, const std::filesystem::path& record);

/// The socket of `tocsin status`. Where nobody gave its path, a server that cannot have it serves
/// without, says so once, and tries again: in an upgrade the server before still has it.
class ControlSocket {
 public:
  /// `path`: empty: there is none. `given`: by the operator.
  ControlSocket(std::filesystem::path path, bool given, service::Log log);

  /// Errors, only if it was given: kUsage: no path for a socket file; kResource: another server has
  /// it, or the system's message.
  Status open();
  /// From now on it answers. `server` lives longer than this object.
  void start(std::shared_ptr<service::Engine> engine, const service::Server& server,
             service::ControlOptions shown);
  /// Call it now and then.
  void try_again();

 private:
  Status bind();
  void answer();

  const std::filesystem::path path_;
  const bool given_;
  const service::Log log_;
  std::unique_ptr<service::HttpServer> http_;
  std::shared_ptr<service::Control> control_;
};

}  // namespace tocsin::app
