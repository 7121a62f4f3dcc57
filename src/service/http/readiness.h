// Whether clients can use a server: what /readyz, /metrics and `tocsin status` say.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "service/engine.h"
#include "service/rpc/server.h"

namespace tocsin::service {

struct Readiness {
  struct Look {
    const char* what;   ///< "listener", "memory", "disk"
    std::string wrong;  ///< empty: it is well
  };
  std::vector<Look> looks;
  std::optional<std::uint64_t> free_disk;  ///< bytes for records; none: they cannot be written

  [[nodiscard]] bool ready() const;
  /// A line for each look.
  [[nodiscard]] std::string text() const;
};

/// `record`: the folder of records; empty: nothing is recorded.
Readiness readiness_of(const Engine& engine, const Server& server,
                       const std::filesystem::path& record);

}  // namespace tocsin::service
