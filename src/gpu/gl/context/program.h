// Programs from the texts of shaders/.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/gl/context/objects.h"
#include "tocsin/result.h"

namespace tocsin::gl {

/// One stage: the texts of these names (shader_text.h), one after another, what is used before what
/// uses it.
struct ShaderStage {
  GLenum kind = GL_VERTEX_SHADER;
  std::vector<std::string_view> texts;
};

/// Compiles and links. `defines`: "TILE 64" becomes the line "#define TILE 64" ahead of all texts
/// of all stages; ahead of those stands "#version 450 core" (the texts carry none of their own; an
/// #extension line is the first of its stage's first text). Errors (kUnavailable): a text that the
/// driver refuses, by name and with the driver's log, in which "1:23" is line 23 of the stage's
/// second text.
Result<Program> build_program(const std::vector<ShaderStage>& stages,
                              const std::vector<std::string>& defines = {});

}  // namespace tocsin::gl
