// The pages of `tocsin serve --http`. docs/reference/monitoring.md
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "service/access/allowance.h"
#include "service/engine.h"
#include "service/http/answer.h"
#include "service/http/readiness.h"
#include "service/rpc/server.h"

namespace tocsin::service {

/// What a monitor shows, and to whom.
struct MonitorOptions {
  std::filesystem::path record = {};  ///< folder of records; empty: there is none
  bool local = true;  ///< only this machine reaches the port, or tokens may cross the network
  std::shared_ptr<const OscCounts> osc = nullptr;  ///< of --osc-out; null: there is none
  bool by_names = false;  ///< clients are told apart by certificates, which this port has not
};

/// `/`, `/healthz`, `/readyz` and `/metrics`: for everybody who reaches the port. `/v1/events`: for
/// principals. Called by one thread.
class Monitor {
 public:
  /// `server` lives longer.
  Monitor(std::shared_ptr<Engine> engine, const Server& server, MonitorOptions options);

  HttpAnswer operator()(const HttpRequest& request);

 private:
  [[nodiscard]] Readiness readiness() const;
  HttpAnswer metrics();
  HttpAnswer events(const HttpRequest& request);

  const std::shared_ptr<Engine> engine_;
  const Server& server_;
  const MonitorOptions options_;
  const double start_;
  Allowance scrapes_;
};

}  // namespace tocsin::service
