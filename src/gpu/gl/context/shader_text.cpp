#include "gpu/gl/context/shader_text.h"

namespace tocsin::gl {

std::string_view shader_text(std::string_view name) {
  for (const ShaderText& shader : embedded_shaders()) {
    if (shader.name == name) return shader.text;
  }
  return {};
}

}  // namespace tocsin::gl
