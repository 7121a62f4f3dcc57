#include "io/ply_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "scene/quoted.h"

namespace tocsin::io {
namespace {

/// The words of a line; more than `kEnough` are not wanted by any line but a comment.
std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view kSpace = " \t\r";
  constexpr std::size_t kEnough = 8;
  std::vector<std::string_view> words;
  while (words.size() < kEnough) {
    line.remove_prefix(std::min(line.find_first_not_of(kSpace), line.size()));
    if (line.empty()) break;
    words.push_back(line.substr(0, line.find_first_of(kSpace)));
    line.remove_prefix(words.back().size());
  }
  return words;
}

bool is_type(std::string_view word) {
  constexpr std::array<std::string_view, 16> kTypes{
      "char", "uchar", "short", "ushort", "int",   "uint",   "float",   "double",
      "int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"};
  return std::find(kTypes.begin(), kTypes.end(), word) != kTypes.end();
}

std::string element_fault(const std::vector<std::string_view>& words, std::size_t file_size) {
  if (words.size() != 3) return "expected: element NAME COUNT";
  const std::string_view count = words[2];
  std::uint64_t number = 0;
  const auto [rest, error] = std::from_chars(count.data(), count.data() + count.size(), number);
  if (error != std::errc() || rest != count.data() + count.size()) {
    return fmt::format("the number of {} elements must be a whole number, is {}",
                       scene::quoted(words[1]), scene::quoted(count));
  }
  if (number > file_size) {
    return fmt::format("claims {} {} elements in a file of {} bytes", number,
                       scene::quoted(words[1]), file_size);
  }
  return {};
}

std::string property_fault(const std::vector<std::string_view>& words) {
  const bool scalar = words.size() == 3 && is_type(words[1]);
  const bool list =
      words.size() == 5 && words[1] == "list" && is_type(words[2]) && is_type(words[3]);
  return scalar || list ? "" : "expected: property TYPE NAME, or property list TYPE TYPE NAME";
}

std::string line_fault(const std::vector<std::string_view>& words, std::size_t number,
                       std::size_t file_size) {
  if (number == 1) return words.size() == 1 && words[0] == "ply" ? "" : "expected: ply";
  if (words.empty()) return "the header has an empty line";
  if (words[0] == "element") return element_fault(words, file_size);
  if (words[0] == "property") return property_fault(words);
  if (words[0] == "format" || words[0] == "comment" || words[0] == "obj_info") return {};
  return fmt::format(
      "expected format, comment, obj_info, element, property or end_header, found {}",
      scene::quoted(words[0]));
}

}  // namespace

std::string ply_header_fault(std::string_view bytes) {
  std::size_t number = 1;
  for (std::size_t at = 0; at < bytes.size(); ++number) {
    const std::size_t end = std::min(bytes.find_first_of("\r\n", at), bytes.size());
    const std::vector<std::string_view> words = words_of(bytes.substr(at, end - at));
    if (words.size() == 1 && words[0] == "end_header" && end < bytes.size()) return {};
    if (std::string fault = line_fault(words, number, bytes.size()); !fault.empty()) {
      return fmt::format("line {}: {}", number, fault);
    }
    at = end + (bytes.substr(end).starts_with("\r\n") ? 2 : 1);
  }
  return "the header does not end: there is no line end_header";
}

}  // namespace tocsin::io
