// From the lines of an ASF's hierarchy to a tree of bones.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "io/acclaim/asf_skeleton.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// `child` starts at the end of `parent`; empty: a line that names no child.
struct AsfLink {
  std::string_view parent;
  std::string_view child;
  std::int64_t line = 0;
};

/// Connects the bones to a tree and orders them: each bone is followed by its descendants, siblings
/// are in the order of the links. `bones[0]` is the root, `lines[i]` where bones[i] begins;
/// `out.names` holds their names and indices, and is renewed. Errors (kInput): `file:line: cause`.
Status grow_asf_tree(std::vector<AsfBone> bones, const std::vector<std::int64_t>& lines,
                     const std::vector<AsfLink>& links, AsfSkeleton& out);

}  // namespace tocsin::io
