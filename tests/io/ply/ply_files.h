// PLY files that tests write: headers and bodies in all three formats.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>

namespace tocsin::test {

enum class Ply { kText, kLittle, kBig };
inline constexpr Ply kAllPly[] = {Ply::kText, Ply::kLittle, Ply::kBig};

/// `lines` stand between the format line and end_header.
inline std::string ply_header(Ply format, const std::string& lines) {
  const char* const name = format == Ply::kText     ? "ascii"
                           : format == Ply::kLittle ? "binary_little_endian"
                                                    : "binary_big_endian";
  return fmt::format("ply\nformat {} 1.0\n{}end_header\n", name, lines);
}

/// The numbers of a body, one after the other.
class PlyBody {
 public:
  explicit PlyBody(Ply format) : format_(format) {}

  /// One number of the type T.
  template <class T>
  PlyBody& put(T value) {
    if (format_ == Ply::kText) {
      // Unary plus: a char is a number here.
      text_ += fmt::format("{} ", +value);
      return *this;
    }
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    const bool big = std::endian::native == std::endian::big;
    if ((format_ == Ply::kBig) != big) std::reverse(std::begin(bytes), std::end(bytes));
    text_.append(bytes, sizeof(T));
    return *this;
  }
  /// A list with a length of type L and values of type T.
  template <class L, class T>
  PlyBody& list(std::initializer_list<T> values) {
    put(static_cast<L>(values.size()));
    for (const T value : values) put(value);
    return *this;
  }
  /// The end of an element.
  PlyBody& end() {
    if (format_ == Ply::kText) text_ += '\n';
    return *this;
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  Ply format_;
  std::string text_;
};

inline const char* const kPlyXyz = "property float x\nproperty float y\nproperty float z\n";
inline const char* const kPlyFace = "property list uchar int vertex_indices\n";

/// A text file: three vertices (0,0,0) (1,0,0) (0,1,0), then one face, the lines given.
inline std::string ply_with_face(const std::string& face) {
  return ply_header(Ply::kText,
                    fmt::format("element vertex 3\n{}element face 1\n{}", kPlyXyz, kPlyFace)) +
         "0 0 0\n1 0 0\n0 1 0\n" + face;
}

}  // namespace tocsin::test
