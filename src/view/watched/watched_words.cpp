#include "view/watched/watched_words.h"

#include <fmt/format.h>

namespace tocsin::view {

std::string frames_text(const std::vector<IdRange>& ranges) {
  std::string out;
  for (const IdRange& range : ranges) {
    out += out.empty() ? "" : ", ";
    out += range.first == range.last ? std::to_string(range.first)
                                     : fmt::format("{} to {}", range.first, range.last);
  }
  return out;
}

std::string other_text(const ContactNames& names) {
  if (!names.object.empty()) return names.object;
  return names.other_label.empty() ? names.other_link
                                   : fmt::format("{} of {}", names.other_link, names.other_label);
}

}  // namespace tocsin::view
