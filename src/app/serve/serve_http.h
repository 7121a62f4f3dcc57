// `tocsin serve --http`: health and metrics beside the service.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "service/engine.h"
#include "service/http/http_server.h"
#include "service/rpc/server.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// Binds, so that a port that is taken is found before rooms are loaded. `address`: HOST:PORT;
/// empty: null is returned. `quiet`: no notes. Errors (kUsage): the address; kResource: it is
/// taken.
Result<std::unique_ptr<service::HttpServer>> open_monitor(const std::string& address, bool quiet,
                                                          const service::Log& log);

/// From now on it answers. `server` lives longer. `record`: folder of records; empty: none.
void start_monitor(service::HttpServer& http, const std::shared_ptr<service::Engine>& engine,
                   const service::Server& server, const std::filesystem::path& record);

/// ", http on 127.0.0.1:9464". `address`: as for open_monitor().
std::string monitor_text(const std::string& address, const service::HttpServer& http);

}  // namespace tocsin::app
