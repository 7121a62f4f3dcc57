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
  /// Of a whole body: `auto` may choose it. The others (avatar_models/trackers) have links of the
  /// parts alone that a tracker sees. On a whole body they would miss contacts of the rest, so they
  /// are taken where they are asked for by name.
  bool whole = true;
};

/// Those of whole bodies first, each in order of name.
std::span<const EmbeddedAvatarModel> embedded_avatar_models();

/// The model of that name; null: none has the name.
const EmbeddedAvatarModel* embedded_avatar_model(std::string_view name);

/// The model of that name, read once: a server binds it for every session. Null: none has the name.
/// Throws std::bad_alloc.
const Result<AvatarModel>* shipped_avatar_model(std::string_view name);

}  // namespace tocsin::io
