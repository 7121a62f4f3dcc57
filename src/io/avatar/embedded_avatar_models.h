// The avatar models that Tocsin ships, as text inside the library (cmake/TocsinEmbed.cmake).
#pragma once

#include <span>
#include <string_view>

#include "tocsin/avatar.h"
#include "tocsin/result.h"

namespace tocsin::io {

struct EmbeddedAvatarModel {
  std::string_view name;  ///< file name without `.json`
  std::string_view text;
};

/// In order of name.
std::span<const EmbeddedAvatarModel> embedded_avatar_models();

/// The model of that name; null: none has the name.
const EmbeddedAvatarModel* embedded_avatar_model(std::string_view name);

/// The model of that name, read once: a server binds it for every session. Null: none has the name.
/// Throws std::bad_alloc.
const Result<AvatarModel>* shipped_avatar_model(std::string_view name);

}  // namespace tocsin::io
