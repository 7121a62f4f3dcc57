#include "gpu/gl/context/egl_context.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "gpu/gl/context/functions.h"
#include "gpu/gl/context/unavailable.h"

namespace tocsin::gl {
namespace {

using Attributes = std::vector<EGLint>;

Attributes core_context(int major, int minor, bool debug) {
  Attributes out{EGL_CONTEXT_MAJOR_VERSION,       major,
                 EGL_CONTEXT_MINOR_VERSION,       minor,
                 EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT};
  if (debug) out.insert(out.end(), {EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE});
  return out;
}

Attributes tells_of_resets(Attributes attributes) {
  attributes.insert(attributes.end(),
                    {EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY, EGL_LOSE_CONTEXT_ON_RESET});
  return attributes;
}

class EglContext final : public Context {
 public:
  EglContext() = default;
  ~EglContext() override;

  /// Opens everything, and makes it current.
  Status open_at(const EglPlace& place, bool debug);

  [[nodiscard]] Status make_current() override;
  void release() override;

 private:
  /// A configuration and, where contexts cannot do without, a surface.
  Status choose_configuration();
  Status create_context(bool debug);

  const EglLibrary& egl_ = loaded_egl();
  EglDisplay display_;
  EGLConfig config_ = EGL_NO_CONFIG_KHR;
  EGLSurface surface_ = EGL_NO_SURFACE;
  EGLContext context_ = EGL_NO_CONTEXT;
};

EglContext::~EglContext() {
  if (display_.get() == EGL_NO_DISPLAY) return;
  release();
  if (context_ != EGL_NO_CONTEXT) egl_.destroy_context(display_.get(), context_);
  if (surface_ != EGL_NO_SURFACE) egl_.destroy_surface(display_.get(), surface_);
}

Status EglContext::open_at(const EglPlace& place, bool debug) {
  info_.way = place.name();
  info_.index = place.index;
  auto display = EglDisplay::open(place);
  if (!display) return display.error();
  display_ = std::move(display).value();
  Status status = choose_configuration();
  if (status) status = create_context(debug);
  if (status) status = make_current();
  if (status) status = open(debug);
  return status;
}

Status EglContext::choose_configuration() {
  const bool needs_config = !display_.has("EGL_KHR_no_config_context");
  const bool needs_surface = !display_.has("EGL_KHR_surfaceless_context");
  if (!needs_config && !needs_surface) return Nothing{};
  const std::array<EGLint, 5> wanted{EGL_SURFACE_TYPE, needs_surface ? EGL_PBUFFER_BIT : 0,
                                     EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  EGLint count = 0;
  if (egl_.choose_config(display_.get(), wanted.data(), &config_, 1, &count) == EGL_FALSE ||
      count == 0) {
    return unavailable("it has no configuration for OpenGL");
  }
  if (!needs_surface) return Nothing{};
  const std::array<EGLint, 5> size{EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
  surface_ = egl_.create_pbuffer_surface(display_.get(), config_, size.data());
  if (surface_ != EGL_NO_SURFACE) return Nothing{};
  return unavailable(fmt::format("it has no EGL_KHR_surfaceless_context, and gives no surface ({})",
                                 egl_.last_error()));
}

Status EglContext::create_context(bool debug) {
  if (egl_.bind_api(EGL_OPENGL_API) == EGL_FALSE) {
    return unavailable("it offers no OpenGL, only OpenGL ES");
  }
  const Attributes wanted = core_context(4, 5, debug);
  // The first one says when it is lost. Without that (the second) a device that has stopped
  // answering looks like one that draws nothing: the visibility test's control finds that out.
  // The last one is only made to say what is missing; a driver gives the highest version it has.
  for (Attributes attributes : {tells_of_resets(wanted), wanted, core_context(3, 2, debug)}) {
    attributes.push_back(EGL_NONE);
    context_ = egl_.create_context(display_.get(), config_, EGL_NO_CONTEXT, attributes.data());
    if (context_ != EGL_NO_CONTEXT) return Nothing{};
  }
  return unavailable(fmt::format("it gives no core context of OpenGL ({})", egl_.last_error()));
}

Status EglContext::make_current() {
  egl_.bind_api(EGL_OPENGL_API);  // a thread's own setting
  if (egl_.make_current(display_.get(), surface_, surface_, context_) != EGL_FALSE) {
    return Nothing{};
  }
  return unavailable(fmt::format("its context does not become current ({})", egl_.last_error()));
}

void EglContext::release() {
  egl_.make_current(display_.get(), EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  egl_.release_thread();
}

}  // namespace

Result<std::unique_ptr<Context>> open_egl_context(const EglPlace& place, bool debug,
                                                  ContextInfo& seen) {
  auto context = std::make_unique<EglContext>();
  const Status status = context->open_at(place, debug);
  seen = context->info();
  if (!status) return status.error();
  return std::unique_ptr<Context>(std::move(context));
}

Result<std::unique_ptr<Context>> open_egl_context(const EglPlace& place, bool debug) {
  ContextInfo seen;
  auto context = open_egl_context(place, debug, seen);
  if (context) return context;
  return {context.error().code, described(seen, context.error().message)};
}

}  // namespace tocsin::gl
