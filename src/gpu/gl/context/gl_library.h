// Where OpenGL's functions come from. No library of OpenGL is linked: it is loaded with the first
// context.
#pragma once

#include "tocsin/result.h"

namespace tocsin::gl {

/// Sets first_functions (gpu/gl/context/gl.h). Thread-safe; once it has succeeded it does nothing.
/// Precondition: a context is current. Errors (kUnavailable): there is no libGL, and no EGL that
/// knows OpenGL's functions; names what to install.
Status load_first_functions();

}  // namespace tocsin::gl
