// The numbers of a glTF file's accessors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "io/import/buffer_files.h"

namespace tocsin::io {

/// A glTF file's bytes: the body of a binary file, buffers beside it, and those in its JSON.
class GltfBuffers {
 public:
  /// `file`: its path; `bytes`: all of it; `buffers`: those that read_buffers() read. All three and
  /// `top`, its JSON, must outlive this object.
  GltfBuffers(const std::string& file, std::string_view bytes, std::span<const BufferFile> buffers,
              const nlohmann::json& top)
      : file_(file), bytes_(bytes), files_(buffers), top_(top) {}

  [[nodiscard]] const nlohmann::json& top() const { return top_; }

  /// The bytes of a buffer view. Throws GltfFault, beginning with `where`: it does not exist, is
  /// compressed, or reaches beyond its buffer; the buffer is not there or shorter than it says.
  std::string_view view(const nlohmann::json& view, const std::string& where);

 private:
  std::string_view buffer(const nlohmann::json& buffer, bool is_body, const std::string& where);

  const std::string& file_;
  std::string_view bytes_;
  std::span<const BufferFile> files_;
  const nlohmann::json& top_;
  std::map<const nlohmann::json*, std::string> decoded_;  ///< of data: URIs
};

/// The elements of one accessor. Reads `byteStride`, sparse accessors, accessors without a buffer
/// view (zeros), and integers, normalised or not. Source: Khronos, glTF 2.0 specification, section
/// 3.6; of 1.0 the accessor's own byteStride.
class GltfAccessor {
 public:
  /// What the elements must be: `type` as "VEC3"; `integers`: unsigned integers and nothing else.
  struct Shape {
    const char* type;
    std::size_t width;  ///< numbers an element
    bool integers;
  };
  static constexpr Shape kPosition{"VEC3", 3, false};
  static constexpr Shape kIndex{"SCALAR", 1, true};

  /// `most`: elements that an accessor without a buffer view may claim. Throws GltfFault, beginning
  /// with `where`: another shape or number type, elements that do not fit in their bytes.
  GltfAccessor(GltfBuffers& buffers, const nlohmann::json& accessor, const Shape& shape,
               std::uint64_t most, const std::string& where);

  GltfAccessor(const GltfAccessor&) = delete;
  GltfAccessor& operator=(const GltfAccessor&) = delete;

  [[nodiscard]] std::size_t size() const { return count_; }
  /// A number of an element. Exact: every type's values are doubles, but for normalised ones, which
  /// are rounded once. Precondition: i < size(), k < the shape's width.
  [[nodiscard]] double number(std::size_t i, std::size_t k) const;

 private:
  /// Where elements lie.
  struct Run {
    std::string_view bytes;
    std::size_t stride = 0;
  };
  Run run_of(GltfBuffers& buffers, const nlohmann::json& owner, std::size_t count,
             std::size_t element, const std::string& where) const;
  void overlay(GltfBuffers& buffers, const nlohmann::json& sparse, const std::string& where);

  int type_ = 0;
  bool normalised_ = false;
  std::size_t element_ = 0;  ///< bytes of one
  std::size_t count_ = 0;
  Run run_;
  std::string own_;  ///< the elements of one that is sparse or has no buffer view
};

}  // namespace tocsin::io
