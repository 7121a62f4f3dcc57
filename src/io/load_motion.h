// tocsin::load_motion() with a record of what was read.
#pragma once

#include <filesystem>

#include "io/input_files.h"
#include "tocsin/io.h"

namespace tocsin::io {

/// As tocsin::load_motion(). `log`, unless it is null, gets the files that were read: the motion,
/// its buffers, its skeleton. Errors: as there; with a log also a buffer that is no regular file or
/// cannot be read, though nothing uses it.
Result<Motion> load_motion(const std::filesystem::path& file, const MotionOptions& options,
                           InputLog* log);

}  // namespace tocsin::io
