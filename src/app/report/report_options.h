// The options of `tocsin report`.
#pragma once

#include <string>
#include <vector>

namespace tocsin::app {

struct ReportOptions {
  std::vector<std::string> reports;  ///< at least one
  std::string html;                  ///< the page; of several reports, their index
  bool scene = true;                 ///< with a 3D view
};

}  // namespace tocsin::app
