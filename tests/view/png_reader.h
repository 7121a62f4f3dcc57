// Reads PNG files row by row with libpng's classic interface: another way than the writer's.
#pragma once

#include <gtest/gtest.h>
#include <png.h>

#include <cstdio>
#include <string>

#include "view/image.h"

namespace tocsin::test {

/// An empty picture, and a failed test, if the file is no PNG of 8 bits RGB.
inline view::Image read_png(const std::string& file) {
  view::Image out;
  std::FILE* const in = std::fopen(file.c_str(), "rb");
  if (in == nullptr) {
    ADD_FAILURE() << "no file " << file;
    return out;
  }
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  if (setjmp(png_jmpbuf(png)) != 0) {  // NOLINT(cert-err52-cpp): libpng's way of failing
    ADD_FAILURE() << file << " is no sound PNG file";
  } else {
    png_init_io(png, in);
    png_read_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
    EXPECT_EQ(png_get_bit_depth(png, info), 8);
    EXPECT_EQ(png_get_color_type(png, info), PNG_COLOR_TYPE_RGB);
    EXPECT_EQ(png_get_valid(png, info, PNG_INFO_tIME), 0U);  // equal pictures are equal bytes
    out.width = static_cast<int>(png_get_image_width(png, info));
    out.height = static_cast<int>(png_get_image_height(png, info));
    png_bytepp const read = png_get_rows(png, info);
    for (int y = 0; y < out.height; ++y) {
      out.rgb.insert(out.rgb.end(), read[y], read[y] + 3 * static_cast<std::size_t>(out.width));
    }
  }
  png_destroy_read_struct(&png, &info, nullptr);
  (void)std::fclose(in);
  return out;
}

}  // namespace tocsin::test
