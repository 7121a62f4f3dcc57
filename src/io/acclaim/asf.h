// ASF skeletons (Acclaim, "Acclaim Skeleton File Definition V1.10", 1995), read.
#pragma once

#include <string_view>

#include "io/acclaim/asf_skeleton.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Reads the text of an ASF file; `file` is its name in messages.
///
/// Sections and the fields inside them may come in any order; `:skin`, limits, masses, ids and
/// documentation are passed over, and so are keywords that are not the format's (counted, in a
/// warning). Errors (kInput) are `file:line: cause`: a section or field that is missing or comes
/// twice, a number that is none, names that come twice or that nothing bears, a hierarchy that is
/// no tree under `root`, more than 16,384 bones.
Result<AsfSkeleton> parse_asf(std::string_view text, std::string_view file);

}  // namespace tocsin::io
