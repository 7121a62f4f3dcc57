// What Tocsin needs of OpenGL, and what the current context lacks of it.
#pragma once

#include "tocsin/result.h"

namespace tocsin::gl {

/// Looks at version, profile, extensions and limits of the current context. Errors (kUnavailable):
/// what is missing, by name.
Status check_requirements();

}  // namespace tocsin::gl
