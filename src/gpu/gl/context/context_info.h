// What a context runs on, as its driver says.
#pragma once

#include <string>

namespace tocsin::gl {

/// What a context runs on, in the driver's own words.
struct ContextInfo {
  std::string vendor;
  std::string renderer;
  std::string version;
  std::string way;  ///< "EGL device 0", "EGL surfaceless", "SDL window (x11)"
  bool software = false;
  int index = -1;  ///< in list_devices(); -1: a window
};

}  // namespace tocsin::gl
