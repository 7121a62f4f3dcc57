#include "gpu/gl/context/requirements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "gpu/gl/context/gl.h"
#include "gpu/gl/context/unavailable.h"

namespace tocsin::gl {
namespace {

/// Parts of OpenGL 4.3 to 4.5 that are used, by the names under which an older context may have
/// them: so that a message says what is missing, and not only a version.
constexpr const char* kNeededExtensions[] = {
    "GL_ARB_compute_shader", "GL_ARB_multi_draw_indirect", "GL_ARB_shader_storage_buffer_object",
    "GL_ARB_buffer_storage", "GL_ARB_query_buffer_object", "GL_ARB_direct_state_access",
    "GL_KHR_robustness",
};

struct NeededLimit {
  GLenum limit;
  const char* name;
  GLint least;
};

/// Limits for which OpenGL 4.5 itself promises less than the shaders use.
constexpr NeededLimit kNeededLimits[] = {
    // Vertex shaders fetch triangles from storage buffers (vertices, triangles, slabs, pairs, the
    // list of what is drawn); the specification allows 0.
    {GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS, "GL_MAX_VERTEX_SHADER_STORAGE_BLOCKS", 5},
};

GLint integer_of(GLenum name) {
  GLint value = 0;
  glGetIntegerv(name, &value);
  return value;
}

std::vector<std::string> missing_extensions() {
  const std::vector<std::string> offered = offered_extensions();
  std::vector<std::string> out;
  std::copy_if(std::begin(kNeededExtensions), std::end(kNeededExtensions), std::back_inserter(out),
               [&](const char* name) {
                 return std::find(offered.begin(), offered.end(), name) == offered.end();
               });
  return out;
}

}  // namespace

std::vector<std::string> offered_extensions() {
  std::vector<std::string> out;
  const GLint count = integer_of(GL_NUM_EXTENSIONS);
  for (GLint i = 0; i < count; ++i) {
    // GLEW's own is only there once a context was found to suffice.
    const GLubyte* name = first_functions.GetStringi(GL_EXTENSIONS, static_cast<GLuint>(i));
    if (name != nullptr) out.emplace_back(reinterpret_cast<const char*>(name));
  }
  return out;
}

Status check_requirements() {
  // Both are from 3.0 on; an older context leaves 0.
  const GLint major = integer_of(GL_MAJOR_VERSION);
  const GLint minor = integer_of(GL_MINOR_VERSION);
  if (major < 3) return unavailable("OpenGL 4.5 is needed");
  if (major * 10 + minor < 45) {
    const std::vector<std::string> missing = missing_extensions();
    return unavailable(fmt::format("OpenGL 4.5 is needed, this is {}.{}{}{}", major, minor,
                                   missing.empty() ? "" : " without ", fmt::join(missing, ", ")));
  }
  if ((integer_of(GL_CONTEXT_PROFILE_MASK) & GL_CONTEXT_CORE_PROFILE_BIT) == 0) {
    return unavailable("OpenGL's core profile is needed");
  }
  for (const NeededLimit& needed : kNeededLimits) {
    const GLint value = integer_of(needed.limit);
    if (value >= needed.least) continue;
    return unavailable(fmt::format("{} is {}, {} is needed", needed.name, value, needed.least));
  }
  return Nothing{};
}

}  // namespace tocsin::gl
