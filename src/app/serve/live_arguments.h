// The options of `tocsin serve` about motion capture over UDP.
#pragma once

#include <string>
#include <vector>

#include "app/cli/parse_command.h"
#include "app/serve/serve_options.h"
#include "service/metrics/live_metrics.h"

namespace tocsin::app {

class LiveArguments {
 public:
  void add(CLI::App& app);
  /// Throws UsageError.
  void resolve(ServeOptions& options) const;

 private:
  std::vector<std::string> vmc_;
  std::vector<std::string> xsens_;
  std::vector<std::string> udp_;
  std::string osc_out_;
};

/// `[ADDRESS:]PORT=ROOM[,KEY=VALUE...]`, the value of `option`. Throws UsageError.
LiveArgument parse_live(service::LiveProtocol protocol, const std::string& option,
                        const std::string& value);

}  // namespace tocsin::app
