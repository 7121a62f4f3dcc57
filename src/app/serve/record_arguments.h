// The options of `tocsin serve` about records.
#pragma once

#include <string>

#include "app/cli/parse_command.h"
#include "service/engine.h"

namespace tocsin::app {

class RecordArguments {
 public:
  void add(CLI::App& app);
  /// Throws UsageError.
  void resolve(service::EngineOptions& engine, service::RoomPolicy& rooms) const;

 private:
  std::string folder_;
  std::string reserve_ = "256";
  std::string quota_;
  std::string days_;
  bool required_ = false;
  bool sync_ = false;
};

}  // namespace tocsin::app
