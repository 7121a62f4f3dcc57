// Descriptions of each kind of file for `tocsin info`.
#pragma once

#include <string>
#include <vector>

#include "app/info/info_options.h"
#include "tocsin/io.h"
#include "tocsin/result.h"

namespace tocsin::app {

/// What goes to standard output (text for people, or one JSON object), and what to standard error.
struct Description {
  std::string text;
  std::vector<std::string> warnings;
};

/// Errors are those of the readers. An unknown unit is no error but part of the description.
/// `contents`: the result of list_motions().
Result<Description> describe_motion(const InfoOptions& options, const MotionContents& contents);
Result<Description> describe_room(const InfoOptions& options);
Result<Description> describe_avatar_model(const InfoOptions& options);

}  // namespace tocsin::app
