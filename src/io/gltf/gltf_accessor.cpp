#include "io/gltf/gltf_accessor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/packed.h"
#include "base/quoted.h"
#include "io/gltf/glb.h"
#include "io/gltf/gltf_json.h"
#include "io/gltf/gltf_nodes.h"

namespace tocsin::io {
namespace {

using Json = nlohmann::json;

// From the format, not to be changed: the kinds of numbers (componentType).
constexpr int kByte = 5120;
constexpr int kUnsignedByte = 5121;
constexpr int kShort = 5122;
constexpr int kUnsignedShort = 5123;
constexpr int kUnsignedInt = 5125;

/// Bytes; 0: not a kind of number that is read.
std::size_t bytes_of(int type) {
  switch (type) {
    case kByte:
    case kUnsignedByte:
      return 1;
    case kShort:
    case kUnsignedShort:
      return 2;
    case kUnsignedInt:
    case kGltfFloat:
      return 4;
    default:
      return 0;
  }
}

double number_at(const char* at, int type) {
  const auto byte = [at](std::size_t i) -> unsigned { return static_cast<unsigned char>(at[i]); };
  switch (type) {
    case kByte:
      return static_cast<std::int8_t>(byte(0));
    case kUnsignedByte:
      return byte(0);
    case kShort:
      return static_cast<std::int16_t>(byte(0) | byte(1) << 8U);
    case kUnsignedShort:
      return byte(0) | byte(1) << 8U;
    case kUnsignedInt:
      return base::get_packed(at);
    default:
      return static_cast<double>(std::bit_cast<float>(base::get_packed(at)));
  }
}

/// Of an integer that stands for a fraction: -1 to 1, or 0 to 1.
double fraction(double value, int type) {
  switch (type) {
    case kByte:
      return std::max(value / 127.0, -1.0);
    case kUnsignedByte:
      return value / 255.0;
    case kShort:
      return std::max(value / 32767.0, -1.0);
    case kUnsignedShort:
      return value / 65535.0;
    default:
      return value;
  }
}

/// A number of bytes or elements, 0 where there is none.
std::size_t size_of(const Json& owner, const char* name, const std::string& where) {
  const Json* const value = member(owner, name);
  if (value == nullptr) return 0;
  const std::optional<std::size_t> size = gltf_index(value);
  if (!size) gltf_fail("{}: its {} is not a whole number", where, name);
  return *size;
}

int type_of(const Json& owner, const std::string& where) {
  const auto type =
      static_cast<int>(std::min<std::size_t>(size_of(owner, "componentType", where), 1U << 20U));
  if (bytes_of(type) == 0) gltf_fail("{}: numbers of the unknown type {}", where, type);
  return type;
}

/// What follows "base64,", decoded; nothing if it is no base64.
std::optional<std::string> decoded_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string out;
  out.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    unsigned digit = 64;
    if (c >= 'A' && c <= 'Z') digit = static_cast<unsigned>(c - 'A');
    if (c >= 'a' && c <= 'z') digit = static_cast<unsigned>(c - 'a') + 26;
    if (c >= '0' && c <= '9') digit = static_cast<unsigned>(c - '0') + 52;
    if (c == '+' || c == '-') digit = 62;
    if (c == '/' || c == '_') digit = 63;
    if (digit == 64) return std::nullopt;
    bits = (bits << 6U | digit) & 0xFFFFU;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xFFU);
  }
  return out;
}

/// The part of a binary file that is its first buffer; empty if there is none. Version 2 has it in
/// a chunk of its own, version 1 behind the JSON.
std::string_view body_of(std::string_view bytes) {
  constexpr std::size_t kHeads = kGlbHead + kGlbChunkHead;
  if (!bytes.starts_with(kGlbMagic) || bytes.size() < kHeads) return {};
  const std::size_t json_end = kHeads + gltf_json(bytes).size();
  if (base::get_packed(bytes.data() + kGlbMagic.size()) < 2) return bytes.substr(json_end);
  if (bytes.size() < json_end + kGlbChunkHead) return {};
  const std::size_t size = base::get_packed(bytes.data() + json_end);
  return bytes.substr(json_end + kGlbChunkHead, size);
}

}  // namespace

std::string_view GltfBuffers::buffer(const Json& buffer, bool is_body, const std::string& where) {
  const Json* const uri = member(buffer, "uri");
  if (is_body) return body_of(bytes_);
  if (uri == nullptr || !uri->is_string()) gltf_fail("{}: its buffer has no uri", where);
  const auto& text = uri->get_ref<const std::string&>();
  if (text.starts_with("data:")) {
    const auto [at, is_new] = decoded_.try_emplace(&buffer);
    if (!is_new) return at->second;
    constexpr std::string_view kMark = "base64,";
    const std::size_t mark = text.find(kMark);
    std::optional<std::string> bytes;
    if (mark != std::string::npos) {
      bytes = decoded_base64(std::string_view(text).substr(mark + kMark.size()));
    }
    if (!bytes) gltf_fail("{}: its buffer's data: is not base64", where);
    return at->second = std::move(*bytes);
  }
  const std::string path = buffer_path(file_, text);
  for (const BufferFile& file : files_) {
    if (file.file == path) return file.bytes;
  }
  gltf_fail("{}: its buffer {} cannot be read", where, base::in_quotes(text, 500));
}

std::string_view GltfBuffers::view(const Json& view, const std::string& where) {
  if (const Json* const extensions = member(view, "extensions"); extensions != nullptr) {
    for (const auto& [name, value] : extensions->items()) {
      if (name.find("compression") == std::string::npos) continue;
      gltf_fail("{}: compressed ({}), which is not read; write the file without it", where,
                base::in_quotes(name));
    }
  }
  const Json& owner = gltf_referred(top_, "buffers", view, "buffer", where);
  const Json& reference = *member(view, "buffer");
  // The body is the first buffer, if that has no uri; in glTF 1.0 the one of these names.
  const bool named = reference == "binary_glTF" || reference == "KHR_binary_glTF";
  const bool is_body = bytes_.starts_with(kGlbMagic) &&
                       (named || (reference == 0 && member(owner, "uri") == nullptr));
  const std::string_view bytes = buffer(owner, is_body, where);
  const std::size_t offset = size_of(view, "byteOffset", where);
  const std::size_t length = size_of(view, "byteLength", where);
  if (offset > bytes.size() || length > bytes.size() - offset) {
    gltf_fail("{}: {} bytes from {} on are not in its buffer, which has {}", where, length, offset,
              bytes.size());
  }
  // glTF 1.0 lets a view go on to the end of its buffer.
  return bytes.substr(offset, member(view, "byteLength") == nullptr ? bytes.size() : length);
}

GltfAccessor::Run GltfAccessor::run_of(GltfBuffers& buffers, const Json& owner, std::size_t count,
                                       std::size_t element, const std::string& where) const {
  const Json& view = gltf_referred(buffers.top(), "bufferViews", owner, "bufferView", where);
  std::string_view bytes = buffers.view(view, where);
  std::size_t stride = size_of(view, "byteStride", where);
  if (stride == 0) stride = size_of(owner, "byteStride", where);  // as glTF 1.0 has it
  if (stride == 0) stride = element;
  if (stride < element) gltf_fail("{}: a byteStride of {} for {} bytes", where, stride, element);
  const std::size_t offset = size_of(owner, "byteOffset", where);
  const std::size_t size = bytes.size();
  const bool fits = count == 0 || (offset <= size && size - offset >= element &&
                                   count - 1 <= (size - offset - element) / stride);
  if (!fits) {
    gltf_fail("{}: {} elements of {} bytes from {} on do not fit in {} bytes", where, count, stride,
              offset, size);
  }
  return {count == 0 ? std::string_view{} : bytes.substr(offset), stride};
}

GltfAccessor::GltfAccessor(GltfBuffers& buffers, const Json& accessor, const Shape& shape,
                           std::uint64_t most, const std::string& where)
    : type_(type_of(accessor, where)),
      normalised_(accessor.value("normalized", Json(false)) == Json(true)),
      element_(shape.width * bytes_of(type_)),
      count_(size_of(accessor, "count", where)) {
  const bool is_integer = type_ != kGltfFloat;
  const bool is_signed = type_ == kByte || type_ == kShort;
  if (shape.integers ? !is_integer || is_signed : type_ == kUnsignedInt) {
    gltf_fail("{}: numbers of type {}, which are not allowed there", where, type_);
  }
  const std::string type = gltf_text(accessor, "type", "");
  if (type != shape.type) {
    gltf_fail("{}: of type {}, not {}", where, base::in_quotes(type), shape.type);
  }
  if (member(accessor, "bufferView") != nullptr) {
    run_ = run_of(buffers, accessor, count_, element_, where);
  } else {
    if (count_ > most) gltf_fail("{}: claims {} elements without bytes", where, count_);
    own_.assign(count_ * element_, '\0');
    run_ = {own_, element_};
  }
  const Json* const sparse = member(accessor, "sparse");
  if (sparse != nullptr) overlay(buffers, *sparse, where + ", sparse");
}

void GltfAccessor::overlay(GltfBuffers& buffers, const Json& sparse, const std::string& where) {
  if (own_.empty()) {
    own_.reserve(count_ * element_);
    for (std::size_t i = 0; i < count_; ++i) {
      own_ += run_.bytes.substr(i * run_.stride, element_);
    }
    run_ = {own_, element_};
  }
  const std::size_t count = size_of(sparse, "count", where);
  const Json* const indices = member(sparse, "indices");
  const Json* const values = member(sparse, "values");
  if (indices == nullptr || values == nullptr) gltf_fail("{}: without indices or values", where);
  const int type = type_of(*indices, where);
  if (type != kUnsignedByte && type != kUnsignedShort && type != kUnsignedInt) {
    gltf_fail("{}: indices of type {}", where, type);
  }
  const Run at = run_of(buffers, *indices, count, bytes_of(type), where);
  const Run with = run_of(buffers, *values, count, element_, where);
  for (std::size_t i = 0; i < count; ++i) {
    const auto index = static_cast<std::size_t>(number_at(at.bytes.data() + i * at.stride, type));
    if (index >= count_) gltf_fail("{}: index {} is out of range", where, index);
    std::memcpy(own_.data() + index * element_, with.bytes.data() + i * with.stride, element_);
  }
}

double GltfAccessor::number(std::size_t i, std::size_t k) const {
  const double value = number_at(run_.bytes.data() + i * run_.stride + k * bytes_of(type_), type_);
  return normalised_ ? fraction(value, type_) : value;
}

}  // namespace tocsin::io
