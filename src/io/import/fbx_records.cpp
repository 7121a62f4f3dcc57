#include "io/import/fbx_records.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace tocsin::io {
namespace {

constexpr std::string_view kFbxMagic("Kaydara FBX Binary  \0", 21);
/// From here on: version, then records.
constexpr std::size_t kVersionAt = 23;
/// Deflate cannot shrink by more than this; what claims more is no data.
constexpr std::uint64_t kMaxInflation = 1032;
/// From this version on, records hold 64-bit offsets.
constexpr std::uint64_t kWideVersion = 7500;

/// Reads little-endian numbers; nothing where the file ends.
class ByteCursor {
 public:
  ByteCursor(std::string_view bytes, std::size_t at) : bytes_(bytes), at_(at) {}
  [[nodiscard]] std::size_t at() const { return at_; }
  void skip(std::uint64_t n) { at_ = n > bytes_.size() - at_ ? bytes_.size() : at_ + n; }
  std::optional<std::uint64_t> number(std::size_t size) {
    if (size > bytes_.size() - at_) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) {
      value = value << 8U | static_cast<unsigned char>(bytes_[at_ + i]);
    }
    at_ += size;
    return value;
  }

 private:
  std::string_view bytes_;
  std::size_t at_;
};

std::uint64_t element_size(char type) {
  switch (type) {
    case 'd':
    case 'l':
      return 8;
    case 'f':
    case 'i':
      return 4;
    default:
      return 1;
  }
}

/// Bytes of a property that is no array.
std::optional<std::uint64_t> scalar_size(char type) {
  switch (type) {
    case 'C':
      return 1;
    case 'Y':
      return 2;
    case 'F':
    case 'I':
      return 4;
    case 'D':
    case 'L':
      return 8;
    default:
      return std::nullopt;
  }
}

/// Looks at the arrays among a record's properties.
std::string property_fault(std::string_view bytes, std::size_t begin, std::uint64_t count,
                           std::size_t end) {
  ByteCursor cursor(bytes.substr(0, end), begin);
  for (std::uint64_t i = 0; i < count && cursor.at() < end; ++i) {
    const char type = static_cast<char>(cursor.number(1).value_or(0));
    if (const auto size = scalar_size(type)) {
      cursor.skip(*size);
    } else if (type == 'S' || type == 'R') {
      cursor.skip(cursor.number(4).value_or(end));
    } else if (type == 'f' || type == 'd' || type == 'l' || type == 'i' || type == 'b' ||
               type == 'c') {
      const std::uint64_t elements = cursor.number(4).value_or(0);
      cursor.skip(4);  // the encoding
      const std::uint64_t stored = cursor.number(4).value_or(0);
      if (elements * element_size(type) > kMaxInflation * (stored + 1)) {
        return fmt::format("byte {}: an array claims {} elements in {} bytes", cursor.at(),
                           elements, stored);
      }
      cursor.skip(stored);
    } else {
      return {};
    }
  }
  return {};
}

}  // namespace

bool is_binary_fbx(std::string_view bytes) { return bytes.starts_with(kFbxMagic); }

std::string fbx_record_fault(std::string_view bytes, int max_depth) {
  ByteCursor cursor(bytes, kVersionAt < bytes.size() ? kVersionAt : bytes.size());
  const std::size_t width = cursor.number(4).value_or(0) >= kWideVersion ? 8 : 4;
  std::vector<std::uint64_t> open;  // where the records around this one end
  while (cursor.at() < bytes.size()) {
    while (!open.empty() && cursor.at() >= open.back()) open.pop_back();
    const std::size_t begin = cursor.at();
    const auto end = cursor.number(width);
    const auto count = cursor.number(width);
    const auto length = cursor.number(width);
    const auto name_length = cursor.number(1);
    if (!end || !count || !length || !name_length) return {};
    if (*end == 0) {
      // Ends the list of children. At the top, what follows is a footer and no records.
      if (open.empty()) return {};
      continue;
    }
    if (*end <= begin || *end > bytes.size()) return {};
    cursor.skip(*name_length);
    const std::size_t properties = cursor.at();
    cursor.skip(*length);
    if (cursor.at() > *end) return {};
    if (std::string fault = property_fault(bytes, properties, *count, cursor.at());
        !fault.empty()) {
      return fault;
    }
    if (cursor.at() < *end) open.push_back(*end);
    if (open.size() > static_cast<std::size_t>(max_depth)) {
      return fmt::format("byte {}: nested more than {} deep", begin, max_depth);
    }
  }
  return {};
}

}  // namespace tocsin::io
