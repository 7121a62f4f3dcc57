#include "view/png.h"

#include <png.h>

#include <utility>

#include "base/output_file.h"

namespace tocsin::view {

Result<PngBytes> encode_png(const Image& image) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  header.width = static_cast<png_uint_32>(image.width);
  header.height = static_cast<png_uint_32>(image.height);
  header.format = PNG_FORMAT_RGB;
  const auto failed = [&header] {
    return Error{ErrorCode::kResource, std::string("PNG: ") + header.message};
  };
  // libpng's simplified interface does not longjmp out of its calls.
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(header);
  PngBytes out;
  out.bytes.resize(size);
  if (png_image_write_to_memory(&header, out.bytes.data(), &size, 0, image.rgb.data(), 0,
                                nullptr) == 0) {
    return failed();
  }
  out.bytes.resize(size);
  return out;
}

Status save_png(const Image& image, const std::string& file) {
  const auto png = encode_png(image);
  if (!png) return png.error();
  base::OutputFile output;
  if (auto opened = output.open(file); !opened) return opened;
  if (!output.write(png->bytes)) return output.error();
  return output.finish();
}

}  // namespace tocsin::view
