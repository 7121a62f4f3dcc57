// The pages of `tocsin serve --http`. docs/reference/monitoring.md
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "service/access/allowance.h"
#include "service/engine.h"
#include "service/http/answer.h"
#include "service/rpc/server.h"

namespace tocsin::service {

/// `/healthz`, `/readyz` and `/metrics`: for everybody who reaches the port. An HttpHandler, so for
/// one thread.
class Monitor {
 public:
  /// `server` lives longer. `record`: folder of records; empty: there is none.
  Monitor(std::shared_ptr<Engine> engine, const Server& server, std::filesystem::path record);

  HttpAnswer operator()(const HttpRequest& request);

 private:
  struct Readiness {
    bool ready = false;
    std::string text;  ///< a line for each thing that was looked at
  };
  [[nodiscard]] Readiness readiness() const;
  HttpAnswer metrics();

  const std::shared_ptr<Engine> engine_;
  const Server& server_;
  const std::filesystem::path record_;
  const double start_;
  Allowance scrapes_;
};

}  // namespace tocsin::service
