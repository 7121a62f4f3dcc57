// OpenGL's functions, and whether what the current context offers suffices.
#pragma once

#include <string>

#include "gpu/gl/context/context_info.h"
#include "tocsin/result.h"

namespace tocsin::gl {

/// Loads the functions for the current context (gpu/gl/context/gl.h then works on every thread that
/// has a context). Fills `info` but for `way`, even where it fails. Errors (kUnavailable): what is
/// missing, by name.
Status open_functions(ContextInfo& info);

/// A problem with a device, for a person: "EGL device 0 (llvmpipe ..., 4.3 ...): problem".
std::string described(const ContextInfo& info, const std::string& problem);

}  // namespace tocsin::gl
