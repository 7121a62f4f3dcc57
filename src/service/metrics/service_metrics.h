// The service's numbers as Prometheus reads them. docs/reference/monitoring.md lists them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "service/engine.h"
#include "service/metrics/process.h"
#include "service/rpc/server.h"

namespace tocsin::service {

/// Numbers that neither the engine nor the server knows.
struct SurroundingFigures {
  ProcessFigures process;
  bool ready = false;
  double start = 0.0;                                     ///< seconds since 1970
  std::optional<std::uint64_t> free_disk = std::nullopt;  ///< bytes for records
  std::shared_ptr<const OscCounts> osc = nullptr;         ///< of --osc-out; null: there is none
};

/// The text of `/metrics`. Names no principal, no session and no room of a client's. May take the
/// lock of each session for a moment.
std::string metrics_text(Engine& engine, const ServerCounts& server,
                         const SurroundingFigures& around);

}  // namespace tocsin::service
