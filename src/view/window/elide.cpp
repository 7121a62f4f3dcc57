#include "view/window/elide.h"

namespace tocsin::view {
namespace {

bool goes_on(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Bytes of the character that a text begins with, or ends with.
std::size_t bytes_of_one(std::string_view text, bool at_begin) {
  std::size_t n = 1;
  if (at_begin) {
    while (n < text.size() && goes_on(text[n])) ++n;
  } else {
    while (n < text.size() && goes_on(text[text.size() - n])) ++n;
  }
  return n;
}

}  // namespace

std::string elided_to(std::string_view name, float width,
                      const std::function<float(std::string_view)>& width_of) {
  if (width_of(name) <= width) return std::string(name);
  constexpr std::string_view kMissing = "...";
  float room = width - width_of(kMissing);
  std::string begin;
  std::string end;
  for (bool at_begin = true; !name.empty(); at_begin = !at_begin) {
    const std::size_t bytes = bytes_of_one(name, at_begin);
    const std::string_view one =
        at_begin ? name.substr(0, bytes) : name.substr(name.size() - bytes);
    room -= width_of(one);
    if (room < 0.0F) break;
    if (at_begin) {
      begin += one;
      name.remove_prefix(bytes);
    } else {
      end.insert(0, one);
      name.remove_suffix(bytes);
    }
  }
  return begin + std::string(kMissing) + end;
}

}  // namespace tocsin::view
