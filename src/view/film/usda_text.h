// Writes the text of a .usda, prim by prim.
#pragma once

#include <fmt/format.h>

#include <array>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/output_file.h"
#include "tocsin/types.h"
#include "view/image.h"

namespace tocsin::view {

/// A text as a string of the format, in quotes. What is not UTF-8 becomes U+FFFD, control
/// characters become spaces.
std::string usd_string(const std::string& text);

/// A name that the format allows: letters, digits and underscores, no digit first.
std::string usd_name(const std::string& text);

/// Text values of the format.
std::string usd_vector(const Vec3& v);
std::string usd_quat(const Quat& q);

/// A time code and a value as text.
struct UsdSample {
  double code = 0.0;
  std::string value;
};

/// Prims are opened and closed in the order of the calls; names of siblings are made distinct.
class UsdaText {
 public:
  /// Errors (kResource).
  Status open(const std::string& file) { return out_.open(file); }
  Status finish();

  void line(std::string_view text);
  /// A name as `usd_name()` makes it, distinct among the prims of the open one.
  void begin(const char* type, const std::string& name);
  void end();

  /// `custom string tocsin:KEY = "..."`.
  void note(const char* key, const std::string& text);
  void samples(const char* attribute, std::span<const UsdSample> samples);
  /// The operations that place a prim, in the order in which they are written.
  void order(const char* operations);
  void colour(const Colour& colour);
  void mesh(std::span<const Vec3f> points, std::span<const TriangleIndices> triangles);

 private:
  void piece(std::string_view text) { written_ = written_ && out_.write(text); }

  base::OutputFile out_;
  bool written_ = true;
  std::vector<std::set<std::string>> names_{1};  ///< of the children of each open prim
};

}  // namespace tocsin::view
