// The avatar model format "tocsin.avatar.v1": docs/avatars.md, avatar_models/schema.json.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "io/shape/shape_fields.h"
#include "tocsin/avatar.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Reads a model. Lengths are in metres. A field that is unknown, missing, of another type or out
/// of range is an error. Errors (kInput): `display_name:line:column: cause` for text that is no
/// JSON, else `display_name: links[3].radius: cause`; those of mesh files likewise, with the file's
/// own place behind. `folder`: null: the text may name no mesh file.
Result<AvatarModel> parse_avatar_model(std::string_view text, std::string_view display_name,
                                       const ModelFolder* folder = nullptr);

/// The text of a model file: what parse_avatar_model() reads back as the same model, but for
/// `file`, if the model keeps to the format's limits. Shapes are written with their triangles. A
/// model without a name is called "model". `shapes`: the texts of some links' shapes, by the link's
/// index; others are written as shape_text() does.
std::string avatar_model_text(const AvatarModel& model,
                              const std::map<std::size_t, std::string>& shapes = {});

/// The model by the rules of a model file, its shapes as they are: they have rules of their own,
/// which Shape keeps. Errors: as parse_avatar_model().
Result<AvatarModel> as_in_a_file(const AvatarModel& model, std::string_view display_name);

}  // namespace tocsin::io
