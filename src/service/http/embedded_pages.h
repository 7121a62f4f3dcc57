// The pages of the monitor, as text inside the program (cmake/TocsinEmbed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace tocsin::service {

struct EmbeddedPage {
  std::string_view name;  ///< file name without `.html`
  std::string_view text;
};

/// In order of name. They load nothing from elsewhere.
std::span<const EmbeddedPage> embedded_pages();

}  // namespace tocsin::service
