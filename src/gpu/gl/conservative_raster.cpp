#include "gpu/gl/conservative_raster.h"

#include <vector>

namespace tocsin::gl {
namespace {

bool emits_triangles(RasterWay way) {
  return way == RasterWay::kNvidia || way == RasterWay::kIntel || way == RasterWay::kPretend;
}

const char* define_of(PixelOutput output) {
  switch (output) {
    case PixelOutput::kDepth:
      return "DEPTH";
    case PixelOutput::kFlags:
      return "FLAGS";
    case PixelOutput::kQuery:
      break;
  }
  return "QUERY";
}

}  // namespace

const char* name_of(RasterWay way) {
  switch (way) {
    case RasterWay::kShader:
      return "shader";
    case RasterWay::kPlain:
      return "plain";
    case RasterWay::kNvidia:
      return "GL_NV_conservative_raster";
    case RasterWay::kIntel:
      return "GL_INTEL_conservative_rasterization";
    case RasterWay::kPretend:
      break;
  }
  return "plain triangles";
}

RasterWay extension_here() {
  // Without the second, triangles are snapped first, and slivers vanish.
  if (GLEW_NV_conservative_raster && GLEW_NV_conservative_raster_pre_snap_triangles) {
    return RasterWay::kNvidia;
  }
  return GLEW_INTEL_conservative_rasterization ? RasterWay::kIntel : RasterWay::kShader;
}

Result<Program> build_raster_program(RasterWay way, TriangleSource source, PixelOutput output) {
  std::vector<std::string> defines{source == TriangleSource::kSkin ? "SKIN" : "ROOM",
                                   define_of(output)};
  if (way == RasterWay::kPlain) defines.emplace_back("PLAIN");
  if (emits_triangles(way)) defines.emplace_back("TRIANGLES");
  return build_program({{GL_VERTEX_SHADER, {"slab", "conservative.vert"}},
                        {GL_FRAGMENT_SHADER, {"conservative.frag"}}},
                       defines);
}

RasterScope::RasterScope(RasterWay way, PixelOutput output) : way_(way) {
  for (const int state :
       {GL_CULL_FACE, GL_DEPTH_TEST, GL_STENCIL_TEST, GL_SCISSOR_TEST, GL_DITHER, GL_MULTISAMPLE,
        GL_SAMPLE_MASK, GL_RASTERIZER_DISCARD, GL_COLOR_LOGIC_OP, GL_PRIMITIVE_RESTART}) {
    glDisable(static_cast<GLenum>(state));
  }
  constexpr GLenum kClipDistances = 8;  // that every device has
  for (GLenum i = 0; i < kClipDistances; ++i) glDisable(GL_CLIP_DISTANCE0 + i);
  glClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  if (output == PixelOutput::kDepth) {
    glEnable(GL_BLEND);
    glBlendEquation(GL_MIN);
  } else {
    glDisable(GL_BLEND);
  }
  if (way == RasterWay::kNvidia) {
    glEnable(GL_CONSERVATIVE_RASTERIZATION_NV);
    glConservativeRasterParameteriNV(GL_CONSERVATIVE_RASTER_MODE_NV,
                                     GL_CONSERVATIVE_RASTER_MODE_PRE_SNAP_TRIANGLES_NV);
  } else if (way == RasterWay::kIntel) {
    glEnable(GL_CONSERVATIVE_RASTERIZATION_INTEL);
  }
}

RasterScope::~RasterScope() {
  if (way_ == RasterWay::kNvidia) glDisable(GL_CONSERVATIVE_RASTERIZATION_NV);
  if (way_ == RasterWay::kIntel) glDisable(GL_CONSERVATIVE_RASTERIZATION_INTEL);
  glDisable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
}

}  // namespace tocsin::gl
