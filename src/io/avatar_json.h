// The avatar model format "tocsin.avatar.v1": docs/avatars.md, avatar_models/schema.json.
#pragma once

#include <string_view>

#include "tocsin/avatar.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Reads a model. Lengths in metres. Nothing is tolerated: a field that is unknown, missing, of
/// another type or out of range is an error. Errors (kInput): `display_name:line:column: cause` for
/// text that is no JSON, else `display_name: links[3].radius: cause`.
Result<AvatarModel> parse_avatar_model(std::string_view text, std::string_view display_name);

}  // namespace tocsin::io
