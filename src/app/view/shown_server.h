// What `tocsin view --from` is asked for.
#pragma once

#include <string>
#include <vector>

#include "tocsin/client.h"
#include "tocsin/io.h"
#include "view/watched/watched_story.h"

namespace tocsin::app {

/// Which server is shown.
struct ShownServer {
  ConnectionOptions connection;
  std::string token_file;  ///< whose first line is the token; empty: none
  WatchOptions what;
  /// Files of the room, which need not be downloaded then; none: it is downloaded.
  std::vector<std::string> room;
  EnvironmentOptions reading;  ///< how they are read
  view::KeptLimits limits;
};

}  // namespace tocsin::app
