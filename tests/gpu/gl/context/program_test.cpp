// Programs from the embedded texts: what is refused is said by name and line.
#include "gpu/gl/context/program.h"

#include <fstream>
#include <iterator>
#include <string>

#include "gpu/gl/context/shader_text.h"
#include "gpu/gl/gl_test.h"
#include "support/contains.h"
#include "support/places.h"

namespace tocsin::test::program_test {
namespace {

/// Any text that is a whole stage without definitions.
const gl::ShaderStage kStage{GL_COMPUTE_SHADER, {"slab", "gather.comp"}};

class GlProgram : public GlTest {
 protected:
  /// Why these stages give no program; empty if they do.
  std::string refusal(const std::vector<gl::ShaderStage>& stages,
                      const std::vector<std::string>& defines) {
    std::string out;
    on_device([&] {
      const auto program = gl::build_program(stages, defines);
      EXPECT_EQ(program.ok(), program && program->name() != 0);
      if (!program) {
        EXPECT_EQ(program.error().code, ErrorCode::kUnavailable);
        out = program.error().message;
      }
    });
    forget_complaints();  // drivers complain about what they refuse
    return out;
  }
};

TEST_F(GlProgram, IsBuilt) { EXPECT_EQ(refusal({kStage}, {}), ""); }

TEST_F(GlProgram, ATextThatIsNotThere) {
  EXPECT_EQ(refusal({{GL_VERTEX_SHADER, {"no_such.vert"}}}, {}), "there is no shader no_such.vert");
}

TEST_F(GlProgram, ATextThatDoesNotCompile) {
  const std::string said = refusal({kStage}, {"layout this is no GLSL"});
  EXPECT_TRUE(contains(said, "refuses the shader slab + gather.comp: ")) << said;
  EXPECT_TRUE(contains(said, "error")) << said;
}

TEST_F(GlProgram, AStageThatDoesNotLink) {
  const std::string said = refusal({kStage}, {"main not_main"});
  EXPECT_TRUE(contains(said, "does not link the shaders slab + gather.comp: ")) << said;
}

TEST(ShaderText, IsTheFilesText) {
  ASSERT_FALSE(gl::embedded_shaders().empty());
  for (const gl::ShaderText& shader : gl::embedded_shaders()) {
    const std::string file = source_dir() + "/shaders/" + std::string(shader.name) + ".glsl";
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    EXPECT_EQ(shader.text, text) << file;
    EXPECT_EQ(gl::shader_text(shader.name).data(), shader.text.data());
    EXPECT_FALSE(contains(text, "#version")) << file << ": build_program() writes that line";
  }
  EXPECT_TRUE(gl::shader_text("no_such").empty());
}

}  // namespace
}  // namespace tocsin::test::program_test
