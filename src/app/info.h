// `tocsin info`: what is in a take, a room or an avatar model.
#pragma once

#include <optional>
#include <string>

#include "app/exit_status.h"
#include "tocsin/types.h"

namespace tocsin::app {

struct InfoOptions {
  std::string file;
  bool tree = false;  ///< show the tree of joints
  bool all = false;   ///< show every object
  bool json = false;
  std::optional<double> motion_unit;  ///< metres; none: auto
  UpAxis motion_up = UpAxis::kY;
  UpAxis env_up = UpAxis::kY;
  double env_scale = 1.0;
};

ExitStatus run_info(const InfoOptions& options);

}  // namespace tocsin::app
