// Trees kept in a folder, so that an environment's tree is built once. docs/trees.md, "Cache".
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scene/tree/kdop_tree.h"
#include "scene/tree/topology.h"
#include "tocsin/environment.h"

namespace tocsin::detect {

/// What a tree's file is called: by what it is a tree of, how it was built and the format's version
/// (scene/tree/tree_bytes.h), so that rooms, options and programs share a folder.
/// "0123456789abcdef-k6-w8-sah-leaf8-v1.tree".
[[nodiscard]] std::string tree_file_name(const scene::TreeOptions& options,
                                         std::uint64_t fingerprint);

/// The environment's tree: the one in `folder` if that is sound, else a new one, which is then
/// written there. Both are the same to the bit. The folder is made if the one around it is there;
/// an empty path stands for no folder. Several threads and processes may do this at once.
///
/// A file that cannot be used (damaged, of another format, unreadable, not a file at all) or
/// written costs time and adds a sentence to `warnings` that names file and cause; it is never an
/// error. Throws std::bad_alloc only.
[[nodiscard]] scene::RoomTree load_or_build(const std::filesystem::path& folder,
                                            const Environment& environment,
                                            const scene::TreeOptions& options,
                                            std::vector<std::string>& warnings);

/// Trees that load_or_build() has built in this process, as no file had them. For tests.
[[nodiscard]] std::uint64_t trees_built();

}  // namespace tocsin::detect
