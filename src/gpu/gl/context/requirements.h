// What Tocsin needs of OpenGL, and what the current context lacks of it.
#pragma once

#include <string>
#include <vector>

#include "tocsin/result.h"

namespace tocsin::gl {

/// Looks at version, profile, extensions and limits of the current context. Errors (kUnavailable):
/// what is missing, by name.
Status check_requirements();

/// The extensions of the current context, by name. GLEW's own flags are those of whichever context
/// was opened last.
std::vector<std::string> offered_extensions();

}  // namespace tocsin::gl
