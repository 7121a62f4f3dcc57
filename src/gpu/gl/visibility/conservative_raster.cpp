#include "gpu/gl/visibility/conservative_raster.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gpu/gl/context/requirements.h"

namespace tocsin::gl {
namespace {

/// Pixels by which a device grows the triangles that it draws. The shader draws 1/256 and 16 u M of
/// a pixel more than a triangle touches, 1/85 at most where triangles are emitted (M < 4096), and
/// their corners err by 1/500: with less than that, pixels of the shader would be missed. Devices
/// grow by quarters.
constexpr GLfloat kDilation = 0.25F;

bool emits_triangles(RasterWay way) {
  return way == RasterWay::kNvidia || way == RasterWay::kPretend;
}

bool dilates_enough() {
  GLfloat range[2] = {0.0F, 0.0F};
  glGetFloatv(GL_CONSERVATIVE_RASTER_DILATE_RANGE_NV, range);
  return range[1] >= kDilation;
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
    case RasterWay::kPretend:
      break;
  }
  return "plain triangles";
}

RasterWay extension_here() {
  const std::vector<std::string> offered = offered_extensions();
  // Without the second, triangles are snapped first, and slivers vanish.
  for (const char* needed : {"GL_NV_conservative_raster", "GL_NV_conservative_raster_dilate",
                             "GL_NV_conservative_raster_pre_snap_triangles"}) {
    if (std::ranges::find(offered, needed) == offered.end()) return RasterWay::kShader;
  }
  const bool loaded =
      glConservativeRasterParameteriNV != nullptr && glConservativeRasterParameterfNV != nullptr;
  return loaded && dilates_enough() ? RasterWay::kNvidia : RasterWay::kShader;
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
    glConservativeRasterParameterfNV(GL_CONSERVATIVE_RASTER_DILATE_NV, kDilation);
  }
}

RasterScope::~RasterScope() {
  if (way_ == RasterWay::kNvidia) {
    glConservativeRasterParameterfNV(GL_CONSERVATIVE_RASTER_DILATE_NV, 0.0F);
    glDisable(GL_CONSERVATIVE_RASTERIZATION_NV);
  }
  glDisable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
}

}  // namespace tocsin::gl
