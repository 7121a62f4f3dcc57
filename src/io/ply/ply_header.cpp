#include "io/ply/ply_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/quoted.h"

namespace tocsin::io {
namespace {

constexpr std::string_view kBlanks = " \t\r";

struct TypeName {
  std::string_view name;
  PlyType type;
};

/// Turk's names, and those that say the number of bits.
constexpr std::array kPlyTypes = std::to_array<TypeName>({
    {"char", PlyType::kInt8},
    {"uchar", PlyType::kUint8},
    {"short", PlyType::kInt16},
    {"ushort", PlyType::kUint16},
    {"int", PlyType::kInt32},
    {"uint", PlyType::kUint32},
    {"float", PlyType::kFloat32},
    {"double", PlyType::kFloat64},
    {"int8", PlyType::kInt8},
    {"uint8", PlyType::kUint8},
    {"int16", PlyType::kInt16},
    {"uint16", PlyType::kUint16},
    {"int32", PlyType::kInt32},
    {"uint32", PlyType::kUint32},
    {"float32", PlyType::kFloat32},
    {"float64", PlyType::kFloat64},
});

std::optional<PlyType> type_named(std::string_view word) {
  const auto* const at = std::find_if(kPlyTypes.begin(), kPlyTypes.end(),
                                      [word](const TypeName& t) { return t.name == word; });
  if (at == kPlyTypes.end()) return std::nullopt;
  return at->type;
}

/// The words of a line, at most `kEnough`: no line but a comment has more.
std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::size_t kEnough = 8;
  std::vector<std::string_view> words;
  while (words.size() < kEnough) {
    line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
    if (line.empty()) break;
    words.push_back(line.substr(0, line.find_first_of(kBlanks)));
    line.remove_prefix(words.back().size());
  }
  return words;
}

/// Reads one line after the other. Each function returns the error of its line, or nothing.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view bytes) : bytes_(bytes) {
    const std::size_t first = bytes.find_first_of("\r\n");
    const bool lone_cr = first != std::string_view::npos && bytes[first] == '\r' &&
                         !bytes.substr(first + 1).starts_with('\n');
    line_end_ = lone_cr ? '\r' : '\n';
  }

  Result<PlyHeader> read() {
    for (std::size_t at = 0; at < bytes_.size();) {
      const std::size_t end = std::min(bytes_.find(line_end_, at), bytes_.size());
      std::string_view text = bytes_.substr(at, end - at);
      if (text.ends_with('\r')) text.remove_suffix(1);
      const std::vector<std::string_view> words = words_of(text);
      ++header_.lines;
      at = std::min(end + 1, bytes_.size());
      if (words.size() == 1 && words[0] == "end_header") {
        if (end == bytes_.size()) break;  // cut off: there is no body
        header_.bytes = at;
        if (!has_format_) return fault("the header lacks a format line");
        return std::move(header_);
      }
      if (std::string cause = line(text, words); !cause.empty()) return fault(cause);
    }
    return {ErrorCode::kInput, "the header does not end: there is no line end_header"};
  }

 private:
  [[nodiscard]] Error fault(std::string_view cause) const {
    return {ErrorCode::kInput, fmt::format("line {}: {}", header_.lines, cause)};
  }

  std::string line(std::string_view text, const std::vector<std::string_view>& words) {
    if (header_.lines == 1) return words.size() == 1 && words[0] == "ply" ? "" : "expected: ply";
    if (words.empty()) return "the header has an empty line";
    if (words[0] == "format") return format(words);
    if (words[0] == "element") return element(words);
    if (words[0] == "property") return property(words);
    if (words[0] == "comment") {
      text.remove_prefix(text.find("comment") + words[0].size());
      if (!text.empty()) text.remove_prefix(1);
      header_.comments.push_back({text, header_.lines});
      return {};
    }
    if (words[0] == "obj_info") return {};
    return fmt::format(
        "expected format, comment, obj_info, element, property or end_header, found {}",
        base::in_quotes(words[0]));
  }

  std::string format(const std::vector<std::string_view>& words) {
    constexpr std::array<std::string_view, 3> kNames{"ascii", "binary_little_endian",
                                                     "binary_big_endian"};
    const auto* const at =
        std::find(kNames.begin(), kNames.end(), words.size() == 3 ? words[1] : std::string_view());
    if (at == kNames.end() || words[2] != "1.0") {
      return "expected: format ascii 1.0, or binary_little_endian or binary_big_endian";
    }
    if (has_format_) return "a second format line";
    has_format_ = true;
    header_.format = static_cast<PlyFormat>(at - kNames.begin());
    return {};
  }

  std::string element(const std::vector<std::string_view>& words) {
    if (words.size() != 3) return "expected: element NAME COUNT";
    const std::string_view count = words[2];
    std::uint64_t number = 0;
    const auto [rest, error] = std::from_chars(count.data(), count.data() + count.size(), number);
    if (error != std::errc() || rest != count.data() + count.size()) {
      return fmt::format("the number of {} elements must be a whole number, is {}",
                         base::in_quotes(words[1]), base::in_quotes(count));
    }
    if (number > bytes_.size()) {
      return fmt::format("claims {} {} elements in a file of {} bytes", number,
                         base::in_quotes(words[1]), bytes_.size());
    }
    header_.elements.push_back({words[1], number, header_.lines, {}});
    return {};
  }

  std::string property(const std::vector<std::string_view>& words) {
    PlyProperty property;
    std::optional<PlyType> type;
    if (words.size() == 3) type = type_named(words[1]);
    if (words.size() == 5 && words[1] == "list") {
      type = type_named(words[3]);
      property.count_type = type_named(words[2]);
      if (!property.count_type) type = std::nullopt;
    }
    if (!type) return "expected: property TYPE NAME, or property list TYPE TYPE NAME";
    if (property.count_type && !is_integer(*property.count_type)) {
      return "the length of a list must be an integer";
    }
    if (header_.elements.empty()) return "a property before any element";
    property.type = *type;
    property.name = words.back();
    header_.elements.back().properties.push_back(property);
    return {};
  }

  std::string_view bytes_;
  char line_end_ = '\n';
  bool has_format_ = false;
  PlyHeader header_;
};

}  // namespace

bool PlyElement::is_fixed() const {
  return std::none_of(properties.begin(), properties.end(),
                      [](const PlyProperty& property) { return property.count_type.has_value(); });
}

Result<PlyHeader> parse_ply_header(std::string_view bytes) { return HeaderReader(bytes).read(); }

}  // namespace tocsin::io
