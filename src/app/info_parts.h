// What `tocsin info` says about each kind of file.
#pragma once

#include <string>
#include <vector>

#include "app/info.h"
#include "tocsin/io.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// What goes to standard output (text for people, or one JSON object), and what to standard error.
struct Description {
  std::string text;
  std::vector<std::string> warnings;
};

/// Errors are those of the readers, but for a unit that cannot be told: that is part of the
/// description. `contents`: what list_motions() says about the file.
Result<Description> describe_motion(const InfoOptions& options, const MotionContents& contents);
Result<Description> describe_room(const InfoOptions& options);
Result<Description> describe_avatar_model(const InfoOptions& options);

}  // namespace tocsin::app
