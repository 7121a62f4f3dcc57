// Pictures as PNG files (ISO/IEC 15948), by libpng.
#pragma once

#include <string>

#include "tocsin/result.h"
#include "view/image.h"

namespace tocsin::view {

/// The bytes of a PNG file: 8 bits a channel, no time stamp, so that equal pictures are equal
/// bytes. Holds up to twice the picture in memory.
struct PngBytes {
  std::string bytes;
};
/// Errors (kResource): memory. Precondition: a picture of at least one pixel.
Result<PngBytes> encode_png(const Image& image);

/// Writes a PNG file, whole or not at all (base/output_file.h); "-": standard output. Errors
/// (kResource).
Status save_png(const Image& image, const std::string& file);

}  // namespace tocsin::view
