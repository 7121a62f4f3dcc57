// The avatar models that Tocsin ships, as text inside the library (cmake/TocsinEmbed.cmake).
#pragma once

#include <span>
#include <string_view>

namespace tocsin::io {

struct EmbeddedAvatarModel {
  std::string_view name;  ///< file name without `.json`
  std::string_view text;
};

/// In order of name.
std::span<const EmbeddedAvatarModel> embedded_avatar_models();

}  // namespace tocsin::io
