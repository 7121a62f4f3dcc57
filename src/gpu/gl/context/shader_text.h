// The shaders, as text inside the library (cmake/TocsinEmbed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace tocsin::gl {

struct ShaderText {
  std::string_view name;  ///< file name in shaders/ without `.glsl`: "slab.vert"
  std::string_view text;
};

/// In order of name.
std::span<const ShaderText> embedded_shaders();

/// The text of shaders/<name>.glsl; empty if there is none.
std::string_view shader_text(std::string_view name);

}  // namespace tocsin::gl
