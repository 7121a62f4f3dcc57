// What `tocsin selftest` is asked for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "tocsin/detector_options.h"

namespace tocsin::app {

struct SelftestOptions {
  /// The backends that are tested; none: all, and those that do not work here are listed with the
  /// reason.
  std::optional<Backend> backend;
  bool emulate = false;             ///< CUDA's kernel bodies on the CPU
  std::vector<int> cuda_devices;    ///< DetectorOptions::cuda.devices
  double seconds = 60.0;            ///< for everything; the least of it is always finished
  std::optional<std::size_t> only;  ///< the number of the only case; nothing is measured then
  bool verbose = false;             ///< a row for each case in the text
  std::string json;                 ///< file, or "-"; empty: none
  std::string failed = "selftest-failed";  ///< folder for the smallest case that differs
};

}  // namespace tocsin::app
