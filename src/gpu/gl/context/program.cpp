#include "gpu/gl/context/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "gpu/gl/context/shader_text.h"

namespace tocsin::gl {
namespace {

Error refused(std::string message) { return {ErrorCode::kUnavailable, std::move(message)}; }

std::string names_of(const ShaderStage& stage) {
  return fmt::format("{}", fmt::join(stage.texts, " + "));
}

/// A text as a driver gives it, without line ends behind it.
template <class GetLength, class GetLog>
std::string log_of(GLuint name, GetLength get_length, GetLog get_log) {
  GLint length = 0;
  get_length(name, GL_INFO_LOG_LENGTH, &length);
  std::string text(static_cast<std::size_t>(std::max(length, 1)), '\0');
  GLsizei written = 0;
  get_log(name, static_cast<GLsizei>(text.size()), &written, text.data());
  text.resize(static_cast<std::size_t>(std::max(written, 0)));
  text.erase(text.find_last_not_of(" \n\0") + 1);
  return text.empty() ? "the driver gives no reason" : text;
}

/// All of a stage as one text; a #line before each part keeps the parts' own line numbers.
Result<std::string> source_of(const ShaderStage& stage, const std::vector<std::string>& defines) {
  std::string out = "#version 450 core\n";
  std::string definitions;
  for (const std::string& define : defines) definitions += fmt::format("#define {}\n", define);
  out += definitions;
  for (std::size_t i = 0; i < stage.texts.size(); ++i) {
    const std::string_view text = shader_text(stage.texts[i]);
    if (text.empty()) return refused(fmt::format("there is no shader {}", stage.texts[i]));
    out += fmt::format("#line 1 {}\n{}\n", i, text);
  }
  return out;
}

Result<Shader> compile(const ShaderStage& stage, const std::vector<std::string>& defines) {
  const auto source = source_of(stage, defines);
  if (!source) return source.error();
  Shader shader(glCreateShader(stage.kind));
  const GLchar* text = source->c_str();
  glShaderSource(shader.name(), 1, &text, nullptr);
  glCompileShader(shader.name());
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader.name(), GL_COMPILE_STATUS, &compiled);
  if (compiled != GL_FALSE) return shader;
  return refused(fmt::format("the driver refuses the shader {}: {}", names_of(stage),
                             log_of(shader.name(), glGetShaderiv, glGetShaderInfoLog)));
}

}  // namespace

Result<Program> build_program(const std::vector<ShaderStage>& stages,
                              const std::vector<std::string>& defines) {
  Program program(glCreateProgram());
  std::vector<std::string> names;
  for (const ShaderStage& stage : stages) {
    auto shader = compile(stage, defines);
    if (!shader) return shader.error();
    glAttachShader(program.name(), shader->name());  // which keeps it alive
    names.push_back(names_of(stage));
  }
  glLinkProgram(program.name());
  GLint linked = GL_FALSE;
  glGetProgramiv(program.name(), GL_LINK_STATUS, &linked);
  if (linked != GL_FALSE) return program;
  return refused(fmt::format("the driver does not link the shaders {}: {}", fmt::join(names, ", "),
                             log_of(program.name(), glGetProgramiv, glGetProgramInfoLog)));
}

}  // namespace tocsin::gl
