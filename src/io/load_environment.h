// tocsin::load_environment() for files that a client chose, with a record of what was read.
#pragma once

#include <filesystem>

#include "io/folder_guard.h"
#include "io/input_files.h"
#include "tocsin/environment.h"
#include "tocsin/io.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// As tocsin::load_environment(), which allows all files; opens no other file than `file` and those
/// that `guard` allows. `log`, unless it is null, gets the files that were read: the room, its
/// buffers. Errors: as there; kUsage: `file` refers to another, which is named; with a log also a
/// buffer that is no regular file or cannot be read, though nothing uses it.
Result<Environment> load_environment(const std::filesystem::path& file,
                                     const EnvironmentOptions& options, const FolderGuard& guard,
                                     InputLog* log);

}  // namespace tocsin::io
