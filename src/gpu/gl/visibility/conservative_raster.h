// The programs that turn triangles into pixels, and the ways in which they may. docs/gl.md,
// "Conservative rasterisation".
#pragma once

#include <cstdint>

#include "gpu/gl/context/objects.h"
#include "gpu/gl/context/program.h"
#include "tocsin/result.h"

namespace tocsin::gl {

enum class RasterWay : std::uint8_t {
  kShader,   ///< rectangles around triangles, tested edge by edge
  kPlain,    ///< the same with pixel centres only
  kNvidia,   ///< triangles, by GL_NV_conservative_raster, dilated
  kPretend,  ///< triangles, and nothing that makes them conservative: for tests of the self-test
};
/// Its name, for a person: that of the extension, "shader" or "plain".
const char* name_of(RasterWay way);
/// The extension that the current context offers, with all that it needs; kShader if there is none.
RasterWay extension_here();

enum class TriangleSource : std::uint8_t { kSkin, kRoom };
enum class PixelOutput : std::uint8_t {
  kDepth,  ///< least and greatest depth, into an atlas
  kFlags,  ///< compared with those of an atlas: bits in a buffer
  kQuery,  ///< compared: discarded unless they meet
};

/// Errors: kUnavailable, the driver refuses the shaders.
Result<Program> build_raster_program(RasterWay way, TriangleSource source, PixelOutput output);

/// While it lives the context draws as `way` wants it, and is set up to draw rectangles at all:
/// nothing is culled, tested, blended or multiplied, however the context was used before.
class RasterScope {
 public:
  RasterScope(RasterWay way, PixelOutput output);
  RasterScope(const RasterScope&) = delete;
  RasterScope& operator=(const RasterScope&) = delete;
  ~RasterScope();

 private:
  RasterWay way_;
};

}  // namespace tocsin::gl
