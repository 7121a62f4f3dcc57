// `tocsin serve --http`: health and metrics beside the service.
#pragma once

#include <memory>
#include <string>

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

/// ", http on 127.0.0.1:9464". `address`: as for open_monitor().
std::string monitor_text(const std::string& address, const service::HttpServer& http);

}  // namespace tocsin::app
