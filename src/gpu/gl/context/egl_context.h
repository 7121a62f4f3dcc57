// Headless contexts by EGL.
#pragma once

#include <memory>

#include "gpu/gl/context/context.h"
#include "gpu/gl/context/egl_display.h"

namespace tocsin::gl {

/// A context at this place, current on the calling thread. `seen`: what could be learned about the
/// device, even where it fails. Errors (kUnavailable): what is missing, without the place's name.
Result<std::unique_ptr<Context>> open_egl_context(const EglPlace& place, bool debug,
                                                  ContextInfo& seen);

/// The same; errors name place and device.
Result<std::unique_ptr<Context>> open_egl_context(const EglPlace& place, bool debug);

}  // namespace tocsin::gl
